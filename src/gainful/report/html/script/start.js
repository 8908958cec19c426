"use strict";
// Tables to the clipboard, and the items to judge as a file.
(function (gainful) {
  const { make } = gainful.dom;

  function open() {
    const copies = gainful.page.copies || {};
    for (const button of document.querySelectorAll("button[data-copy]")) {
      const text = copies[button.dataset.copy];
      if (typeof text === "string") offer(button, text);
    }
    const download = document.getElementById("to-judge-download");
    if (download && typeof gainful.page.to_judge_csv === "string") {
      download.hidden = false;
      download.addEventListener(
        "click",
        () => save("to-judge.csv", gainful.page.to_judge_csv, "text/csv"),
      );
    }
  }

  function offer(button, text) {
    const label = button.textContent;
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    let timer = 0;
    button.addEventListener("click", async () => {
      button.textContent = (await copied(text)) ? "Copied" : "Not copied: the browser refused";
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = label;
      }, 2000);
    });
  }

  // Pages from disk are refused the clipboard by some browsers; a selected text is not.
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      return copiedBySelection(text);
    }
  }

  function copiedBySelection(text) {
    const focused = document.activeElement;
    const field = make("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (focused) focused.focus({ preventScroll: true });
    return done;
  }

  function save(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    const link = make("a", { href: address, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  gainful.copy = { open };
})((window.gainful = window.gainful || {}));

// Light, dark, or as the device has it.
(function (gainful) {
  const THEMES = ["auto", "light", "dark"];
  const KEY = "gainful-theme";

  // Storage is refused to some pages from disk; the theme then lasts as long as the page is open.
  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch (error) {
      return null;
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch (error) {
      console.info(`The theme is not kept: ${error.message}`);
    }
  }

  function open() {
    const button = document.getElementById("theme");
    const stored = remembered();
    let theme = THEMES.includes(stored) ? stored : "auto";
    const show = () => {
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      if (button) button.textContent = `Theme: ${theme}`;
    };
    show();
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      remember(theme);
      show();
    });
  }

  gainful.theme = { open };
})((window.gainful = window.gainful || {}));

// Brings the page to life, part by part: where one fails, the others and what was drawn stay.
(function (gainful) {
  function attempt(part, task) {
    try {
      task();
    } catch (error) {
      console.warn(`${part}: ${error.message}`);
    }
  }

  function redraw() {
    const { a, b } = gainful.pair;
    if (b === null) return;
    const signals = { name_a: gainful.page.runs[a], name_b: gainful.page.runs[b] };
    const what = { rows: gainful.pair.sampled(), signals };
    gainful.charts.replace("differences", what);
    gainful.charts.replace("scatter", what);
    gainful.captions.show();
  }

  // Drawings are there already: the table and the query that was asked for come first.
  async function draw() {
    try {
      await gainful.vega.load();
      gainful.charts.open((query) => gainful.query.show(query));
    } catch (error) {
      console.warn(`Charts stay as they were drawn: ${error.message}`);
    }
  }

  async function start() {
    attempt("theme", gainful.theme.open);
    gainful.data.open();
    attempt("copy", gainful.copy.open);
    const drawing = draw();
    await gainful.data.load();
    attempt("pair", gainful.pair.open);
    attempt("queries", gainful.queries.open);
    attempt("query", gainful.query.open);
    gainful.pair.changed(redraw);
    await drawing;
    performance.mark("gainful-ready");
  }

  start().catch((error) => console.warn(`The page stays as it was written: ${error.message}`));
})((window.gainful = window.gainful || {}));
