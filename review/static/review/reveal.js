"use strict";
// The text comes into the page of its referral, so that it can be judged while it is read; without this, into a new tab.
document.querySelectorAll("form[data-into]").forEach((form) => {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const section = document.getElementById(form.dataset.into);
    const body = section.querySelector("div");
    section.hidden = false;
    body.textContent = "Reading the file …";
    document.activeElement.blur(); // keys are verdicts again
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.getElementById("reveal-body");
      body.replaceChildren(found ? document.importNode(found, true) : "The text could not be read. Load the page again.");
    } catch {
      body.textContent = "The service does not answer. Try again in a moment.";
    }
    section.scrollIntoView({ block: "nearest" });
  });
});

// j and k lead from mark to mark.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !["j", "k"].includes(event.key)) return;
  if (document.activeElement.matches("textarea, select, input:not([type=checkbox])") || document.querySelector("dialog[open]")) return;
  const marks = [...document.querySelectorAll(".text mark")];
  if (!marks.length) return;
  const before = marks.findIndex((mark) => mark.classList.contains("at"));
  const step = event.key === "j" ? 1 : -1;
  const next = before < 0 ? (step > 0 ? 0 : marks.length - 1) : (before + step + marks.length) % marks.length;
  if (before >= 0) marks[before].classList.remove("at");
  marks[next].classList.add("at");
  marks[next].scrollIntoView({ block: "center" });
});
