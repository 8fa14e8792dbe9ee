"use strict";
// The text comes into the page of its referral, so that it can be judged while it is read; without this, into a new tab.
const said = document.currentScript.dataset;
async function answerTo(form, id) {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.getElementById(id);
  return found ? document.importNode(found, true) : null;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.into && !form.dataset.turns) return;
  event.preventDefault();
  document.activeElement.blur(); // keys are verdicts again
  if (form.dataset.turns) {
    try {
      const next = await answerTo(form, form.dataset.turns);
      if (next) document.getElementById(form.dataset.turns).replaceWith(next);
    } catch {
      form.querySelector("button").textContent = said.silent;
    }
    return;
  }
  const section = document.getElementById(form.dataset.into);
  const body = section.querySelector("div");
  section.hidden = false;
  body.textContent = said.reading;
  try {
    body.replaceChildren((await answerTo(form, "reveal-body")) ?? said.unread);
  } catch {
    body.textContent = said.silent;
  }
  section.scrollIntoView({ block: "start" });
  const first = body.querySelector("mark.deciding");
  if (!first) return;
  const box = first.closest(".text");
  first.classList.add("at"); // j and k go on from here
  box.scrollTop += first.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 4;
});

// The masked passage is read again from the file, once somebody stays: who judges at a glance causes no reading.
const passage = document.querySelector("[data-passage]");
async function readPassage(tries) {
  const answer = await fetch(passage.dataset.passage).catch(() => null);
  if (answer && answer.status === 204 && tries > 0) {
    window.setTimeout(() => readPassage(tries - 1), 2500);
    return;
  }
  const page = answer && answer.status === 200 ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  const found = page && page.getElementById("passage-body");
  if (found && found.textContent.trim()) passage.replaceChildren(document.importNode(found, true));
  else passage.hidden = true; // all that was found is below
}
if (passage) {
  passage.hidden = false; // its words say that it is being read
  window.setTimeout(() => readPassage(4), 350);
}

// j and k lead from mark to mark.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !["j", "k"].includes(event.key)) return;
  if (document.activeElement.matches("textarea, select, input:not([type=checkbox])") || document.querySelector("dialog[open]")) return;
  const marks = [...document.querySelectorAll("#reveal-body .text mark")];
  if (!marks.length) return;
  const before = marks.findIndex((mark) => mark.classList.contains("at"));
  const step = event.key === "j" ? 1 : -1;
  const next = before < 0 ? (step > 0 ? 0 : marks.length - 1) : (before + step + marks.length) % marks.length;
  if (before >= 0) marks[before].classList.remove("at");
  marks[next].classList.add("at");
  marks[next].scrollIntoView({ block: "center" });
});
