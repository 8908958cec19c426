"use strict";
// How gain grows from rank to rank: of the runs, and of the best possible ranking.
(function (gainful) {
  const { make } = gainful.dom;

  function rowsOf(ideal, rankings) {
    const { total } = gainful.values.names();
    const rows = [];
    for (const { run, rows: places } of rankings) {
      const name = gainful.page.runs[run];
      let sum = 0;
      for (const place of places.filter((one) => one.counted)) {
        sum += place.gain;
        rows.push({ series: `CG ${name}`, rank: place.rank, value: sum });
        rows.push({ series: `${total} ${name}`, rank: place.rank, value: place.running });
      }
    }
    return rows.concat(idealRows(ideal, rankings, total));
  }

  // The ideal is drawn as far as the runs reach: it stays level where nothing is left to gain.
  function idealRows(ideal, rankings, total) {
    const depth = Math.max(
      0,
      ...rankings.map((one) => one.rows.filter((place) => place.counted).length),
    );
    const counted = ideal.filter((place) => place.counted);
    return Array.from({ length: counted.length ? Math.max(depth, counted.length) : 0 }, (_, i) => {
      const place = counted[Math.min(i, counted.length - 1)];
      return { series: `ideal ${total}`, rank: i + 1, value: place.running };
    });
  }

  function part(ideal, rankings) {
    const spec = (gainful.page.charts || {}).gains;
    const rows = rowsOf(ideal, rankings);
    if (!spec || !rows.length) return null;
    const name = "Gain from rank to rank";
    const view = make("div", { class: "view", role: "region", tabindex: 0, "aria-label": name });
    const title = make("h3", {}, name);
    const figure = make("figure", { class: "chart growth" }, view);
    const whole = make("div", {}, title, figure);
    const live = make("div", { class: "live" });
    gainful.charts
      .drawn(live, spec, { rows })
      .then(() => view.replaceChildren(live))
      .catch((error) => {
        console.warn(`The chart gains is not drawn: ${error.message}`);
        whole.remove();
      });
    return whole;
  }

  gainful.growth = { part };
})((window.gainful = window.gainful || {}));
