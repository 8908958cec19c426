"use strict";
// A ranking that may be rearranged: what it holds, what each change makes of the value.
(function (gainful) {
  const { values } = gainful;

  // `order` is the ranking; `bench` holds what it lacks: relevant items that were not returned.
  function start(detail, ranking) {
    const order = [...detail.rankings[ranking.run]];
    const there = new Set(order);
    return { detail, ranking, order, bench: detail.ideal.filter((item) => !there.has(item)) };
  }

  function measured({ detail, ranking, order }) {
    const added = order.length - detail.rankings[ranking.run].length;
    const rows = values.places(detail, order, detail.n[ranking.run] + added, null);
    const total = values.totalOf(rows) + ranking.rest;
    return { rows, total, value: values.valueOf(total, ranking.best, ranking.knownValue) };
  }

  // Rank 0 stands for the bench; only what came from there may go back.
  function move(list, item, rank) {
    const order = list.order.filter((other) => other !== item);
    const bench = list.bench.filter((other) => other !== item);
    if (rank < 1 && !returned(list, item)) return { ...list, order, bench: [item, ...bench] };
    const at = Math.max(0, Math.min(rank - 1, order.length));
    return { ...list, order: [...order.slice(0, at), item, ...order.slice(at)], bench };
  }

  function returned({ detail, ranking }, item) {
    return detail.rankings[ranking.run].includes(item);
  }

  // The move of one item that gains most; the first of equals, so that it is always the same one.
  function bestMove(list) {
    const now = quick(list);
    const last = Math.min(values.cutoff(), list.order.length + 1);
    let best = null;
    for (const item of [...list.order, ...list.bench]) {
      if (values.gainOf(list.detail, item) === 0 && !hurts(list)) continue;
      for (let rank = 1; rank <= last; rank += 1) {
        const gains = quick(move(list, item, rank)) - now;
        if (gains > (best ? best.gains : 0) + 1e-12) best = {
          item,
          rank,
          gains,
          from: list.order.indexOf(item) + 1,
        };
      }
    }
    return best;
  }

  // The value alone: a thousand orders are tried while a row is dragged.
  function quick({ detail, ranking, order }) {
    const { divisors } = gainful.page.explained;
    const n = Math.min(values.cutoff(), order.length, divisors.length);
    let total = 0;
    for (let i = 0; i < n; i += 1) total += values.gainOf(detail, order[i]) / divisors[i];
    return values.valueOf(total + ranking.rest, ranking.best, 0);
  }

  // Where a label takes away, to push such an item down may be the best move.
  function hurts({ detail, order }) {
    return order.some((item) => values.gainOf(detail, item) < 0);
  }

  gainful.moves = { start, measured, move, returned, bestMove };
})((window.gainful = window.gainful || {}));

