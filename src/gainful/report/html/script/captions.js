"use strict";
// The runs that captions name, once another pair is chosen than the one written there.
(function (gainful) {
  function show() {
    const { runs, baseline, candidate } = gainful.page;
    const { a, b } = gainful.pair;
    for (const one of document.querySelectorAll("figcaption [data-side]")) {
      one.textContent = runs[gainful.pair[one.dataset.side]];
    }
    // Their numbers are those of the first pair; the table of queries has those of every pair.
    const first = a === baseline && b === candidate;
    for (const numbers of document.querySelectorAll("figure:has([data-side]) + details.numbers")) {
      numbers.hidden = !first;
    }
  }

  gainful.captions = { show };
})((window.gainful = window.gainful || {}));
