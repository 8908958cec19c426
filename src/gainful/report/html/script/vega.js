"use strict";
// Vega, which draws the charts. It is packed, since it is larger than all else on the page.
(function (gainful) {
  let loading = null;

  // As an element: the policy of the page knows the hash of this script, and lets no text become code.
  async function unpacked() {
    if (!window.vega) {
      const script = document.createElement("script");
      script.textContent = await gainful.data.held("vega-packed");
      document.head.append(script);
      script.remove();
    }
    if (!window.vega || !window.vega.View) throw new Error("Vega is not there.");
    return window.vega;
  }

  function load() {
    loading = loading || unpacked();
    return loading;
  }

  gainful.vega = { load };
})((window.gainful = window.gainful || {}));
