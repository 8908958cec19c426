"use strict";
// Which two runs are looked at: A, and B beside it. With one run there is no B.
(function (gainful) {
  const { make, select } = gainful.dom;
  const listeners = [];
  const pair = { a: 0, b: null, choose, changed, difference, sampled };

  function open() {
    const { baseline, candidate, runs } = gainful.page;
    pair.a = baseline;
    pair.b = candidate === undefined ? null : candidate;
    const place = document.getElementById("pair-choice");
    if (!place || pair.b === null || runs.length < 3) return;
    const options = runs.map((run, i) => [String(i), run]);
    const a = select(
      "A, the run to compare with",
      options,
      String(pair.a),
      (i) => choose(Number(i), pair.b),
    );
    const b = select(
      "B, the run that is looked at",
      options,
      String(pair.b),
      (i) => choose(pair.a, Number(i)),
    );
    changed(() => {
      a.field.value = String(pair.a);
      b.field.value = String(pair.b);
    });
    place.replaceChildren(
      make(
        "div",
        { class: "fields", role: "group", "aria-label": "Runs to compare" },
        a.element,
        b.element,
      ),
    );
    place.hidden = false;
  }

  // A run beside itself says nothing: who chooses it for both sides means to swap them.
  function choose(a, b) {
    [pair.a, pair.b] = a === b ? [pair.b, pair.a] : [a, b];
    for (const listener of listeners) listener();
  }

  function changed(listener) {
    listeners.push(listener);
  }

  function difference(query) {
    if (pair.b === null) return null;
    const [a, b] = [pair.a, pair.b].map((run) => gainful.data.valueOf(0, run, query));
    return a === null || b === null ? null : b - a;
  }

  // The rows of the charts of differences; of too many queries evenly spaced ones, both ends kept.
  function sampled() {
    const all = gainful.bulk.queries.map((query, i) => ({ i, query, difference: difference(i) }));
    const known = all.filter((one) => one.difference !== null);
    known.sort((x, y) => x.difference - y.difference || x.i - y.i);
    const most = gainful.page.n_drawn || known.length;
    const chosen = known.length <= most ? known.keys() : spaced(known.length, most);
    return Array.from(chosen, (index) => {
      const { i, query, difference: change } = known[index];
      const [a, b] = [pair.a, pair.b].map((run) => gainful.data.valueOf(0, run, i));
      return {
        query,
        text: gainful.data.text(i) || "",
        a,
        b,
        difference: change,
        place: index + 1,
      };
    });
  }

  function spaced(n, most) {
    return Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / (most - 1)));
  }

  gainful.pair = Object.assign(pair, { open });
})((window.gainful = window.gainful || {}));
