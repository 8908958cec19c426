"use strict";
// One query, opened: why each run has the value that it has.
(function (gainful) {
  const { make, button, name, headers, calm } = gainful.dom;
  const { four, signed } = gainful.text;
  let section = null;
  let opener = null;

  function open() {
    section = document.getElementById("query");
    if (!section) return;
    section.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) close();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && event.target === document.body && !section.hidden) close();
    });
    gainful.pair.changed(() => {
      if (!section.hidden && gainful.shownQuery !== undefined) fill(gainful.shownQuery);
    });
    window.addEventListener("hashchange", follow);
    follow();
  }

  // Everything goes through the address, so that reload and "back" show what was shown.
  function show(query) {
    opener = document.activeElement === document.body ? null : document.activeElement;
    const address = gainful.permalink.to(gainful.numberOf.get(query));
    if (location.hash === address) follow();
    else location.hash = address;
  }

  function follow() {
    const request = gainful.permalink.readHash();
    if (!request) {
      if (!section.hidden) hide();
      return;
    }
    if (request.query === undefined) unknown(request.id);
    else fill(request.query);
    section.hidden = false;
    const heading = section.querySelector("h2");
    heading.focus({ preventScroll: true });
    section.scrollIntoView({ behavior: calm() ? "auto" : "smooth", block: "start" });
  }

  function close() {
    gainful.permalink.clear();
    hide();
  }

  function hide() {
    const back = opener && opener.isConnected ? opener : gainful.queries.linkOf(gainful.shownQuery);
    section.hidden = true;
    section.replaceChildren();
    gainful.shownQuery = undefined;
    gainful.queries.mark(undefined);
    if (back) back.focus();
  }

  function heading(...parts) {
    return make("h2", { tabindex: -1, id: "query-title" }, ...parts);
  }

  function closing() {
    return button({ class: "close", "data-close": true }, close, "Close");
  }

  function unknown(id) {
    gainful.shownQuery = undefined;
    section.setAttribute("aria-labelledby", "query-title");
    const sentence = make(
      "p",
      {},
      "This report has no query called ",
      name(id),
      ". The table above lists those it has.",
    );
    section.replaceChildren(
      make(
        "header",
        { class: "query-head" },
        heading("No such query"),
        make("nav", { "aria-label": "Query" }, closing()),
      ),
      sentence,
    );
  }

  function fill(i) {
    const { a, b } = gainful.pair;
    gainful.shownQuery = i;
    const detail = gainful.bulk.details ? gainful.bulk.details[i] : null;
    section.setAttribute("aria-labelledby", "query-title");
    section.replaceChildren(
      head(i),
      measures(i, b === null ? [a] : [a, b]),
      ...(detail ? why(i, detail) : [absent(gainful.bulk.queries[i])]),
    );
    gainful.queries.mark(i);
  }

  function absent(id) {
    const command = make("code", {}, `gainful explain QRELS RUN ${quoted(id)}`);
    return make(
      "p",
      { class: "note" },
      "This query's rankings are not in the file; see them with: ",
      command,
    );
  }

  // As a shell reads it: one word, whatever is in it.
  function quoted(id) {
    return /^[\w.:@%+=/-]+$/.test(id) ? id : `'${id.replace(/'/g, "'\\''")}'`;
  }

  function head(i) {
    const text = gainful.data.text(i);
    const step = (by, label, key) => {
      const next = gainful.queries.beside(i, by);
      return button({ disabled: next === undefined, "data-step": key }, () => {
        const before = opener;
        show(gainful.bulk.queries[next]);
        opener = before;
      }, label);
    };
    const nav = make(
      "nav",
      { "aria-label": "Query" },
      step(-1, "\u2190 Previous", "previous"),
      step(1, "Next \u2192", "next"),
      closing(),
    );
    return make(
      "header",
      { class: "query-head" },
      heading("Query ", name(gainful.bulk.queries[i])),
      text ? make("p", { class: "query-text" }, name(text)) : null,
      nav,
    );
  }

  function measures(i, sides) {
    const { measures: all, runs } = gainful.page;
    const rows = all.map((measure, m) => {
      const values = sides.map((run) => gainful.data.valueOf(m, run, i));
      const change = values.length < 2 ? null : values.includes(null) ? null : values[1] - values[0];
      const cells = values.map((value) => make("td", { class: "number" }, four(value)));
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, measure),
        cells,
        values.length < 2 ? null : make("td", { class: "number" }, signed(change)),
      );
    });
    const titles = [["measure"], ...sides.map((run) => [name(runs[run]), true])];
    if (sides.length > 1) titles.push(["difference", true]);
    return make(
      "div",
      { class: "scroll" },
      make(
        "table",
        { class: "measures" },
        headers(titles),
        make("tbody", {}, rows),
      ),
    );
  }

  function why(i, detail) {
    const { a, b } = gainful.pair;
    const rankings = (b === null ? [a] : [a, b]).map((run) => {
      const ranking = gainful.values.ranking(i, run);
      return {
        ...ranking,
        returned: detail.n[run],
        widest: Math.max(0, ...ranking.rows.map((place) => place.product)),
      };
    });
    const ideal = gainful.values.ideal(detail, Math.max(...rankings.map((ranking) => ranking.best)));
    const names = gainful.values.names();
    const parts = make(
      "div",
      { class: "why" },
      make("h3", {}, `Where the ${names.total} comes from`),
      make(
        "p",
        { class: "note" },
        "Each part is what one rank adds, by its number; " +
          `the full width is the ${names.ideal}, so what is lacking was lost.`,
      ),
      gainful.bars.stacked(ideal, rankings),
      make("h3", {}, rankings.length > 1 ? "The rankings side by side" : "The ranking"),
      gainful.rankings.sideBySide(detail, rankings[0], rankings[1]),
      tiedNote(detail),
      gainful.whatif.part(detail, rankings),
      make("h3", {}, "What was missed"),
      gainful.ideal.missedTable(ideal, rankings),
      make("h3", {}, "The ideal ranking"),
      gainful.ideal.idealTable(ideal, rankings),
      gainful.growth.part(ideal, rankings),
    );
    gainful.items.highlight(parts);
    return [parts];
  }

  function tiedNote(detail) {
    return detail.weights ? make(
      "p",
      { class: "note" },
      "Ties are averaged: items of one score share the discounts of their ranks.",
    ) : null;
  }

  gainful.query = { open, show };
})((window.gainful = window.gainful || {}));