// Rows dragged by mouse, pen or finger.
(function (gainful) {
  const EDGE = 48;

  // Others move around the row that is dragged: a row that leaves the page loses its pointer.
  function draggable(body, onMove) {
    let row = null;

    body.addEventListener("pointerdown", (event) => {
      const handle = event.target.closest(".handle");
      const other = event.target.closest("button:not(.handle), a, input, select");
      // A finger scrolls the page unless it is on the handle.
      if (event.button !== 0 || other || (event.pointerType !== "mouse" && !handle)) return;
      row = event.target.closest("tr[data-item]");
      if (!row) return;
      event.preventDefault();
      row.classList.add("dragged");
      if (handle) handle.focus({ preventScroll: true });
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    });

    function move(event) {
      const before = [...body.rows].filter((other) => other !== row && middle(other) < event.clientY);
      const rest = [...body.rows].filter((other) => other !== row);
      const next = rest[before.length] || null;
      if (next !== row.nextElementSibling) onMove(row, next);
      scroll(event.clientY);
    }

    function end() {
      row.classList.remove("dragged");
      row = null;
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    }
  }

  function middle(row) {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2;
  }

  function scroll(y) {
    if (y < EDGE) window.scrollBy(0, -EDGE / 4);
    else if (y > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
  }

  gainful.dragging = { draggable };
})((window.gainful = window.gainful || {}));

// A row of a ranking that can be moved: by its handle, its buttons, or keys.
(function (gainful) {
  const { make, button, hint } = gainful.dom;
  const { four, gain: gainText } = gainful.text;
  const { titled, badge } = gainful.items;
  const NOT_RANKED = "\u2013";

  function sign(text) {
    return make("span", { "aria-hidden": "true" }, text);
  }

  function handleOf(id) {
    const attributes = { class: "handle", type: "button", title: "Drag, or use the arrow keys" };
    return make(
      "button",
      attributes,
      sign("\u2807"),
      hint("Move "),
      make("bdi", { class: "unseen" }, id),
    );
  }

  // Goals: "up", "down", "top" and "last"; `act` is told which of them is asked for.
  function stepsOf(id, act) {
    const step = (goal, arrow, title) => {
      const description = hint(`Move ${id} ${goal === "top" ? "to rank 1" : goal}`);
      return button(
        { class: "step", "data-move": goal, title },
        () => act(goal),
        sign(arrow),
        description,
      );
    };
    return {
      top: step("top", "\u2912", "To rank 1"),
      up: step("up", "\u25b2", "One rank up"),
      down: step("down", "\u25bc", "One rank down"),
    };
  }

  const KEYS = { ArrowUp: "up", ArrowDown: "down", Home: "top", End: "last" };

  function heard(event, handle, act) {
    const goal = KEYS[event.key];
    if (!goal || (event.target !== handle && !event.altKey)) return;
    event.preventDefault();
    act(goal);
  }

  function row(item, act) {
    const handle = handleOf(item.id);
    const steps = stepsOf(item.id, act);
    const cells = {
      rank: make("td", { class: "number rank" }),
      discount: make("td", { class: "number" }),
      product: make("td", { class: "number product" }),
    };
    const element = make(
      "tr",
      { "data-item": item.id },
      cells.rank,
      make("th", { scope: "row" }, make("div", { class: "grip" }, handle, titled(item.id))),
      make("td", { class: "badged" }, badge(item)),
      make("td", { class: "number", "data-gain": item.gain }, gainText(item.gain)),
      cells.discount,
      cells.product,
      make("td", { class: "steps" }, steps.top, steps.up, steps.down),
    );
    element.addEventListener("keydown", (event) => heard(event, handle, act));
    return { element, cells, steps };
  }

  // `place` is null for an item that the ranking lacks.
  function paint({ element, cells, steps }, place, { widest, isMoved, isLast, isFixed }) {
    const isCounted = place !== null && place.isCounted;
    const product = isCounted ? place.product : 0;
    const width = widest > 0 ? (100 * Math.max(0, product)) / widest : 0;
    cells.rank.textContent = place ? String(place.rank) : NOT_RANKED;
    cells.discount.textContent = isCounted ? four(place.discount) : "";
    cells.product.textContent = isCounted ? four(product) : "";
    cells.product.dataset.product = String(product);
    cells.product.style.setProperty("--part", `${width.toFixed(2)}%`);
    element.classList.toggle("below", !isCounted);
    element.classList.toggle("last-counted", isLast);
    element.classList.toggle("moved", isMoved);
    steps.up.disabled = steps.top.disabled = place !== null && place.rank === 1;
    steps.down.disabled = isFixed;
  }

  gainful.movable = { row, paint };
})((window.gainful = window.gainful || {}));

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
    const options = rankings.map((ranking) => [String(ranking.run), gainful.page.runs[ranking.run]]);
    const last = rankings[rankings.length - 1];
    const place = make("div", {});
    const fill = (run) => {
      const ranking = rankings.find((candidate) => String(candidate.run) === run);
      place.replaceChildren(new Trial(detail, ranking).element());
    };
    const choice = select("Ranking of", options, String(last.run), fill);
    fill(String(last.run));
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
      this.body = make("tbody", {}, this.listRows());
      const output = (key) => make("output", { "data-total": key });
      this.outputs = { dcg: output("dcg"), ndcg: output("ndcg"), change: output("change") };
      this.status = make("p", { class: "unseen", role: "status", "aria-live": "polite" });
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
      const place = { id: this.detail.items[item], label: this.detail.labels[item], gain };
      return movable.row(place, (goal) => this.act(item, goal));
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
      const next = moves.move(this.now, item, rank);
      const at = next.order.indexOf(item) + 1;
      const text = at ? `to rank ${at}` : "taken out";
      this.set(next, `${this.detail.items[item]} ${text}.`, item);
    }

    set(next, text, item) {
      this.now = next;
      this.arrange(item);
      this.show();
      const { ndcg, change } = this.outputs;
      this.status.textContent = `${text} ${this.names.value} ${ndcg.textContent}, change ${change.textContent}.`;
    }

    listRows() {
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
      const rows = this.listRows();
      const still = item === undefined ? null : this.rows.get(item).element;
      if (!still) {
        this.body.append(...rows);
        return;
      }
      const at = rows.indexOf(still);
      still.before(...rows.slice(0, at));
      still.after(...rows.slice(at + 1));
    }

    // Dropped before a row, or at the end; what the run returned never leaves its ranking.
    drop(element, next) {
      const item = [...this.rows.keys()].find((key) => this.rows.get(key).element === element);
      const others = [...this.body.rows].filter((row) => row !== element);
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
        const isMoved = this.real.order[place.rank - 1] !== place.item;
        const isLast = place.rank === values.cutoff() && place.rank < n;
        const isFixed = place.rank === n && moves.returned(this.real, place.item);
        movable.paint(this.rows.get(place.item), place, { widest, isMoved, isLast, isFixed });
      }
      for (const item of this.now.bench) {
        movable.paint(
          this.rows.get(item),
          null,
          { widest, isMoved: false, isLast: false, isFixed: true },
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
        this.status,
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
