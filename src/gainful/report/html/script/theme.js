"use strict";
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
    const kept = remembered();
    let theme = THEMES.includes(kept) ? kept : "auto";
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
