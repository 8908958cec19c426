"use strict";
// A row of a ranking that can be moved: by its handle, its buttons, or keys.
(function (gainful) {
  const { make, button, hint } = gainful.dom;
  const { four, gain: gainText } = gainful.text;
  const { titled, badge } = gainful.items;
  const NOT_RANKED = "\u2013";

  function sign(text) {
    return make("span", { "aria-hidden": "true" }, text);
  }

  function handleOf(id) {
    const attributes = { class: "handle", type: "button", title: "Drag, or use the arrow keys" };
    return make(
      "button",
      attributes,
      sign("\u2807"),
      hint("Move "),
      make("bdi", { class: "unseen" }, id),
    );
  }

  // Goals: "up", "down", "top" and "last"; `act` is told which of them is asked for.
  function stepsOf(id, act) {
    const step = (goal, arrow, title) => {
      const said = hint(`Move ${id} ${goal === "top" ? "to rank 1" : goal}`);
      return button(
        { class: "step", "data-move": goal, title },
        () => act(goal),
        sign(arrow),
        said,
      );
    };
    return {
      top: step("top", "\u2912", "To rank 1"),
      up: step("up", "\u25b2", "One rank up"),
      down: step("down", "\u25bc", "One rank down"),
    };
  }

  const KEYS = { ArrowUp: "up", ArrowDown: "down", Home: "top", End: "last" };

  function heard(event, handle, act) {
    const goal = KEYS[event.key];
    if (!goal || (event.target !== handle && !event.altKey)) return;
    event.preventDefault();
    act(goal);
  }

  function row(item, act) {
    const handle = handleOf(item.id);
    const steps = stepsOf(item.id, act);
    const cells = {
      rank: make("td", { class: "number rank" }),
      discount: make("td", { class: "number" }),
      product: make("td", { class: "number product" }),
    };
    const element = make(
      "tr",
      { "data-item": item.id },
      cells.rank,
      make("th", { scope: "row" }, make("div", { class: "grip" }, handle, titled(item.id))),
      make("td", { class: "badged" }, badge(item)),
      make("td", { class: "number", "data-gain": item.gain }, gainText(item.gain)),
      cells.discount,
      cells.product,
      make("td", { class: "steps" }, steps.top, steps.up, steps.down),
    );
    element.addEventListener("keydown", (event) => heard(event, handle, act));
    return { element, cells, steps };
  }

  // `place` is null for an item that the ranking lacks.
  function paint({ element, cells, steps }, place, { widest, moved, last, fixed }) {
    const counted = place !== null && place.counted;
    const product = counted ? place.product : 0;
    const width = widest > 0 ? (100 * Math.max(0, product)) / widest : 0;
    cells.rank.textContent = place ? String(place.rank) : NOT_RANKED;
    cells.discount.textContent = counted ? four(place.discount) : "";
    cells.product.textContent = counted ? four(product) : "";
    cells.product.dataset.product = String(product);
    cells.product.style.setProperty("--part", `${width.toFixed(2)}%`);
    element.classList.toggle("below", !counted);
    element.classList.toggle("last-counted", last);
    element.classList.toggle("moved", moved);
    steps.up.disabled = steps.top.disabled = place !== null && place.rank === 1;
    steps.down.disabled = fixed;
  }

  gainful.movable = { row, paint };
})((window.gainful = window.gainful || {}));
