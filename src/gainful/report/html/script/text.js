"use strict";
// Numbers as people read them.
(function (gainful) {
  const MINUS = "\u2212";
  const NOTHING = "-";

  function known(value) {
    return value !== null && value !== undefined && !Number.isNaN(value);
  }

  // A rounded nothing has no sign: "-0.0000" reads as a loss.
  function fixed(value, digits) {
    if (!known(value)) return NOTHING;
    const text = value.toFixed(digits);
    return Number(text) === 0 ? text.replace("-", "") : text.replace("-", MINUS);
  }

  function four(value) {
    return fixed(value, 4);
  }

  function signed(value) {
    const text = four(value);
    return known(value) && Number(value.toFixed(4)) > 0 ? `+${text}` : text;
  }

  function percent(share, digits) {
    return known(share) ? `${fixed(100 * share, digits || 0)}%` : NOTHING;
  }

  function gain(value) {
    return Number.isInteger(value) ? fixed(value, 0) : four(value);
  }

  function count(n, one, many) {
    return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
  }

  gainful.text = { MINUS, four, signed, percent, gain, count };
})((window.gainful = window.gainful || {}));
