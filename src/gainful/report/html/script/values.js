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
    const counted = rank <= bottom && divisor !== undefined;
    const product = weight === undefined ? gain / divisor : gain * weight;
    const discount = weight === undefined ? 1 / divisor : weight;
    return {
      rank,
      item,
      id: detail.items[item],
      label: detail.labels[item],
      gain,
      counted,
      discount: counted || weight !== undefined ? discount : 0,
      product: counted || weight !== undefined ? product : 0,
    };
  }

  // A tie that reaches over the cutoff counts in part, so a weight tells what counts, not the rank.
  function places(detail, order, nRetrieved, weights) {
    const bottom = bottomOf(nRetrieved);
    let running = 0;
    return order.map((item, i) => {
      const one = place(detail, item, i + 1, bottom, weights ? weights[i] : undefined);
      if (weights) one.counted = one.rank <= bottom || one.discount > 0;
      running += one.product;
      return { ...one, running };
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
    const told = gainful.data.valueOf(measure(), run, query);
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
      value: valueOf(total, best, told),
      told,
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
      const counted = running < best * (1 - 1e-12) && i < divisors.length;
      const product = counted ? gain / divisors[i] : 0;
      running += product;
      const label = detail.labels[item];
      return { rank: i + 1, item, id: detail.items[item], label, gain, counted, product, running };
    });
  }

  function names() {
    const found = /D?CG/.exec(gainful.page.explained.measure);
    const total = found ? found[0] : "total";
    return {
      total,
      ideal: found ? `I${total}` : "best total",
      value: gainful.page.explained.measure,
    };
  }

  gainful.values = { gainOf, cutoff, places, totalOf, valueOf, ranking, ideal, names };
})((window.gainful = window.gainful || {}));
