"use strict";
// What each rank adds, as parts of a bar whose full length is the best possible sum.
(function (gainful) {
  const { make, name } = gainful.dom;
  const { four, percent } = gainful.text;

  function segment(place, scale) {
    const share = place.product / scale;
    const said = `rank ${place.rank}: ${place.id}, ${four(place.product)}, ${percent(share, 1)}`;
    const part = make(
      "span",
      { class: `segment ${gainful.items.kindOf(place)}`, "data-item": place.id, title: said },
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
    const said = `${four(total)} of ${four(scale)}, ${percent(total / scale, 1)}`;
    return [
      make("dt", {}, label),
      make(
        "dd",
        {},
        make("div", { class: "bar", role: "img", "aria-label": said }, parts, lack),
        make("span", { class: "bar-value", "aria-hidden": "true" }, percent(total / scale, 1)),
      ),
    ];
  }

  function stacked(ideal, rankings) {
    const best = Math.max(...rankings.map((one) => one.best));
    const scale = Math.max(best, ...rankings.map((one) => one.total));
    if (!(scale > 0)) return make(
      "p",
      { class: "note" },
      "Nothing is relevant for this query, so there is nothing to gain.",
    );
    const { runs } = gainful.page;
    const bars = rankings.flatMap((one) => bar(name(runs[one.run]), one.rows, one.total, scale));
    const above = ideal.filter((place) => place.counted);
    if (above.length) bars.push(...bar("ideal", above, gainful.values.totalOf(above), scale));
    return make("dl", { class: "bars" }, bars);
  }

  gainful.bars = { stacked };
})((window.gainful = window.gainful || {}));
