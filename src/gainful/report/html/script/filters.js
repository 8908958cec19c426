"use strict";
// Which queries are listed: those of a kind, those with a word.
(function (gainful) {
  const { valueOf } = gainful.data;
  let words = null;

  const change = (i) => gainful.pair.difference(i);
  const shown = () => (gainful.pair.b === null ? gainful.pair.a : gainful.pair.b);
  const value = (i) => valueOf(0, shown(), i);

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

  function found(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return () => true;
    words = words || searchable();
    return (i) => words[i].includes(wanted);
  }

  const isText = (value) => value !== null;

  // Slices whose values are few enough to choose from.
  function slices() {
    const columns = Object.entries(gainful.bulk.slices || {});
    return columns
      .map(([column, values]) => ({ column, options: [...new Set(values)].filter(isText).sort() }))
      .filter(({ options }) => options.length > 1 && options.length <= 50);
  }

  function chosen({ kind, text, slice }) {
    const { holds } = KINDS[kind];
    const has = found(text);
    const of = Object.entries(slice).filter(([, wanted]) => wanted !== "");
    const { slices: columns } = gainful.bulk;
    const inSlice = (i) => of.every(([column, wanted]) => columns[column][i] === wanted);
    const every = Array.from(gainful.bulk.queries.keys());
    return every.filter((i) => holds(i) && inSlice(i) && has(i));
  }

  gainful.filters = { kinds, slices, chosen };
})((window.gainful = window.gainful || {}));
