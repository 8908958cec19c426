"use strict";
// A ranking that may be rearranged: what it holds, what each change makes of the value.
(function (gainful) {
  const { values } = gainful;

  // `order` is the ranking; `bench` holds what it lacks: relevant items that were not returned.
  function start(detail, ranking) {
    const order = [...detail.rankings[ranking.run]];
    const there = new Set(order);
    return { detail, ranking, order, bench: detail.ideal.filter((item) => !there.has(item)) };
  }

  function measured({ detail, ranking, order }) {
    const added = order.length - detail.rankings[ranking.run].length;
    const rows = values.places(detail, order, detail.n[ranking.run] + added, null);
    const total = values.totalOf(rows) + ranking.rest;
    return { rows, total, value: values.valueOf(total, ranking.best, ranking.told) };
  }

  // Rank 0 stands for the bench; only what came from there may go back.
  function moved(list, item, rank) {
    const order = list.order.filter((one) => one !== item);
    const bench = list.bench.filter((one) => one !== item);
    if (rank < 1 && !returned(list, item)) return { ...list, order, bench: [item, ...bench] };
    const at = Math.max(0, Math.min(rank - 1, order.length));
    return { ...list, order: [...order.slice(0, at), item, ...order.slice(at)], bench };
  }

  function returned({ detail, ranking }, item) {
    return detail.rankings[ranking.run].includes(item);
  }

  // The move of one item that gains most; the first of equals, so that it is always the same one.
  function bestMove(list) {
    const now = quick(list);
    const last = Math.min(values.cutoff(), list.order.length + 1);
    let best = null;
    for (const item of [...list.order, ...list.bench]) {
      if (values.gainOf(list.detail, item) === 0 && !hurts(list)) continue;
      for (let rank = 1; rank <= last; rank += 1) {
        const gains = quick(moved(list, item, rank)) - now;
        if (gains > (best ? best.gains : 0) + 1e-12) best = {
          item,
          rank,
          gains,
          from: list.order.indexOf(item) + 1,
        };
      }
    }
    return best;
  }

  // The value alone: a thousand orders are tried while a row is dragged.
  function quick({ detail, ranking, order }) {
    const { divisors } = gainful.page.explained;
    const n = Math.min(values.cutoff(), order.length, divisors.length);
    let total = 0;
    for (let i = 0; i < n; i += 1) total += values.gainOf(detail, order[i]) / divisors[i];
    return values.valueOf(total + ranking.rest, ranking.best, 0);
  }

  // Where a label takes away, to push such an item down may be the best move.
  function hurts({ detail, order }) {
    return order.some((item) => values.gainOf(detail, item) < 0);
  }

  gainful.moves = { start, measured, moved, returned, bestMove };
})((window.gainful = window.gainful || {}));
