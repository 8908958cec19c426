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
