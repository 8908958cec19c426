"use strict";
// How gain grows from rank to rank: of the runs, and of the best possible ranking.
(function (gainful) {
  const { make } = gainful.dom;

  const NARROW = "(max-width: 44rem)";

  // The gains of ranks that count, added up, and the same with their discounts.
  function sums(places) {
    let sum = 0;
    return places
      .filter((one) => one.counted)
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
    const ranks = rankings.map((one) => sums(one.rows));
    const best = longer(sums(ideal), Math.max(0, ...ranks.map((one) => one.length)));
    return [...ranks, best].flatMap((one, i) => inPanels(names[i], one));
  }

  // On a narrow screen the panels stand one above the other, and so do the names of the lines.
  function fitted(spec) {
    if (!window.matchMedia(NARROW).matches) return spec;
    const legends = spec.legends.map((one) => ({ ...one, columns: 1 }));
    return { ...spec, legends, layout: { ...spec.layout, columns: 1 } };
  }

  function caption(rankings) {
    const { total, ideal, value } = gainful.values.names();
    const divided = gainful.page.explained.normalized && rankings.every((one) => one.whole);
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
    const [a, b = null] = rankings.map((one) => runs[one.run]);
    const best = runs.includes("ideal") ? "ideal ranking" : "ideal";
    const rows = rowsOf(ideal, rankings, [...(b === null ? [a] : [a, b]), best]);
    if (!spec || !rows.length) return null;
    const name = "Gain from rank to rank";
    const view = make("div", { class: "view", role: "region", tabindex: 0, "aria-label": name });
    const figure = make("figure", { class: "chart growth" }, view, caption(rankings));
    const whole = make("div", {}, make("h3", {}, name), figure);
    const live = make("div", { class: "live" });
    gainful.charts
      .drawn(live, fitted(spec), { rows, signals: { name_a: a, name_b: b } })
      .then(() => view.replaceChildren(live))
      .catch((error) => {
        console.warn(`The chart gains is not drawn: ${error.message}`);
        whole.remove();
      });
    return whole;
  }

  gainful.growth = { part };
})((window.gainful = window.gainful || {}));
