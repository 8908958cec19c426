"use strict";
// What a mark of a chart says when the pointer is over it.
(function (gainful) {
  const { make, name } = gainful.dom;
  let box = null;

  function lines(value) {
    if (value === null || typeof value !== "object") return [make("p", {}, name(String(value)))];
    return Object.entries(value).map(([key, one]) => {
      return make("p", {}, make("b", {}, name(key)), " ", name(String(one)));
    });
  }

  function handle(_, event, __, value) {
    if (value === null || value === undefined || value === "") hide();
    else show(event, value);
  }

  function show(event, value) {
    if (!box) {
      box = make("div", { id: "tooltip", role: "tooltip" });
      document.body.append(box);
    }
    box.replaceChildren(...lines(value));
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const below = y + 16 + height <= window.innerHeight;
    box.style.left = `${Math.max(4, Math.min(x + 12, window.innerWidth - width - 4))}px`;
    box.style.top = `${below ? y + 16 : y - height - 8}px`;
  }

  function hide() {
    if (box) box.hidden = true;
  }

  gainful.tooltip = { handle };
})((window.gainful = window.gainful || {}));
