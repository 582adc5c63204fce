// What the page does beyond forms: streams answers, shows sources beside citations, copies, uploads with progress.
// Everything shown comes from the server as finished HTML.
"use strict";

const live = () => document.getElementById("live");
const near = () => window.innerHeight + window.scrollY > document.body.offsetHeight - 200;
const toEnd = () => window.scrollTo({ top: document.body.offsetHeight });

function follow(turn) {
  if (turn.dataset.following) return;
  turn.dataset.following = "yes";
  const events = new EventSource(turn.dataset.stream);
  events.addEventListener("status", (event) => { turn.querySelector("[data-status]").textContent = event.data; });
  events.addEventListener("answer", (event) => {
    const atEnd = near();
    turn.querySelector("[data-answer]").innerHTML = event.data;
    if (atEnd) toEnd();
  });
  events.addEventListener("turn", (event) => {
    events.close();
    const atEnd = near(), inside = turn.contains(document.activeElement);
    const made = document.createElement("template");
    made.innerHTML = event.data.trim();
    const next = made.content.firstElementChild;
    turn.replaceWith(next);
    htmx.process(next);
    live().textContent = live().dataset.answered;
    if (inside) document.getElementById("question").focus();
    if (atEnd) toEnd();
  });
}

function followAll() {
  document.querySelectorAll("[data-stream]").forEach(follow);
}

// Cards beside citations, tips beside underlined sentences: by pointer and by keyboard, closed by Escape.
let closing = 0;
function place(box, by) {
  const at = by.getBoundingClientRect();
  box.hidden = false;
  const left = Math.min(Math.max(at.left - 20, 16), window.innerWidth - box.offsetWidth - 16);
  const below = at.bottom + box.offsetHeight + 12 < window.innerHeight || at.top < box.offsetHeight + 12;
  box.style.left = `${left + window.scrollX}px`;
  box.style.top = `${(below ? at.bottom + 6 : at.top - box.offsetHeight - 6) + window.scrollY}px`;
}
function show(target) {
  clearTimeout(closing);
  const card = document.getElementById("card"), tip = document.getElementById("tip");
  if (!card || !target) return;
  if (target.dataset.card) {
    const content = document.getElementById(target.dataset.card);
    if (!content) return;
    card.replaceChildren(content.content.cloneNode(true));
    tip.hidden = true;
    place(card, target);
  } else {
    tip.textContent = target.dataset.tip;
    card.hidden = true;
    target.setAttribute("aria-describedby", "tip");
    place(tip, target);
  }
}
function hide(delay = 200) {
  clearTimeout(closing);
  closing = setTimeout(() => {
    for (const name of ["card", "tip"]) {
      const box = document.getElementById(name);
      if (box) box.hidden = true;
    }
  }, delay);
}
const marked = (event) => event.target instanceof Element ? event.target.closest("[data-card], [data-tip]") : null;
document.addEventListener("pointerover", (event) => {
  if (marked(event)) show(marked(event));
  else if (event.target instanceof Element && event.target.closest("#card")) clearTimeout(closing);
  else hide();
});
document.addEventListener("focusin", (event) => {
  if (marked(event)) show(marked(event));
  else if (!event.target.closest("#card")) hide(0);
});

document.addEventListener("click", (event) => {
  const chip = event.target.closest("a.chip");
  if (chip) {
    const entry = document.getElementById(chip.hash.slice(1));
    if (entry) entry.querySelector("details").open = true;
  }
  const button = event.target.closest("[data-copy]");
  if (button) {
    const text = document.getElementById(`copy-${button.dataset.copy}`).content.textContent.trim();
    navigator.clipboard.writeText(text).then(() => {
      const before = button.textContent;
      button.textContent = live().textContent = live().dataset.copied;
      setTimeout(() => { button.textContent = before; }, 1500);
    });
  }
  document.querySelectorAll("details.pick[open]").forEach((pick) => {
    if (!pick.contains(event.target)) pick.open = false;
  });
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    hide(0);
    document.querySelectorAll("details.pick[open]").forEach((pick) => { pick.open = false; });
  }
  if (event.target.id === "question" && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target;
  if (form.id === "composer" && event.detail.successful && !event.detail.xhr.getResponseHeader("HX-Retarget")) {
    form.question.value = "";
    document.getElementById("notices").replaceChildren();
    followAll();
    toEnd();
  }
});
document.addEventListener("htmx:afterSwap", followAll);
document.addEventListener("htmx:sendError", () => notice("Kontextwerk antwortet nicht. · Kontextwerk does not answer."));
document.addEventListener("htmx:responseError", (event) => notice(event.detail.xhr.responseText.slice(0, 300)));

function notice(text) {
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  document.getElementById("notices").replaceChildren(line);
}

// Upload: dropped or chosen files go up at once, with progress.
function upload(form, files) {
  const data = new FormData();
  for (const file of files) data.append("files", file);
  const progress = form.querySelector("progress"), request = new XMLHttpRequest();
  progress.hidden = false;
  request.upload.addEventListener("progress", (event) => { progress.value = event.loaded / (event.total || 1); });
  request.addEventListener("load", () => {
    progress.hidden = true;
    form.reset();
    if (request.status !== 200) { notice(request.responseText.slice(0, 300)); return; }
    const rows = document.getElementById("rows");
    htmx.swap(rows, request.responseText, { swapStyle: "outerHTML" });
  });
  request.addEventListener("error", () => { progress.hidden = true; notice("Kontextwerk antwortet nicht. · Kontextwerk does not answer."); });
  request.open("POST", form.action);
  request.setRequestHeader("X-Requested-With", "page");
  request.send(data);
}
function prepareUpload() {
  const form = document.getElementById("upload");
  if (!form) return;
  form.querySelector("button").hidden = true;
  form.files.addEventListener("change", () => { if (form.files.files.length) upload(form, form.files.files); });
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => { event.preventDefault(); form.classList.add("over"); });
  }
  for (const kind of ["dragleave", "drop"]) {
    document.addEventListener(kind, (event) => { event.preventDefault(); form.classList.remove("over"); });
  }
  document.addEventListener("drop", (event) => { if (event.dataTransfer.files.length) upload(form, event.dataTransfer.files); });
}

// The menu is folded where the page is narrow, and stands at the side where it is wide: also when that changes.
const isNarrow = window.matchMedia("(max-width: 52rem)");
const fold = () => { document.getElementById("side").open = !isNarrow.matches; };
isNarrow.addEventListener("change", fold);
fold();
prepareUpload();
followAll();
if (document.querySelector(".turn") && !location.hash) toEnd();
