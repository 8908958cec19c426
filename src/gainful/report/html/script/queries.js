"use strict";
// Which queries are listed: those of a kind, those with a word.
(function (gainful) {
  const { valueOf } = gainful.data;
  let words = null;

  const change = (i) => gainful.pair.difference(i);
  const shownRun = () => (gainful.pair.b === null ? gainful.pair.a : gainful.pair.b);
  const value = (i) => valueOf(0, shownRun(), i);

  const KINDS = {
    all: { text: "all", holds: () => true },
    regressed: {
      text: "regressed",
      pairs: true,
      holds: (i) => change(i) !== null && change(i) < -gainful.page.tie,
    },
    improved: { text: "improved", pairs: true, holds: (i) => change(i) > gainful.page.tie },
    unchanged: {
      text: "unchanged",
      pairs: true,
      holds: (i) => change(i) !== null && Math.abs(change(i)) <= gainful.page.tie,
    },
    zero: { text: "zero", holds: (i) => value(i) === 0 },
    perfect: { text: "perfect", alone: true, holds: (i) => value(i) !== null && value(i) >= 1 },
    unjudged: { text: "with unjudged items", holds: hasUnjudged },
  };

  function hasUnjudged(query) {
    const { a, b } = gainful.pair;
    return [a, b].some((run) => {
      const judged = run === null ? null : gainful.bulk.judged[run][query];
      return judged !== null && judged < 1;
    });
  }

  function kinds() {
    const alone = gainful.pair.b === null;
    return Object.entries(KINDS).filter(([, kind]) => (alone ? !kind.pairs : !kind.alone));
  }

  // Made at the first search: most readers never search.
  function searchable() {
    const { bulk } = gainful;
    return bulk.queries.map((query, i) => {
      const detail = bulk.details ? bulk.details[i] : null;
      return [
        query,
        gainful.data.text(i) || "",
        ...(detail ? detail.items : []),
      ].join("\n").toLowerCase();
    });
  }

  function matchText(text) {
    const part = text.trim().toLowerCase();
    if (!part) return () => true;
    words = words || searchable();
    return (i) => words[i].includes(part);
  }

  const isText = (value) => value !== null;

  // Slices whose values are few enough to choose from.
  function slices() {
    const columns = Object.entries(gainful.bulk.slices || {});
    return columns
      .map(([column, values]) => ({ column, options: [...new Set(values)].filter(isText).sort() }))
      .filter(({ options }) => options.length > 1 && options.length <= 50);
  }

  function select({ kind, text, slice }) {
    const { holds } = KINDS[kind];
    const has = matchText(text);
    const entries = Object.entries(slice).filter(([, choice]) => choice !== "");
    const { slices: columns } = gainful.bulk;
    const inSlice = (i) => entries.every(([column, choice]) => columns[column][i] === choice);
    const every = Array.from(gainful.bulk.queries.keys());
    return every.filter((i) => holds(i) && inSlice(i) && has(i));
  }

  gainful.filters = { kinds, slices, select };
})((window.gainful = window.gainful || {}));

