"use strict";
// How an item looks wherever it is named: what it is called, its id, its label; the same item
// lights up everywhere when one of its rows is pointed at or focused.
(function (gainful) {
  const { make, name, hint } = gainful.dom;

  // Only addresses of the web become links: any other kind could run as a script.
  function addressOf(id) {
    const url = own(gainful.bulk.urls, id);
    return typeof url === "string" && /^https?:\/\//i.test(url) ? url : null;
  }

  function titled(id) {
    const title = own(gainful.bulk.titles, id);
    const address = addressOf(id);
    const shown = name(title || id);
    const first = address ? make(
      "a",
      { href: address, rel: "noopener noreferrer", target: "_blank" },
      shown,
    ) : shown;
    return make(
      "span",
      { class: "item" },
      make("span", { class: "title", title: title || id }, first),
      title ? make("span", { class: "id", title: id }, name(id)) : null,
    );
  }

  // An item may be called "constructor".
  function own(table, key) {
    return table && Object.prototype.hasOwnProperty.call(table, key) ? table[key] : null;
  }

  // Three shades, by how the gain compares with the highest there is.
  function levelOf(gain, most) {
    return Math.max(1, Math.min(3, Math.ceil((3 * gain) / most)));
  }

  function mostGain() {
    const gains = Object.values(gainful.page.explained.gains);
    return gains.length ? Math.max(...gains) : null;
  }

  function kindOf({ label, gain }) {
    if (label === null) return "unjudged";
    if (gain > 0) return `relevant level-${levelOf(gain, mostGain() || gain)}`;
    return gain < 0 || label < 0 ? "harmful" : "nonrelevant";
  }

  function meaning({ label, gain }) {
    if (label === null) return "unjudged";
    if (gain > 0) return "relevant";
    return gain < 0 || label < 0 ? "harmful" : "not relevant";
  }

  function badge(place) {
    const text = place.label === null ? "?" : String(place.label).replace("-", gainful.text.MINUS);
    const said = place.label === null ? "unjudged" : `label ${text}, ${meaning(place)}`;
    return make(
      "span",
      { class: `badge ${kindOf(place)}`, title: said },
      make("span", { "aria-hidden": "true" }, text),
      hint(said),
    );
  }

  function highlight(root) {
    const light = (item) => {
      for (const one of root.querySelectorAll("[data-item]")) {
        one.classList.toggle("lit", one.dataset.item === item);
      }
    };
    const pointed = (event) => {
      const row = event.target.closest("[data-item]");
      light(row ? row.dataset.item : null);
    };
    root.addEventListener("pointerover", pointed);
    root.addEventListener("focusin", pointed);
    root.addEventListener("pointerleave", () => light(null));
    root.addEventListener("focusout", () => light(null));
  }

  gainful.items = { titled, badge, kindOf, highlight };
})((window.gainful = window.gainful || {}));
