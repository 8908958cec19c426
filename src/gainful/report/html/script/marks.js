"use strict";
// The queries of a chart by keyboard: arrows walk along the marks, Enter opens one.
(function (gainful) {
  const { make, name } = gainful.dom;
  const { signed, four } = gainful.text;
  const STEPS = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: 10,
    PageDown: -10,
  };

  function marksOf(place) {
    const marks = new Map();
    for (const element of place.querySelectorAll("svg path, svg rect")) {
      const item = element.__data__;
      const datum = item && item.mark && item.datum;
      if (datum && "query" in datum && "difference" in datum) marks.set(element, datum);
    }
    return [...marks].sort((x, y) => x[1].place - y[1].place);
  }

  function attach(figure, chart, opened) {
    if (chart !== "differences" && chart !== "scatter") return;
    const place = figure.querySelector(".view");
    const said = make("p", { class: "walk", "aria-live": "polite" });
    place.append(said);
    place.tabIndex = 0;
    place.setAttribute("role", "group");
    place.setAttribute(
      "aria-label",
      "Queries of the chart: arrow keys walk along them, Enter opens one",
    );
    let at = -1;

    function go(marks, index) {
      at = Math.max(0, Math.min(index, marks.length - 1));
      marks.forEach(([element], i) => element.classList.toggle("current", i === at));
      const { query, text, a, b, difference } = marks[at][1];
      const values = `: ${four(a)} to ${four(b)}, ${signed(difference)}`;
      said.replaceChildren(name(query), ...(text ? [" ", name(text)] : []), values);
    }

    place.onkeydown = (event) => {
      const marks = marksOf(place);
      if (!marks.length || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key in STEPS) go(marks, at < 0 ? 0 : at + STEPS[event.key]);
      else if (event.key === "Home") go(marks, 0);
      else if (event.key === "End") go(marks, marks.length - 1);
      else if (event.key === "Enter" && at >= 0) opened(marks[at][1].query);
      else return;
      event.preventDefault();
    };
  }

  gainful.marks = { attach };
})((window.gainful = window.gainful || {}));
