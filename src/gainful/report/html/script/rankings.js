"use strict";
// How an item looks wherever it is named: what it is called, its id, its label; the same item
// lights up everywhere when one of its rows is pointed at or focused.
(function (gainful) {
  const { make, name, hint } = gainful.dom;

  // Only addresses of the web become links: any other kind could run as a script.
  function addressOf(id) {
    const url = ownValue(gainful.bulk.urls, id);
    return typeof url === "string" && /^https?:\/\//i.test(url) ? url : null;
  }

  function titled(id) {
    const title = ownValue(gainful.bulk.titles, id);
    const address = addressOf(id);
    const label = name(title || id);
    const first = address ? make(
      "a",
      { href: address, rel: "noopener noreferrer", target: "_blank" },
      label,
    ) : label;
    return make(
      "span",
      { class: "item" },
      make("span", { class: "title", title: title || id }, first),
      title ? make("span", { class: "id", title: id }, name(id)) : null,
    );
  }

  // An item may be called "constructor".
  function ownValue(table, key) {
    return table && Object.prototype.hasOwnProperty.call(table, key) ? table[key] : null;
  }

  // Three shades, by how the gain compares with the highest there is.
  function levelOf(gain, most) {
    return Math.max(1, Math.min(3, Math.ceil((3 * gain) / most)));
  }

  function mostGain() {
    const gains = Object.values(gainful.page.explained.gains);
    return gains.length ? Math.max(...gains) : null;
  }

  function kindOf({ label, gain }) {
    if (label === null) return "unjudged";
    if (gain > 0) return `relevant level-${levelOf(gain, mostGain() || gain)}`;
    return gain < 0 || label < 0 ? "harmful" : "nonrelevant";
  }

  function meaning({ label, gain }) {
    if (label === null) return "unjudged";
    if (gain > 0) return "relevant";
    return gain < 0 || label < 0 ? "harmful" : "not relevant";
  }

  function badge(place) {
    const text = place.label === null ? "?" : String(place.label).replace("-", gainful.text.MINUS);
    const description = place.label === null ? "unjudged" : `label ${text}, ${meaning(place)}`;
    return make(
      "span",
      { class: `badge ${kindOf(place)}`, title: description },
      make("span", { "aria-hidden": "true" }, text),
      hint(description),
    );
  }

  function highlight(root) {
    const light = (item) => {
      for (const element of root.querySelectorAll("[data-item]")) {
        element.classList.toggle("lit", element.dataset.item === item);
      }
    };
    const pointed = (event) => {
      const row = event.target.closest("[data-item]");
      light(row ? row.dataset.item : null);
    };
    root.addEventListener("pointerover", pointed);
    root.addEventListener("focusin", pointed);
    root.addEventListener("pointerleave", () => light(null));
    root.addEventListener("focusout", () => light(null));
  }

  gainful.items = { titled, badge, kindOf, highlight };
})((window.gainful = window.gainful || {}));

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
      return { kind, text: kind, description: other.size ? first : `${otherName} returned nothing` };
    }
    const up = side === "a" ? place.rank - there : there - place.rank;
    if (up === 0) return { kind: "same", text: "same", description: "same rank" };
    const kind = up > 0 ? "up" : "down";
    const by = Math.abs(up);
    return {
      kind,
      by,
      text: `${kind} ${by}`,
      description: side === "a" ? `to rank ${there}` : `from rank ${there}`,
    };
  }

  const ARROWS = { up: "\u25b2", down: "\u25bc", same: "=" };

  // An arrow and a number where there is room for no more; the word is there for who cannot see it.
  function moveCell({ kind, text, by, description }) {
    const sign = ARROWS[kind] ? `${ARROWS[kind]}${by ? `\u2009${by}` : ""}` : text;
    return make(
      "td",
      { class: `move ${kind}`, title: `${text}, ${description}` },
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
      place.isCounted ? four(place.product) : "",
    );
    product.style.setProperty("--part", `${(100 * width).toFixed(2)}%`);
    const attributes = {
      "data-item": place.id,
      "data-rank": place.rank,
      class: place.isCounted ? null : "below",
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
      make("td", { class: "number" }, place.isCounted ? four(place.discount) : ""),
      product,
      make("td", { class: "number" }, place.isCounted ? percent(share) : ""),
      make("td", { class: "number" }, place.isCounted ? four(place.running) : ""),
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
    rows.forEach((row, i) => {
      row.addEventListener("keydown", (event) => {
        if (event.target !== row || !(event.key in keys) || event.altKey) return;
        const next = rows[keys[event.key](i)];
        if (next && !next.hidden) {
          row.tabIndex = -1;
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
    const nShown = Math.max(FIRST, cutoff === Infinity ? FIRST : cutoff + 10);
    if (rows.length <= nShown + 5) return null;
    rows.slice(nShown).forEach((row) => (row.hidden = true));
    const press = button({ class: "more" }, () => {
      rows.forEach((row) => (row.hidden = false));
      rows[nShown].focus();
      press.remove();
    }, `Show ranks ${nShown + 1} to ${rows.length}`);
    return press;
  }

  function notReturned(detail, run) {
    const [n, nHeld] = [detail.n[run], detail.rankings[run].length];
    return n > nHeld ? make(
      "p",
      { class: "note" },
      `The file holds the first ${nHeld} of ${count(n, "item", "items")} of this ranking.`,
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

// What each rank adds, as parts of a bar whose full length is the best possible sum.
(function (gainful) {
  const { make, name } = gainful.dom;
  const { four, percent } = gainful.text;

  function segment(place, scale) {
    const share = place.product / scale;
    const description = `rank ${place.rank}: ${place.id}, ${four(place.product)}, ${percent(share, 1)}`;
    const part = make(
      "span",
      { class: `segment ${gainful.items.kindOf(place)}`, "data-item": place.id, title: description },
      share > 0.03 ? String(place.rank) : "",
    );
    part.style.flexBasis = `${(100 * share).toFixed(3)}%`;
    return part;
  }

  function bar(label, rows, total, scale) {
    const parts = rows.filter((place) => place.product > 0).map((place) => segment(place, scale));
    const lost = scale - total;
    const lack = lost > 1e-12 * scale ? make(
      "span",
      { class: "lack", title: `lost: ${four(lost)}, ${percent(lost / scale, 1)}` },
    ) : null;
    const description = `${four(total)} of ${four(scale)}, ${percent(total / scale, 1)}`;
    return [
      make("dt", {}, label),
      make(
        "dd",
        {},
        make("div", { class: "bar", role: "img", "aria-label": description }, parts, lack),
        make("span", { class: "bar-value", "aria-hidden": "true" }, percent(total / scale, 1)),
      ),
    ];
  }

  function stacked(ideal, rankings) {
    const best = Math.max(...rankings.map((ranking) => ranking.best));
    const scale = Math.max(best, ...rankings.map((ranking) => ranking.total));
    if (!(scale > 0)) return make(
      "p",
      { class: "note" },
      "Nothing is relevant for this query, so there is nothing to gain.",
    );
    const { runs } = gainful.page;
    const bars = rankings.flatMap((ranking) => bar(name(runs[ranking.run]), ranking.rows, ranking.total, scale));
    const above = ideal.filter((place) => place.isCounted);
    if (above.length) bars.push(...bar("ideal", above, gainful.values.totalOf(above), scale));
    return make("dl", { class: "bars" }, bars);
  }

  gainful.bars = { stacked };
})((window.gainful = window.gainful || {}));

// The best possible ranking, and what the runs have missed of it.
(function (gainful) {
  const { make, name, headers } = gainful.dom;
  const { four, signed, gain: gainText, count } = gainful.text;
  const { titled, badge } = gainful.items;

  // Where a run has an item, in words; "below" is told apart because it earns nothing there.
  function standing(item, ranking, ranks) {
    const rank = ranks.get(item);
    const nRows = ranking.rows.length;
    if (rank === undefined) return {
      rank,
      isCounted: false,
      text: ranking.returned > nRows ? `not in the first ${nRows}` : "not returned",
    };
    const { isCounted } = ranking.rows[rank - 1];
    return { rank, isCounted, text: `rank ${rank}` };
  }

  function cellOf({ rank, isCounted, text }, ideal) {
    const kind = !isCounted ? "missed" : rank <= ideal ? "kept" : "late";
    return make("td", { class: `number standing ${kind}` }, text);
  }

  function runHeaders(rankings) {
    return rankings.map((ranking) => [["in ", name(gainful.page.runs[ranking.run])], true]);
  }

  function scrolled(label, table) {
    return make(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
      table,
    );
  }

  function idealTable(ideal, rankings) {
    const counted = ideal.filter((place) => place.isCounted);
    if (!counted.length) return make(
      "p",
      { class: "note" },
      "There is no ideal ranking to show: nothing that is judged gains anything.",
    );
    const ranks = rankings.map(gainful.rankings.ranksOf);
    const rows = counted.map((place) =>
      make(
        "tr",
        { "data-item": place.id },
        make("td", { class: "number rank" }, String(place.rank)),
        make("th", { scope: "row" }, titled(place.id)),
        make("td", {}, badge(place)),
        make("td", { class: "number" }, gainText(place.gain)),
        make("td", { class: "number product" }, four(place.product)),
        make("td", { class: "number" }, four(place.running)),
        rankings.map((ranking, i) => cellOf(standing(place.item, ranking, ranks[i]), place.rank)),
      ),
    );
    const head = headers([
      ["rank", true],
      ["item"],
      ["label"],
      ["gain", true],
      ["gain \u00d7 discount", true],
      ["running", true],
      ...runHeaders(rankings),
    ]);
    return scrolled(
      "Ideal ranking",
      make("table", { class: "ideal" }, head, make("tbody", {}, rows)),
    );
  }

  // The cost is what an item adds to the best ranking, in units of the measure.
  function missedTable(ideal, rankings) {
    const ranks = rankings.map(gainful.rankings.ranksOf);
    const unit = gainful.page.explained.normalized && rankings[0].best ? rankings[0].best : 1;
    const standings = ideal.map((place) => {
      const places = rankings.map((ranking, i) => standing(place.item, ranking, ranks[i]));
      return { place, places };
    });
    const lacking = standings.filter(({ places }) => places.some((place) => !place.isCounted));
    const dear = lacking.filter(({ place }) => place.product > 0);
    const more = lacking.length - dear.length;
    const rest = more ? make(
      "p",
      { class: "note" },
      `${count(more, "more relevant item is", "more relevant items are")} not counted either; ` +
        `the ideal ranking has no room for ${more === 1 ? "it" : "them"}, so that costs nothing.`,
    ) : null;
    if (!dear.length) return make(
      "div",
      {},
      make("p", { class: "note" }, "No relevant item of the ideal ranking was missed."),
      rest,
    );
    const rows = dear.map(({ place, places }) =>
      make(
        "tr",
        { "data-item": place.id },
        make("th", { scope: "row" }, titled(place.id)),
        make("td", {}, badge(place)),
        make("td", { class: "number" }, String(place.rank)),
        make(
          "td",
          { class: "number", "data-cost": place.product / unit },
          signed(-place.product / unit),
        ),
        places.map((rankPlace) => cellOf(rankPlace, place.rank)),
      ),
    );
    const head = headers([
      ["missed item"],
      ["label"],
      ["ideal rank", true],
      ["cost", true],
      ...runHeaders(rankings),
    ]);
    return make(
      "div",
      {},
      scrolled("Missed items", make("table", { class: "missed" }, head, make("tbody", {}, rows))),
      rest,
    );
  }

  gainful.ideal = { idealTable, missedTable };
})((window.gainful = window.gainful || {}));

// How gain grows from rank to rank: of the runs, and of the best possible ranking.
(function (gainful) {
  const { make } = gainful.dom;

  const NARROW = "(max-width: 44rem)";

  // The gains of ranks that count, added up, and the same with their discounts.
  function sums(places) {
    let sum = 0;
    return places
      .filter((place) => place.isCounted)
      .map(({ rank, gain, running }) => ({ rank, plain: (sum += gain), discounted: running }));
  }

  // The ideal is drawn as far as the runs reach: it stays level where nothing is left to gain.
  function longer(best, depth) {
    const last = best[best.length - 1];
    const more = last ? Math.max(0, depth - best.length) : 0;
    return best.concat(Array.from({ length: more }, (_, i) => ({ ...last, rank: last.rank + i + 1 })));
  }

  // A tie may reach over the cutoff; undiscounted, what is below it does not count.
  function inPanels(series, ranks) {
    const { total } = gainful.values.names();
    const plain = ranks.filter(({ rank }) => rank <= gainful.values.cutoff());
    const discounted = total === "CG" ? [] : ranks;
    return [
      ...plain.map(({ rank, plain: value }) => ({ panel: "CG", series, rank, value })),
      ...discounted.map(({ rank, discounted: value }) => ({ panel: total, series, rank, value })),
    ];
  }

  function rowsOf(ideal, rankings, names) {
    const ranks = rankings.map((ranking) => sums(ranking.rows));
    const best = longer(sums(ideal), Math.max(0, ...ranks.map((values) => values.length)));
    return [...ranks, best].flatMap((values, i) => inPanels(names[i], values));
  }

  // On a narrow screen the panels stand one above the other, and so do the names of the lines.
  function fitted(spec) {
    if (!window.matchMedia(NARROW).matches) return spec;
    const legends = spec.legends.map((legend) => ({ ...legend, columns: 1 }));
    return { ...spec, legends, layout: { ...spec.layout, columns: 1 } };
  }

  function caption(rankings) {
    const { total, ideal, value } = gainful.values.names();
    const divided = gainful.page.explained.normalized && rankings.every((ranking) => ranking.whole);
    const end = divided ? `, and at the end ${total} divided by ${ideal} is ${value}` : "";
    return make(
      "figcaption",
      {},
      "From left to right, the gap between a run and the dotted line is what it has lost to the " +
        `ideal ranking up to that rank${end}.`,
    );
  }

  function part(ideal, rankings) {
    const spec = (gainful.page.charts || {}).gains;
    const { runs } = gainful.page;
    const [a, b = null] = rankings.map((ranking) => runs[ranking.run]);
    const best = runs.includes("ideal") ? "ideal ranking" : "ideal";
    const rows = rowsOf(ideal, rankings, [...(b === null ? [a] : [a, b]), best]);
    if (!spec || !rows.length) return null;
    const name = "Gain from rank to rank";
    const view = make("div", { class: "view", role: "region", tabindex: 0, "aria-label": name });
    const figure = make("figure", { class: "chart growth" }, view, caption(rankings));
    const whole = make("div", {}, make("h3", {}, name), figure);
    const live = make("div", { class: "live" });
    gainful.charts
      .draw(live, fitted(spec), { rows, signals: { name_a: a, name_b: b } })
      .then(() => view.replaceChildren(live))
      .catch((error) => {
        console.warn(`The chart gains is not drawn: ${error.message}`);
        whole.remove();
      });
    return whole;
  }

  gainful.growth = { part };
})((window.gainful = window.gainful || {}));
