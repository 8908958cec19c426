"use strict";
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

  async function unpacked(base64) {
    const packed = new Blob([bytes(base64)]).stream();
    const plain = packed.pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(plain).text());
  }

  async function held(id) {
    return unpacked(read(id));
  }

  function open() {
    gainful.page = read("page");
  }

  async function load() {
    gainful.bulk = await held("bulk");
    gainful.numberOf = new Map(gainful.bulk.queries.map((query, i) => [query, i]));
  }

  function text(query) {
    return gainful.bulk.texts ? gainful.bulk.texts[query] : null;
  }

  function valueOf(measure, run, query) {
    const values = measure < 0 ? null : gainful.bulk.values[measure];
    return values ? values[run][query] : null;
  }

  gainful.data = { open, load, held, text, valueOf };
})((window.gainful = window.gainful || {}));
