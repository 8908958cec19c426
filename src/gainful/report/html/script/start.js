"use strict";
// Brings the page to life, part by part: where one fails, the others and what was drawn stay.
(function (gainful) {
  function attempt(part, task) {
    try {
      task();
    } catch (error) {
      console.warn(`${part}: ${error.message}`);
    }
  }

  function redraw() {
    const { a, b } = gainful.pair;
    if (b === null) return;
    const signals = { name_a: gainful.page.runs[a], name_b: gainful.page.runs[b] };
    const what = { rows: gainful.pair.sampled(), signals };
    gainful.charts.replace("differences", what);
    gainful.charts.replace("scatter", what);
    gainful.captions.show();
  }

  // Drawings are there already: the table and the query that was asked for come first.
  async function draw() {
    try {
      await gainful.vega.load();
      gainful.charts.open((query) => gainful.query.show(query));
    } catch (error) {
      console.warn(`Charts stay as they were drawn: ${error.message}`);
    }
  }

  async function start() {
    attempt("theme", gainful.theme.open);
    gainful.data.open();
    attempt("copy", gainful.copy.open);
    const drawing = draw();
    await gainful.data.load();
    attempt("pair", gainful.pair.open);
    attempt("queries", gainful.queries.open);
    attempt("query", gainful.query.open);
    gainful.pair.changed(redraw);
    await drawing;
    performance.mark("gainful-ready");
  }

  start().catch((error) => console.warn(`The page stays as it was written: ${error.message}`));
})((window.gainful = window.gainful || {}));
