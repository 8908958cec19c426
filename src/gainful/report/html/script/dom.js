"use strict";
// Elements, made without ever reading text as HTML: what a file calls its items must stay text.
(function (gainful) {
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) {
        element.setAttribute(name, value === true ? "" : String(value));
      }
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
  }

  function button(attributes, action, ...children) {
    const element = make("button", { type: "button", ...attributes }, ...children);
    element.addEventListener("click", action);
    return element;
  }

  // Ids may be in any script: isolated, right-to-left text does not turn its surroundings around.
  function name(text) {
    return make("bdi", {}, text);
  }

  function hint(text) {
    return make("span", { class: "unseen" }, text);
  }

  // The head of a table: titles, and whether numbers stand below them.
  function headers(titles) {
    const cells = titles.map(([title, number]) => {
      return make("th", { scope: "col", class: number ? "number" : null }, title);
    });
    return make("thead", {}, make("tr", {}, cells));
  }

  function select(label, options, chosen, changed) {
    const field = make(
      "select",
      {},
      options.map(([value, text]) => make("option", { value, selected: value === chosen }, text)),
    );
    field.addEventListener("change", () => changed(field.value));
    return { element: make("label", { class: "field" }, make("span", {}, label), field), field };
  }

  function calm() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  gainful.dom = { make, button, name, hint, headers, select, calm };
})((window.gainful = window.gainful || {}));
