"use strict";
// Rows dragged by mouse, pen or finger.
(function (gainful) {
  const EDGE = 48;

  // Others move around the row that is dragged: a row that leaves the page loses its pointer.
  function draggable(body, moved) {
    let row = null;

    body.addEventListener("pointerdown", (event) => {
      const handle = event.target.closest(".handle");
      const other = event.target.closest("button:not(.handle), a, input, select");
      // A finger scrolls the page unless it is on the handle.
      if (event.button !== 0 || other || (event.pointerType !== "mouse" && !handle)) return;
      row = event.target.closest("tr[data-item]");
      if (!row) return;
      event.preventDefault();
      row.classList.add("dragged");
      if (handle) handle.focus({ preventScroll: true });
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    });

    function move(event) {
      const before = [...body.rows].filter((one) => one !== row && middle(one) < event.clientY);
      const rest = [...body.rows].filter((one) => one !== row);
      const next = rest[before.length] || null;
      if (next !== row.nextElementSibling) moved(row, next);
      scroll(event.clientY);
    }

    function end() {
      row.classList.remove("dragged");
      row = null;
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    }
  }

  function middle(row) {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2;
  }

  function scroll(y) {
    if (y < EDGE) window.scrollBy(0, -EDGE / 4);
    else if (y > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
  }

  gainful.dragging = { draggable };
})((window.gainful = window.gainful || {}));
