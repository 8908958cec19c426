"use strict";
// The best possible ranking, and what the runs have missed of it.
(function (gainful) {
  const { make, name, headers } = gainful.dom;
  const { four, signed, gain: gainText, count } = gainful.text;
  const { titled, badge } = gainful.items;

  // Where a run has an item, in words; "below" is told apart because it earns nothing there.
  function standing(item, ranking, ranks) {
    const rank = ranks.get(item);
    const held = ranking.rows.length;
    if (rank === undefined) return {
      rank,
      counted: false,
      text: ranking.returned > held ? `not in the first ${held}` : "not returned",
    };
    const { counted } = ranking.rows[rank - 1];
    return { rank, counted, text: `rank ${rank}` };
  }

  function cellOf({ rank, counted, text }, ideal) {
    const kind = !counted ? "missed" : rank <= ideal ? "kept" : "late";
    return make("td", { class: `number standing ${kind}` }, text);
  }

  function runHeaders(rankings) {
    return rankings.map((one) => [["in ", name(gainful.page.runs[one.run])], true]);
  }

  function scrolled(label, table) {
    return make(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
      table,
    );
  }

  function idealTable(ideal, rankings) {
    const counted = ideal.filter((place) => place.counted);
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
        rankings.map((one, i) => cellOf(standing(place.item, one, ranks[i]), place.rank)),
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
    const told = ideal.map((place) => {
      const where = rankings.map((one, i) => standing(place.item, one, ranks[i]));
      return { place, where };
    });
    const lacking = told.filter(({ where }) => where.some((one) => !one.counted));
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
    const rows = dear.map(({ place, where }) =>
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
        where.map((one) => cellOf(one, place.rank)),
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
