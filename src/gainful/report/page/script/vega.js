"use strict";
// Vega, which draws the charts. It is packed, since it is larger than all else on the page.
(function (gainful) {
  let loading = null;

  async function unpacked() {
    if (!window.vega) new Function(await gainful.data.held("vega-packed"))();
    if (!window.vega || !window.vega.View) throw new Error("Vega is not there.");
    return window.vega;
  }

  function load() {
    loading = loading || unpacked();
    return loading;
  }

  gainful.vega = { load };
})((window.gainful = window.gainful || {}));
