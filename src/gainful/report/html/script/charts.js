"use strict";
// Vega, which draws the charts. It is packed, since it is larger than all else on the page.
(function (gainful) {
  let loading = null;

  // As an element: the policy of the page knows the hash of this script, and lets no text become code.
  async function unpack() {
    if (!window.vega) {
      const script = document.createElement("script");
      script.textContent = await gainful.data.readPacked("vega-packed");
      document.head.append(script);
      script.remove();
    }
    if (!window.vega || !window.vega.View) throw new Error("Vega is not there.");
    return window.vega;
  }

  function load() {
    loading = loading || unpack();
    return loading;
  }

  gainful.vega = { load };
})((window.gainful = window.gainful || {}));

// What a mark of a chart says when the pointer is over it.
(function (gainful) {
  const { make, name } = gainful.dom;
  let box = null;

  function lines(value) {
    if (value === null || typeof value !== "object") return [make("p", {}, name(String(value)))];
    return Object.entries(value).map(([key, text]) => {
      return make("p", {}, make("b", {}, name(key)), " ", name(String(text)));
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
    const status = make("p", { class: "walk", "aria-live": "polite" });
    place.append(status);
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
      status.replaceChildren(name(query), ...(text ? [" ", name(text)] : []), values);
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

// Live charts in place of the drawn ones, each made when it comes near the screen.
(function (gainful) {
  const { make } = gainful.dom;
  const views = [];
  const replacements = new Map();
  let opened = () => {};

  const refusing = {
    load: (uri) => Promise.reject(new Error(`a report loads nothing, asked for ${uri}`)),
    sanitize: (uri) => Promise.reject(new Error(`a report links nothing, asked for ${uri}`)),
  };

  function open(openQuery) {
    opened = openQuery;
    const figures = document.querySelectorAll("figure.chart[data-chart]");
    if (!("IntersectionObserver" in window)) {
      figures.forEach(upgrade);
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (isIntersecting) {
            observer.unobserve(target);
            later(() => upgrade(target));
          }
        }
      },
      { rootMargin: "300px" },
    );
    figures.forEach((figure) => observer.observe(figure));
  }

  function later(task) {
    if (window.requestIdleCallback) window.requestIdleCallback(task, { timeout: 500 });
    else setTimeout(task, 0);
  }

  // The drawn chart stays until the live one is complete, and for good if there is none.
  async function upgrade(figure) {
    const name = figure.dataset.chart;
    const place = figure.querySelector(".view");
    const spec = (gainful.page.charts || {})[name];
    if (!place || !spec) return;
    try {
      const holder = make("div", { class: "live" });
      const view = await draw(holder, spec, replacements.get(name));
      place.replaceChildren(holder);
      views.push({ name, view });
      // Another pair may have been chosen while this was drawn.
      if (replacements.has(name)) await fill(view, replacements.get(name));
      gainful.marks.attach(figure, name, opened);
    } catch (error) {
      console.warn(`The chart ${name} stays as it was drawn: ${error.message}`);
    }
  }

  async function draw(container, spec, content) {
    const { View, parse, expressionInterpreter } = await gainful.vega.load();
    // Expressions are walked, not compiled, which the policy of the page would forbid.
    const view = new View(parse(spec, null, { ast: true }), {
      expr: expressionInterpreter,
      renderer: "svg",
      container,
      hover: true,
      loader: refusing,
      tooltip: gainful.tooltip.handle,
    });
    view.addEventListener("click", (_, item) => {
      const query = item && item.datum && item.datum.query;
      if (query !== undefined && gainful.numberOf && gainful.numberOf.has(query)) opened(query);
    });
    await (content ? fill(view, content) : view.runAsync());
    return view;
  }

  function fill(view, { rows, signals }) {
    for (const [name, value] of Object.entries(signals || {})) view.signal(name, value);
    return view.data("rows", rows).runAsync();
  }

  function replace(name, content) {
    replacements.set(name, content);
    return Promise.all(views.filter((chart) => chart.name === name).map((chart) => fill(chart.view, content)));
  }

  gainful.charts = { open, replace, draw };
})((window.gainful = window.gainful || {}));

// The runs that captions name, once another pair is chosen than the one written there.
(function (gainful) {
  function show() {
    const { runs, baseline, candidate } = gainful.page;
    const { a, b } = gainful.pair;
    for (const element of document.querySelectorAll("figcaption [data-side]")) {
      element.textContent = runs[gainful.pair[element.dataset.side]];
    }
    // Their numbers are those of the first pair; the table of queries has those of every pair.
    const first = a === baseline && b === candidate;
    for (const numbers of document.querySelectorAll("figure:has([data-side]) + details.numbers")) {
      numbers.hidden = !first;
    }
  }

  gainful.captions = { show };
})((window.gainful = window.gainful || {}));
