"use strict";
// The search: parts without a match are hidden, those with one are unfolded until the box is empty again.
const MOST = 5000;
const bar = document.getElementById("search");
const box = document.getElementById("box");
const found = document.getElementById("found");
const parts = [...document.querySelectorAll("details.part")].map(read);
let matches = [];
let at = -1;
let before = null;

// A part with its own text, without that of the parts inside it. Matches may cross elements.
function read(element) {
  const part = { element, nodes: [], starts: [], text: "" };
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("details.part") !== element) continue;
    part.nodes.push(node);
    part.starts.push(part.text.length);
    part.text += folded(node.data);
  }
  return part;
}

// In lower case, if that is as long: `İ` becomes two.
function folded(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function place(part, offset) {
  let low = 0;
  let high = part.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (part.starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return [part.nodes[low], offset - part.starts[low]];
}

function rangeOf(part, start, end) {
  const range = document.createRange();
  range.setStart(...place(part, start));
  const [node, offset] = place(part, end - 1);
  range.setEnd(node, offset + 1);
  return range;
}

function matchesIn(part, wanted) {
  const ranges = [];
  for (let from = part.text.indexOf(wanted); from >= 0 && ranges.length < MOST; ) {
    ranges.push(rangeOf(part, from, from + wanted.length));
    from = part.text.indexOf(wanted, from + wanted.length);
  }
  return ranges;
}

function search() {
  const wanted = folded(box.value);
  matches = [];
  at = -1;
  if (!wanted) {
    restore();
    return;
  }
  before ??= parts.map((part) => part.element.open);
  const hits = new Set();
  let count = 0;
  for (const part of parts) {
    const ranges = matchesIn(part, wanted);
    if (!ranges.length) continue;
    count += 1;
    matches.push(...ranges);
    for (let above = part.element; above; above = above.parentElement.closest("details.part")) hits.add(above);
  }
  parts.forEach(({ element }, index) => {
    element.classList.toggle("miss", !hits.has(element));
    element.open = hits.has(element) || before[index];
  });
  found.value = matches.length ? `${matches.length} in ${count} of ${parts.length} parts` : "no match";
  mark("match", matches.slice(0, MOST));
  mark("current", []);
}

function restore() {
  parts.forEach(({ element }, index) => {
    element.classList.remove("miss");
    if (before) element.open = before[index];
  });
  before = null;
  found.value = "";
  mark("match", []);
  mark("current", []);
}

function mark(name, ranges) {
  if (!CSS.highlights) return; // older browsers show the parts alone
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

function step(by) {
  if (!matches.length) return;
  at = (at + by + matches.length) % matches.length;
  found.value = `${at + 1} of ${matches.length}`;
  mark("current", [matches[at]]);
  for (let above = matches[at].startContainer.parentElement; above; above = above.parentElement) {
    if (above.tagName === "DETAILS") above.open = true; // a reason's conditions
  }
  const { top } = matches[at].getBoundingClientRect();
  window.scrollBy(0, top - window.innerHeight / 2);
}

function foldAll(open) {
  for (const { element } of parts) element.open = open;
}

bar.hidden = false;
box.addEventListener("input", search);
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter") step(at < 0 || !event.shiftKey ? 1 : -1);
  if (event.key === "Escape") {
    box.value = "";
    search();
  }
});
document.getElementById("unfold").addEventListener("click", () => foldAll(true));
document.getElementById("fold").addEventListener("click", () => foldAll(false));
