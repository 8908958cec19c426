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

  function select(label, options, selected, changed) {
    const field = make(
      "select",
      {},
      options.map(([value, text]) => make("option", { value, selected: value === selected }, text)),
    );
    field.addEventListener("change", () => changed(field.value));
    return { element: make("label", { class: "field" }, make("span", {}, label), field), field };
  }

  function calm() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  gainful.dom = { make, button, name, hint, headers, select, calm };
})((window.gainful = window.gainful || {}));

// Numbers as people read them.
(function (gainful) {
  const MINUS = "\u2212";
  const NOTHING = "-";

  function isKnown(value) {
    return value !== null && value !== undefined && !Number.isNaN(value);
  }

  // A rounded nothing has no sign: "-0.0000" reads as a loss.
  function fixed(value, digits) {
    if (!isKnown(value)) return NOTHING;
    const text = value.toFixed(digits);
    return Number(text) === 0 ? text.replace("-", "") : text.replace("-", MINUS);
  }

  function four(value) {
    return fixed(value, 4);
  }

  function signed(value) {
    const text = four(value);
    return isKnown(value) && Number(value.toFixed(4)) > 0 ? `+${text}` : text;
  }

  function percent(share, digits) {
    return isKnown(share) ? `${fixed(100 * share, digits || 0)}%` : NOTHING;
  }

  function gain(value) {
    return Number.isInteger(value) ? fixed(value, 0) : four(value);
  }

  function count(n, singular, plural) {
    return `${n.toLocaleString("en")} ${n === 1 ? singular : plural}`;
  }

  gainful.text = { MINUS, four, signed, percent, gain, count };
})((window.gainful = window.gainful || {}));

// What the page holds: a small part that is read at once, and a large one that is unpacked.
(function (gainful) {
  function read(id) {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page holds no ${id}.`);
    return JSON.parse(element.textContent);
  }

  function bytes(base64) {
    const text = atob(base64);
    const out = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) out[i] = text.charCodeAt(i);
    return out;
  }

  async function unpack(base64) {
    const packed = new Blob([bytes(base64)]).stream();
    const plain = packed.pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(plain).text());
  }

  async function readPacked(id) {
    return unpack(read(id));
  }

  function open() {
    gainful.page = read("page");
  }

  async function load() {
    gainful.bulk = await readPacked("bulk");
    gainful.numberOf = new Map(gainful.bulk.queries.map((query, i) => [query, i]));
  }

  function text(query) {
    return gainful.bulk.texts ? gainful.bulk.texts[query] : null;
  }

  function valueOf(measure, run, query) {
    const values = measure < 0 ? null : gainful.bulk.values[measure];
    return values ? values[run][query] : null;
  }

  gainful.data = { open, load, readPacked, text, valueOf };
})((window.gainful = window.gainful || {}));

// The address of a query: #q= and its id.
(function (gainful) {
  // Ids that are no text of whole characters cannot be written in an address; their number can.
  function to(i) {
    try {
      return `#q=${encodeURIComponent(gainful.bulk.queries[i])}`;
    } catch (error) {
      return `#n=${i}`;
    }
  }

  // What an address asks for: null if for no query, else its number, or the id that is not known.
  function readHash() {
    const [, kind, text] = /^#([qn])=(.*)$/s.exec(location.hash) || [];
    if (kind === undefined || text === "") return null;
    if (kind === "n") return {
      query: gainful.bulk.queries[Number(text)] === undefined ? undefined : Number(text),
      id: text,
    };
    const id = decoded(text);
    return { query: gainful.numberOf.get(id), id };
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (error) {
      return text;
    }
  }

  // Without a trace in the history, so that "back" leads where the reader came from.
  function clear() {
    history.replaceState(null, "", location.pathname + location.search);
  }

  gainful.permalink = { to, readHash, clear };
})((window.gainful = window.gainful || {}));
