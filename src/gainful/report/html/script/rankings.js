"use strict";
// The two rankings of a query side by side, and what every rank adds.
(function (gainful) {
  const { make, button, name, hint, headers } = gainful.dom;
  const { four, percent, gain: gainText, count } = gainful.text;
  const { titled, badge } = gainful.items;
  const FIRST = 20;

  function ranksOf(ranking) {
    return new Map(ranking.rows.map((place) => [place.item, place.rank]));
  }

  // Told from A to B on both sides, so that one item has one move.
  function moveOf(place, side, other, otherName) {
    if (!other) return null;
    const there = other.get(place.item);
    if (there === undefined) {
      const kind = side === "a" ? "lost" : "new";
      const first = `not among the first ${other.size} of ${otherName}`;
      return { kind, text: kind, said: other.size ? first : `${otherName} returned nothing` };
    }
    const up = side === "a" ? place.rank - there : there - place.rank;
    if (up === 0) return { kind: "same", text: "same", said: "same rank" };
    const kind = up > 0 ? "up" : "down";
    const by = Math.abs(up);
    return {
      kind,
      by,
      text: `${kind} ${by}`,
      said: side === "a" ? `to rank ${there}` : `from rank ${there}`,
    };
  }

  const ARROWS = { up: "\u25b2", down: "\u25bc", same: "=" };

  // An arrow and a number where there is room for no more; the word is there for who cannot see it.
  function moveCell({ kind, text, by, said }) {
    const sign = ARROWS[kind] ? `${ARROWS[kind]}${by ? `\u2009${by}` : ""}` : text;
    return make(
      "td",
      { class: `move ${kind}`, title: `${text}, ${said}` },
      make("span", { "aria-hidden": "true" }, sign),
      hint(text),
    );
  }

  function row(place, ranking, move) {
    const share = ranking.total ? place.product / ranking.total : null;
    const width = ranking.widest ? Math.max(0, place.product / ranking.widest) : 0;
    const product = make(
      "td",
      { class: "number product", "data-product": place.product },
      place.counted ? four(place.product) : "",
    );
    product.style.setProperty("--part", `${(100 * width).toFixed(2)}%`);
    const attributes = {
      "data-item": place.id,
      "data-rank": place.rank,
      class: place.counted ? null : "below",
      tabindex: place.rank === 1 ? 0 : -1,
    };
    return make(
      "tr",
      attributes,
      make("td", { class: "number rank" }, String(place.rank)),
      move ? moveCell(move) : null,
      make("th", { scope: "row" }, titled(place.id)),
      make("td", {}, badge(place)),
      make("td", { class: "number", "data-gain": place.gain }, gainText(place.gain)),
      make("td", { class: "number" }, place.counted ? four(place.discount) : ""),
      product,
      make("td", { class: "number" }, place.counted ? percent(share) : ""),
      make("td", { class: "number" }, place.counted ? four(place.running) : ""),
    );
  }

  function head(paired) {
    const titles = [
      "rank",
      paired ? "move" : null,
      "item",
      "label",
      "gain",
      "discount",
      "gain \u00d7 discount",
      "share",
      "running",
    ];
    const left = ["item", "move", "label"];
    return headers(titles.filter(Boolean).map((title) => [title, !left.includes(title)]));
  }

  function total(label, value, key, columns) {
    const cell = make(
      "td",
      { class: "number", colspan: 3 },
      make("output", { "data-total": key, "data-value": value === null ? "" : value }, four(value)),
    );
    return make("tr", {}, make("th", { scope: "row", colspan: columns - 3 }, label), cell);
  }

  function foot(ranking, side, columns) {
    const names = gainful.values.names();
    const rest = ranking.whole ? null : make(
      "tr",
      { class: "rest" },
      make(
        "th",
        { scope: "row", colspan: columns - 3 },
        `ranks below ${ranking.rows.length}, not in the file`,
      ),
      make("td", { class: "number", colspan: 3 }, four(ranking.rest)),
    );
    const { normalized } = gainful.page.explained;
    return make(
      "tfoot",
      {},
      rest,
      total(normalized ? names.total : names.value, ranking.total, `dcg-${side}`, columns),
      total(
        `${names.ideal}, the best possible`,
        ranking.best,
        side === "a" ? "idcg" : `idcg-${side}`,
        columns,
      ),
      normalized ? total(
        `${names.value} = ${names.total} / ${names.ideal}`,
        ranking.value,
        `ndcg-${side}`,
        columns,
      ) : null,
    );
  }

  function table(ranking, side, other, otherName) {
    const columns = other ? 9 : 8;
    const move = (place) => moveOf(place, side, other, otherName);
    const rows = ranking.rows.map((place) => row(place, ranking, move(place)));
    const body = make("tbody", {}, rows);
    const cutoff = gainful.values.cutoff();
    if (rows[cutoff - 1] && rows[cutoff]) rows[cutoff - 1].classList.add("last-counted");
    if (!rows.length) body.append(
      make(
        "tr",
        {},
        make(
          "td",
          { colspan: columns, class: "empty" },
          "This run returned nothing for this query.",
        ),
      ),
    );
    const caption = make(
      "caption",
      {},
      make("span", { class: `side side-${side}`, "aria-hidden": "true" }, side.toUpperCase()),
      " ",
      name(gainful.page.runs[ranking.run]),
      hint(", the ranking and what every rank adds"),
    );
    const whole = make(
      "table",
      { class: "ranking" },
      caption,
      head(Boolean(other)),
      body,
      foot(ranking, side, columns),
    );
    return { whole, rows };
  }

  // One stop for the tabulator, arrows from there: forty stops would be a wall.
  function walked(rows) {
    const keys = {
      ArrowDown: (i) => i + 1,
      ArrowUp: (i) => i - 1,
      Home: () => 0,
      End: () => rows.length - 1,
    };
    rows.forEach((one, i) => {
      one.addEventListener("keydown", (event) => {
        if (event.target !== one || !(event.key in keys) || event.altKey) return;
        const next = rows[keys[event.key](i)];
        if (next && !next.hidden) {
          one.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        }
        event.preventDefault();
      });
    });
  }

  // Far more ranks than count are rarely read: the rest is one press away.
  function folded(rows) {
    const cutoff = gainful.values.cutoff();
    const shown = Math.max(FIRST, cutoff === Infinity ? FIRST : cutoff + 10);
    if (rows.length <= shown + 5) return null;
    rows.slice(shown).forEach((one) => (one.hidden = true));
    const press = button({ class: "more" }, () => {
      rows.forEach((one) => (one.hidden = false));
      rows[shown].focus();
      press.remove();
    }, `Show ranks ${shown + 1} to ${rows.length}`);
    return press;
  }

  function notReturned(detail, run) {
    const [n, held] = [detail.n[run], detail.rankings[run].length];
    return n > held ? make(
      "p",
      { class: "note" },
      `The file holds the first ${held} of ${count(n, "item", "items")} of this ranking.`,
    ) : null;
  }

  function panel(ranking, side, other, otherName, detail) {
    const { whole, rows } = table(ranking, side, other, otherName);
    walked(rows);
    const scroller = make(
      "div",
      { class: "scroll", role: "region", "aria-label": `Ranking ${side.toUpperCase()}` },
      whole,
    );
    return make(
      "div",
      { class: `panel panel-${side}` },
      scroller,
      folded(rows),
      notReturned(detail, ranking.run),
    );
  }

  function sideBySide(detail, first, second) {
    const { runs } = gainful.page;
    if (!second) return make(
      "div",
      { class: "rankings alone" },
      panel(first, "a", null, null, detail),
    );
    const widest = Math.max(first.widest, second.widest);
    const [a, b] = [{ ...first, widest }, { ...second, widest }];
    return make(
      "div",
      { class: "rankings" },
      panel(a, "a", ranksOf(b), runs[b.run], detail),
      panel(b, "b", ranksOf(a), runs[a.run], detail),
    );
  }

  gainful.rankings = { sideBySide, ranksOf };
})((window.gainful = window.gainful || {}));
