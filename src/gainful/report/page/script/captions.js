"use strict";
// What stands below the charts of a pair, once another pair is chosen than the one written there.
(function (gainful) {
  const { make, name } = gainful.dom;
  const written = new Map();

  const SENTENCES = {
    differences: (measure, a, b) => [
      [`${measure} of `, b, " less that of ", a, ", query by query."],
      [
        "Each bar is a query: above 0 ",
        b,
        " does better than ",
        a,
        ", below 0 worse. A click opens the query.",
      ],
    ],
    scatter: (measure, a, b) => [
      [`${measure} of `, b, " against that of ", a, "."],
      [
        "Each point is a query: above the diagonal ",
        b,
        " does better, below it ",
        a,
        ". A click opens the query.",
      ],
    ],
  };

  function show() {
    for (const [chart, sentences] of Object.entries(SENTENCES)) {
      const figure = document.querySelector(`figure[data-chart="${chart}"]`);
      if (figure) say(figure, sentences);
    }
  }

  function say(figure, sentences) {
    const { measure, runs, baseline, candidate } = gainful.page;
    const { a, b } = gainful.pair;
    const caption = figure.querySelector("figcaption");
    const first = a === baseline && b === candidate;
    if (!written.has(figure)) written.set(figure, [...caption.childNodes]);
    const [title, rest] = sentences(
      measure,
      name(runs[a]),
      name(runs[b]),
    ).map((parts) => parts.map(copied));
    caption.replaceChildren(
      ...(first ? written.get(figure) : [make("strong", {}, title), " ", ...rest]),
    );
    // Its numbers are those of the first pair; the table of queries has those of every pair.
    const numbers = figure.nextElementSibling;
    if (numbers && numbers.matches("details.numbers")) numbers.hidden = !first;
  }

  // An element can stand in one place only; a sentence may name a run in several.
  function copied(part) {
    return typeof part === "string" ? part : part.cloneNode(true);
  }

  gainful.captions = { show };
})((window.gainful = window.gainful || {}));
