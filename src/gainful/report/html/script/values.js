"use strict";
// The arithmetic of a ranking. Sums run from rank 1 down, as the library adds them: the same bits.
(function (gainful) {
  let table = null;

  // Where there are too many labels for one table, a query has the gains of its items.
  function gainOf(detail, item) {
    return detail.gains ? detail.gains[item] || 0 : gainOfLabel(detail.labels[item]);
  }

  // By number, not by text: Python and JavaScript do not write every number alike.
  function gainOfLabel(label) {
    if (label === null) return 0;
    if (!table) {
      const gains = Object.entries(gainful.page.explained.gains);
      table = new Map(gains.map(([text, gain]) => [Number(text), gain]));
    }
    return table.get(label) || 0;
  }

  function cutoff() {
    const { cutoff: last } = gainful.page.explained;
    return last === null || last === undefined ? Infinity : last;
  }

  function bottomOf(nRetrieved) {
    return Math.min(cutoff(), nRetrieved);
  }

  function place(detail, item, rank, bottom, weight) {
    const gain = gainOf(detail, item);
    const divisor = gainful.page.explained.divisors[rank - 1];
    const isCounted = rank <= bottom && divisor !== undefined;
    const product = weight === undefined ? gain / divisor : gain * weight;
    const discount = weight === undefined ? 1 / divisor : weight;
    return {
      rank,
      item,
      id: detail.items[item],
      label: detail.labels[item],
      gain,
      isCounted,
      discount: isCounted || weight !== undefined ? discount : 0,
      product: isCounted || weight !== undefined ? product : 0,
    };
  }

  // A tie that reaches over the cutoff counts in part, so a weight tells what counts, not the rank.
  function places(detail, order, nRetrieved, weights) {
    const bottom = bottomOf(nRetrieved);
    let running = 0;
    return order.map((item, i) => {
      const term = place(detail, item, i + 1, bottom, weights ? weights[i] : undefined);
      if (weights) term.isCounted = term.rank <= bottom || term.discount > 0;
      running += term.product;
      return { ...term, running };
    });
  }

  function totalOf(rows) {
    return rows.length ? rows[rows.length - 1].running : 0;
  }

  function bestOf(detail, run) {
    return Array.isArray(detail.best) ? detail.best[run] : detail.best;
  }

  function valueOf(total, best, otherwise) {
    const { normalized, capped } = gainful.page.explained;
    if (!normalized) return total;
    if (!best) return otherwise;
    return capped ? Math.min(total / best, 1) : total / best;
  }

  // One run on one query: its rows, their sum, and the part of the sum that no row shows.
  function ranking(query, run) {
    const detail = gainful.bulk.details[query];
    const order = detail.rankings[run];
    const weights = detail.weights ? detail.weights[run] : null;
    const rows = places(detail, order, detail.n[run], weights);
    const best = bestOf(detail, run);
    const knownValue = gainful.data.valueOf(measure(), run, query);
    const whole = bottomOf(detail.n[run]) <= order.length;
    const sum = totalOf(rows);
    // Where no total is told, what is below the rows adds nothing.
    const total = detail.totals ? detail.totals[run] : sum;
    return {
      run,
      rows,
      best,
      whole,
      rest: whole ? 0 : total - sum,
      total,
      value: valueOf(total, best, knownValue),
      knownValue,
    };
  }

  function measure() {
    return gainful.page.measures.indexOf(gainful.page.explained.measure);
  }

  // The rank down to which the best ranking counts is not told; its sum is.
  function ideal(detail, best) {
    const { divisors } = gainful.page.explained;
    let running = 0;
    return detail.ideal.map((item, i) => {
      const gain = gainOf(detail, item);
      const isCounted = running < best * (1 - 1e-12) && i < divisors.length;
      const product = isCounted ? gain / divisors[i] : 0;
      running += product;
      const label = detail.labels[item];
      return { rank: i + 1, item, id: detail.items[item], label, gain, isCounted, product, running };
    });
  }

  function names() {
    const match = /D?CG/.exec(gainful.page.explained.measure);
    const total = match ? match[0] : "total";
    return {
      total,
      ideal: match ? `I${total}` : "best total",
      value: gainful.page.explained.measure,
    };
  }

  gainful.values = { gainOf, cutoff, places, totalOf, valueOf, ranking, ideal, names };
})((window.gainful = window.gainful || {}));

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
    const rows = all.filter((row) => row.difference !== null);
    rows.sort((x, y) => x.difference - y.difference || x.i - y.i);
    const most = gainful.page.n_drawn || rows.length;
    const indexes = rows.length <= most ? rows.keys() : spaced(rows.length, most);
    return Array.from(indexes, (index) => {
      const { i, query, difference: change } = rows[index];
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
