"use strict";
// What if: items moved to other ranks, and what that makes of the value.
(function (gainful) {
  const { make, button, name, headers, select } = gainful.dom;
  const { four, signed } = gainful.text;
  const { moves, movable, values } = gainful;
  const TITLES = [
    ["rank", true],
    ["item"],
    ["label"],
    ["gain", true],
    ["discount", true],
    ["gain \u00d7 discount", true],
    ["move"],
  ];

  const HOW =
    "Drag an item to another rank, or move it with its buttons or the arrow keys, " +
    "and watch the value change.";

  function part(detail, rankings) {
    const options = rankings.map((one) => [String(one.run), gainful.page.runs[one.run]]);
    const chosen = rankings[rankings.length - 1];
    const place = make("div", {});
    const fill = (run) => {
      const ranking = rankings.find((one) => String(one.run) === run);
      place.replaceChildren(new Trial(detail, ranking).element());
    };
    const choice = select("Ranking of", options, String(chosen.run), fill);
    fill(String(chosen.run));
    return make(
      "section",
      { id: "whatif", "aria-labelledby": "whatif-title" },
      make("h3", { id: "whatif-title" }, "What if?"),
      make("p", { class: "note" }, HOW),
      rankings.length > 1 ? make("div", { class: "fields" }, choice.element) : null,
      place,
    );
  }

  // One ranking as it is rearranged.
  class Trial {
    constructor(detail, ranking) {
      this.detail = detail;
      this.ranking = ranking;
      this.names = values.names();
      this.real = moves.start(detail, ranking);
      this.now = this.real;
      // Averaged ties have no order to change: the list begins as an order of its own.
      this.begin = detail.weights ? moves.measured(this.real).value : ranking.value;
      const items = [...this.real.order, ...this.real.bench];
      this.rows = new Map(items.map((item) => [item, this.row(item)]));
      this.line = this.real.bench.length ? benchLine() : null;
      this.body = make("tbody", {}, this.wanted());
      const output = (key) => make("output", { "data-total": key });
      this.outputs = { dcg: output("dcg"), ndcg: output("ndcg"), change: output("change") };
      this.said = make("p", { class: "unseen", role: "status", "aria-live": "polite" });
      this.best = make("p", { class: "best-move" });
      this.reset = button(
        { "data-reset": true },
        () => this.set(this.real, "The ranking is as it was."),
        "Reset",
      );
      gainful.dragging.draggable(this.body, (element, next) => this.drop(element, next));
      this.show();
    }

    row(item) {
      const gain = values.gainOf(this.detail, item);
      const one = { id: this.detail.items[item], label: this.detail.labels[item], gain };
      return movable.row(one, (goal) => this.act(item, goal));
    }

    act(item, goal) {
      const n = this.now.order.length;
      const rank = this.now.order.indexOf(item) + 1;
      const goals = {
        top: 1,
        last: Math.min(values.cutoff(), rank ? n : n + 1),
        up: rank ? rank - 1 || 1 : n + 1,
        down: rank && rank < n ? rank + 1 : 0,
      };
      this.go(item, goals[goal]);
    }

    go(item, rank) {
      const next = moves.moved(this.now, item, rank);
      const at = next.order.indexOf(item) + 1;
      const told = at ? `to rank ${at}` : "taken out";
      this.set(next, `${this.detail.items[item]} ${told}.`, item);
    }

    set(next, told, item) {
      this.now = next;
      this.arrange(item);
      this.show();
      const { ndcg, change } = this.outputs;
      this.said.textContent = `${told} ${this.names.value} ${ndcg.textContent}, change ${change.textContent}.`;
    }

    wanted() {
      const element = (item) => this.rows.get(item).element;
      return [
        ...this.now.order.map(element),
        ...(this.line ? [this.line] : []),
        ...this.now.bench.map(element),
      ];
    }

    // The row that moved stays where it is in the page while the others change places around it:
    // it keeps the focus, and a pointer that drags it.
    arrange(item) {
      const wanted = this.wanted();
      const still = item === undefined ? null : this.rows.get(item).element;
      if (!still) {
        this.body.append(...wanted);
        return;
      }
      const at = wanted.indexOf(still);
      still.before(...wanted.slice(0, at));
      still.after(...wanted.slice(at + 1));
    }

    // Dropped before a row, or at the end; what the run returned never leaves its ranking.
    drop(element, next) {
      const item = [...this.rows.keys()].find((one) => this.rows.get(one).element === element);
      const others = [...this.body.rows].filter((one) => one !== element);
      const at = next ? others.indexOf(next) : others.length;
      const end = this.line ? others.indexOf(this.line) : others.length;
      const rank = at <= end ? at + 1 : moves.returned(this.real, item) ? end + 1 : 0;
      if (rank !== this.now.order.indexOf(item) + 1) this.go(item, rank);
    }

    show() {
      const { rows: places, total, value } = moves.measured(this.now);
      const change = value === null || this.begin === null ? null : value - this.begin;
      this.paint(places);
      put(this.outputs.dcg, total, four(total));
      put(this.outputs.ndcg, value, four(value));
      put(this.outputs.change, change, signed(change));
      this.outputs.change.className = change > 1e-12 ? "better" : change < -1e-12 ? "worse" : "same";
      this.reset.disabled = String(this.now.order) === String(this.real.order);
      this.suggest();
    }

    paint(places) {
      const widest = Math.max(0, ...places.map((place) => place.product));
      const n = places.length;
      for (const place of places) {
        const moved = this.real.order[place.rank - 1] !== place.item;
        const last = place.rank === values.cutoff() && place.rank < n;
        const fixed = place.rank === n && moves.returned(this.real, place.item);
        movable.paint(this.rows.get(place.item), place, { widest, moved, last, fixed });
      }
      for (const item of this.now.bench) {
        movable.paint(
          this.rows.get(item),
          null,
          { widest, moved: false, last: false, fixed: true },
        );
      }
    }

    suggest() {
      const best = moves.bestMove(this.now);
      if (!best) {
        this.best.replaceChildren(
          "No single move gains anything: this order is the best there is.",
        );
        return;
      }
      const from = best.from ? `from rank ${best.from}` : "which was not returned,";
      const doIt = button({ "data-best": true }, () => {
        this.go(best.item, best.rank);
        (this.best.querySelector("button") || this.reset).focus({ preventScroll: true });
      }, "Do it");
      const item = name(this.detail.items[best.item]);
      this.best.replaceChildren(
        "Best single move: ",
        item,
        ` ${from} to rank ${best.rank}, ${signed(best.gains)} `,
        doIt,
      );
    }

    totals() {
      const { normalized } = gainful.page.explained;
      const { total, ideal, value } = this.names;
      const best = make(
        "output",
        { "data-total": "idcg", "data-value": this.ranking.best },
        four(this.ranking.best),
      );
      return make(
        "dl",
        { class: "totals" },
        normalized ? fact(value, this.outputs.ndcg) : null,
        fact("change", this.outputs.change),
        fact(normalized ? total : value, this.outputs.dcg),
        fact(ideal, best),
      );
    }

    notes() {
      const words = [];
      if (this.detail.weights) words.push(
        "Ties are not averaged here: the list starts from one order of them.",
      );
      if (!this.ranking.whole) words.push(
        `Ranks below ${this.ranking.rows.length} are not in the file; they are taken to stay as they are.`,
      );
      if (Array.isArray(this.detail.best)) words.push(
        `The ${this.names.ideal} of this run is kept as it is.`,
      );
      return words.length ? make("p", { class: "note" }, words.join(" ")) : null;
    }

    element() {
      const table = make("table", { class: "ranking whatif" }, headers(TITLES), this.body);
      const live = make("div", { class: "live-value" }, this.totals(), this.reset);
      return make(
        "div",
        {},
        this.best,
        this.notes(),
        live,
        this.said,
        make("div", { class: "scroll" }, table),
      );
    }
  }

  function benchLine() {
    return make(
      "tr",
      { class: "bench-line" },
      make(
        "th",
        { colspan: TITLES.length, scope: "colgroup" },
        "Not returned: drag in, or move up",
      ),
    );
  }

  function put(output, value, text) {
    output.textContent = text;
    output.dataset.value = value === null ? "" : String(value);
  }

  function fact(title, output) {
    return make("div", {}, make("dt", {}, title), make("dd", {}, output));
  }

  gainful.whatif = { part };
})((window.gainful = window.gainful || {}));
