"use strict";
// Live charts in place of the drawn ones, each made when it comes near the screen.
(function (gainful) {
  const { make } = gainful.dom;
  const views = [];
  const given = new Map();
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
      const view = await drawn(holder, spec, given.get(name));
      place.replaceChildren(holder);
      views.push({ name, view });
      // Another pair may have been chosen while this was drawn.
      if (given.has(name)) await fill(view, given.get(name));
      gainful.marks.attach(figure, name, opened);
    } catch (error) {
      console.warn(`The chart ${name} stays as it was drawn: ${error.message}`);
    }
  }

  async function drawn(container, spec, what) {
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
    await (what ? fill(view, what) : view.runAsync());
    return view;
  }

  function fill(view, { rows, signals }) {
    for (const [name, value] of Object.entries(signals || {})) view.signal(name, value);
    return view.data("rows", rows).runAsync();
  }

  function replace(name, what) {
    given.set(name, what);
    return Promise.all(views.filter((one) => one.name === name).map((one) => fill(one.view, what)));
  }

  gainful.charts = { open, replace, drawn };
})((window.gainful = window.gainful || {}));
