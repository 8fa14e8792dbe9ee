"use strict";
// Places count characters as the service does, not the code units of JavaScript, so the text is kept as characters.
const given = JSON.parse(document.getElementById("marking-data").textContent);
const characters = Array.from(given.text);
const words = [];
characters.forEach((each, place) => {
  if (/\s/.test(each)) return;
  if (place && words.length && words[words.length - 1][1] === place) words[words.length - 1][1] = place + 1;
  else words.push([place, place + 1]);
});
const page = (id) => document.getElementById(id);
const box = page("marked-text"), form = page("marking-form"), state = page("marking-state");
let marks = given.marks.map((mark) => [...mark]);
let chosen = -1; // the mark that keys act on
let cursor = [0, 0]; // the first and the last selected word

const options = (id, names) => names.forEach((name) => page(id).add(new Option(name.replaceAll("_", " ").toLowerCase(), name)));
options("category", given.categories);
options("identifier", given.identifiers);

function selected() {
  const picked = window.getSelection();
  if (picked.rangeCount && !picked.isCollapsed && box.contains(picked.anchorNode) && box.contains(picked.focusNode)) {
    const range = picked.getRangeAt(0), before = range.cloneRange();
    before.selectNodeContents(box);
    before.setEnd(range.startContainer, range.startOffset);
    const start = Array.from(before.toString()).length;
    return [start, start + Array.from(range.toString()).length];
  }
  return words.length ? [words[Math.min(...cursor)][0], words[Math.max(...cursor)][1]] : [0, 0];
}

function draw() {
  marks.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const [from, to] = words.length ? [words[Math.min(...cursor)][0], words[Math.max(...cursor)][1]] : [0, 0];
  const cuts = new Set([0, characters.length, from, to]);
  marks.forEach((mark) => cuts.add(mark[0]).add(mark[1]));
  const places = [...cuts].sort((one, other) => one - other);
  const pieces = [];
  for (let number = 0; number + 1 < places.length; number += 1) {
    const [start, end] = [places[number], places[number + 1]];
    const piece = characters.slice(start, end).join("");
    const at = marks.findIndex((mark) => mark[0] <= start && end <= mark[1]);
    const element = document.createElement(at >= 0 ? "mark" : "span");
    element.textContent = piece;
    if (at >= 0) {
      element.title = `${marks[at][2].replaceAll("_", " ")}, ${marks[at][3].toLowerCase()}${marks[at][4] ? `, entity ${marks[at][4]}` : ""}`;
      element.classList.toggle("at", at === chosen);
      element.addEventListener("click", () => choose(at));
    }
    if (document.activeElement === box && from <= start && end <= to) element.classList.add("words");
    pieces.push(element);
  }
  box.replaceChildren(...pieces);
  const one = marks[chosen];
  state.textContent = `${marks.length} marked${one ? `; chosen: ${one[2].replaceAll("_", " ")}, ${one[3].toLowerCase()}${one[4] ? `, entity ${one[4]}` : ""}` : ""}`;
}

function choose(at) {
  chosen = at;
  if (marks[at]) [page("category").value, page("identifier").value] = [marks[at][2], marks[at][3]];
  draw();
  const shown = box.querySelector("mark.at");
  if (shown) shown.scrollIntoView({ block: "nearest" });
}

page("mark-add").addEventListener("click", () => {
  const [start, end] = selected();
  if (start >= end || marks.some((mark) => mark[0] === start && mark[1] === end)) return;
  marks = marks.filter((mark) => mark[1] <= start || end <= mark[0]); // a new mark replaces what it overlaps
  marks.push([start, end, page("category").value, page("identifier").value, 0]);
  marks.sort((one, other) => one[0] - other[0]);
  window.getSelection().removeAllRanges();
  choose(marks.findIndex((mark) => mark[0] === start));
});
page("mark-remove").addEventListener("click", () => {
  if (!marks[chosen]) return;
  marks.splice(chosen, 1);
  choose(Math.min(chosen, marks.length - 1));
});
page("mark-same").addEventListener("click", () => {
  if (!marks[chosen] || chosen === 0) return;
  const entity = marks[chosen - 1][4] || Math.max(0, ...marks.map((mark) => mark[4])) + 1;
  marks[chosen - 1][4] = marks[chosen][4] = entity;
  draw();
});
["category", "identifier"].forEach((id, place) => page(id).addEventListener("change", (event) => {
  if (marks[chosen]) marks[chosen][2 + place] = event.target.value;
  draw();
}));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.activeElement.matches("select, input, textarea")) return;
  if (["j", "k"].includes(event.key) && marks.length) choose((chosen + (event.key === "j" ? 1 : -1) + marks.length) % marks.length);
  else if (event.key === "c" || event.key === "i") {
    event.preventDefault();
    page(event.key === "c" ? "category" : "identifier").focus();
  } else if (["ArrowLeft", "ArrowRight"].includes(event.key) && document.activeElement === box && words.length) {
    event.preventDefault();
    window.getSelection().removeAllRanges();
    const last = Math.min(words.length - 1, Math.max(0, cursor[1] + (event.key === "ArrowRight" ? 1 : -1)));
    cursor = [event.shiftKey ? cursor[0] : last, last];
    draw();
  }
});
box.addEventListener("focus", draw);
form.addEventListener("submit", () => { form.elements.spans.value = JSON.stringify(marks); });

const differences = page("marking-differences");
if (differences) {
  const [first, second] = given.others.map((side) => new Set(side.map((mark) => JSON.stringify(mark))));
  [["one", first, second], ["the other", second, first]].forEach(([who, ours, theirs]) => ours.forEach((mark) => {
    if (theirs.has(mark)) return;
    const button = document.createElement("button"), [start, end, category, identifier] = JSON.parse(mark), item = document.createElement("li");
    button.type = "button";
    button.textContent = `Take from ${who}: ${category.replaceAll("_", " ")}, ${identifier.toLowerCase()}, characters ${start} to ${end}`;
    button.addEventListener("click", () => {
      marks = [...marks.filter((each) => each[1] <= start || end <= each[0]), JSON.parse(mark)].sort((one, other) => one[0] - other[0]);
      choose(marks.findIndex((each) => each[0] === start));
    });
    item.append(button);
    differences.append(item);
  }));
}
draw();