// The table of queries: searched, filtered, sorted, a page at a time.
(function (gainful) {
  const { make, button, name, select } = gainful.dom;
  const { four, signed, percent, count } = gainful.text;
  const PAGE = 100;
  const settings = { kind: "all", text: "", slice: {}, column: null, descending: false, rows: PAGE };
  let section = null;
  let order = [];
  let parts = {};

  const judged = (run) => (i) => gainful.bulk.judged[run][i];
  const value = (run) => (i) => gainful.data.valueOf(0, run, i);

  function columns() {
    const { a, b } = gainful.pair;
    const { runs, measure } = gainful.page;
    const first = [
      { key: "query", title: ["query"], of: (i) => gainful.bulk.queries[i], cell: link, text: true },
    ];
    if (gainful.bulk.texts) first.push(
      { key: "text", title: ["text"], of: gainful.data.text, cell: words, text: true },
    );
    const numbers = (run, side) => [
      { key: `value-${side}`, title: [`${measure} of `, name(runs[run])], of: value(run), cell: four },
      { key: `judged-${side}`, title: ["judged, ", name(runs[run])], of: judged(run), cell: (share) => percent(share) },
    ];
    const [valueA, judgedA] = numbers(a, "a");
    if (b === null) return [...first, valueA, judgedA];
    const [valueB, judgedB] = numbers(b, "b");
    const change = {
      key: "difference",
      title: ["difference"],
      of: gainful.pair.difference,
      cell: changed,
    };
    return [...first, valueA, valueB, change, judgedA, judgedB];
  }

  function link(query, i) {
    return make("a", { href: gainful.permalink.to(i) }, name(query));
  }

  function words(text) {
    return text ? name(text) : "";
  }

  function changed(difference) {
    const { tie } = gainful.page;
    const kind = difference > tie ? "better" : difference < -tie ? "worse" : "same";
    return make("span", { class: `change ${kind}` }, signed(difference));
  }

  function open() {
    section = document.getElementById("queries");
    const table = section && section.querySelector("table");
    if (!table) return;
    parts = {
      head: table.tHead || table.createTHead(),
      body: table.tBodies[0] || table.createTBody(),
    };
    parts.more = button({ class: "more" }, more);
    parts.status = make("p", { class: "count", role: "status", "aria-live": "polite" });
    const scroller = table.closest(".scroll") || table;
    parts.none = make("p", { class: "none", hidden: true }, "No query matches.");
    scroller.after(parts.none, parts.more);
    settings.column = gainful.pair.b === null ? "value-a" : "difference";
    fillControls(section.querySelector(".controls"));
    section.classList.add("live");
    parts.body.addEventListener("click", clicked);
    gainful.pair.changed(refresh);
    refresh();
  }

  function fillControls(place) {
    if (!place) return;
    const search = make(
      "input",
      { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "id, text or item" },
    );
    search.addEventListener("input", () => change({ text: search.value }));
    const kinds = gainful.filters.kinds().map(([key, kind]) => [key, kind.text]);
    const kind = select("Show", kinds, "all", (key) => change({ kind: key }));
    kind.field.dataset.filter = "kind";
    const slices = gainful.filters.slices().map(({ column, options }) => {
      const choices = [["", "all"], ...options.map((value) => [value, value])];
      const field = select(
        column,
        choices,
        "",
        (value) => change({ slice: { ...settings.slice, [column]: value } }),
      );
      field.field.dataset.filter = column;
      return field.element;
    });
    const label = make("label", { class: "field" }, make("span", {}, "Search"), search);
    place.replaceChildren(
      make("div", { class: "fields", role: "search" }, label, kind.element, ...slices),
      parts.status,
    );
    place.hidden = false;
  }

  function change(changes) {
    Object.assign(settings, { rows: PAGE }, changes);
    refresh();
  }

  // A value that is not known stands last, whichever way the others are sorted.
  function compared(x, y, direction) {
    if (x === y) return 0;
    if (x === null || x === undefined) return 1;
    if (y === null || y === undefined) return -1;
    const less = typeof x === "string" ? collator.compare(x, y) : x - y;
    return direction * less;
  }

  const collator = new Intl.Collator("en", { numeric: true });

  function refresh() {
    const all = columns();
    const column = all.find(({ key }) => key === settings.column) || all[0];
    const direction = settings.descending ? -1 : 1;
    const keyed = gainful.filters.select(settings).map((i) => [i, column.of(i)]);
    keyed.sort((x, y) => compared(x[1], y[1], direction) || x[0] - y[0]);
    order = keyed.map(([i]) => i);
    parts.head.replaceChildren(make("tr", {}, all.map((other) => header(other, other === column))));
    parts.body.replaceChildren(...rowsOf(all, 0, settings.rows));
    tell();
  }

  function header(column, sorted) {
    const direction = settings.descending ? "descending" : "ascending";
    const arrow = make(
      "span",
      { class: "arrow", "aria-hidden": "true" },
      sorted ? (settings.descending ? "\u25bc" : "\u25b2") : "\u2195",
    );
    const press = button(
      { "data-column": column.key },
      () => sort(column.key),
      make("span", {}, column.title),
      arrow,
    );
    return make(
      "th",
      { scope: "col", class: column.text ? null : "number", "aria-sort": sorted ? direction : null },
      press,
    );
  }

  function sort(key) {
    const descending = settings.column === key ? !settings.descending : false;
    change({ column: key, descending });
    // The header was made anew; without this the keyboard would start at the top of the page.
    parts.head.querySelector(`[data-column="${key}"]`).focus({ preventScroll: true });
  }

  function rowsOf(all, from, to) {
    return order.slice(from, to).map((i) => {
      const cells = all.map((column) => {
        const attributes = { class: column.text ? null : "number", "data-column": column.key };
        return make(
          column.key === "query" ? "th" : "td",
          { ...attributes, scope: column.key === "query" ? "row" : null },
          column.cell(column.of(i), i),
        );
      });
      return make(
        "tr",
        { "data-query": gainful.bulk.queries[i], class: i === gainful.shownQuery ? "opened" : null },
        cells,
      );
    });
  }

  function more() {
    const from = settings.rows;
    settings.rows += PAGE;
    parts.body.append(...rowsOf(columns(), from, settings.rows));
    tell();
    const first = parts.body.rows[from];
    if (first) first.querySelector("a").focus({ preventScroll: true });
  }

  function tell() {
    const n = gainful.bulk.queries.length;
    const all = count(n, "query", "queries");
    const some = `${order.length.toLocaleString("en")} of ${all}`;
    parts.status.textContent = order.length === n ? all : some;
    parts.none.hidden = order.length > 0;
    const left = order.length - settings.rows;
    parts.more.hidden = left <= 0;
    parts.more.textContent = `Show ${Math.min(left, PAGE)} more (${left} left)`;
  }

  // A row is as good as its link, except for who selects text or follows the link itself.
  function clicked(event) {
    const row = event.target.closest("tr[data-query]");
    if (!row || event.target.closest("a") || String(window.getSelection())) return;
    row.querySelector("a").click();
  }

  // The query before or after one, as the table is sorted and filtered now.
  function beside(i, step) {
    const at = order.indexOf(i);
    return at < 0 ? undefined : order[at + step];
  }

  function mark(i) {
    for (const row of parts.body ? parts.body.rows : []) {
      row.classList.toggle("opened", row.dataset.query === gainful.bulk.queries[i]);
    }
  }

  function linkOf(i) {
    const rows = parts.body ? [...parts.body.rows] : [];
    const row = rows.find((other) => other.dataset.query === gainful.bulk.queries[i]);
    return row ? row.querySelector("a") : null;
  }

  gainful.queries = { open, beside, mark, linkOf };
})((window.gainful = window.gainful || {}));
