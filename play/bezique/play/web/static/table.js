/* The table comes alive: forms are sent without leaving the page.
 *
 * The server paints everything, with this script and without it.  What it answers is the page
 * of the table; the page shown is changed to match, node by node, by keys, so that focus,
 * pictures and open menus stay.  Cards then slide from where they were to where they are.
 *
 * Terms
 *   told    what the page says of itself as JSON: the items of this hand, whose turn it is
 *   stage   what is shown between two tables: a card on its way, the finished trick
 *   hand    the player's cards; one of them takes part in tabbing, arrows go to the others
 */

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const words = JSON.parse($("#strings")?.textContent ?? "{}");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const SLIDE = { duration: 330, easing: "cubic-bezier(.2,.75,.25,1)", fill: "backwards" };
const HOLD = { slow: Infinity, normal: 1500, fast: 450 };
const TOAST = { slow: 4500, normal: 2600, fast: 1200 };

let busy = false;
let skipHold = null; // ends the time for which a finished trick is held
let keyed = false; // the last thing done was done by a key
let moving = null; // the card that is being put in another place of the own order

const board = () => $("main.board");
const told = (root = document) => JSON.parse($("#told", root).textContent);
const cards = () => $$("#hand button.card");

/* --- changing a page into another ------------------------------------------------------ */

const keyOf = (node) => (node.nodeType === 1 && (node.dataset.key || node.id)) || null;
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function become(node, wanted) {
  if (node.nodeType !== 1) {
    if (node.data !== wanted.data) node.data = wanted.data;
    return;
  }
  for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  for (const { name, value } of [...wanted.attributes]) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const keyed = new Map([...node.children].filter(keyOf).map((child) => [keyOf(child), child]));
  let here = node.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = keyOf(next);
    const found = key ? keyed.get(key) : here && alike(here, next) ? here : null;
    if (!found || found.nodeName !== next.nodeName) {
      node.insertBefore(document.importNode(next, true), here);
    } else {
      if (found === here) here = here.nextSibling;
      else node.insertBefore(found, here);
      become(found, next);
    }
  }
  while (here) {
    const after = here.nextSibling;
    here.remove();
    here = after;
  }
}

/* --- motion ----------------------------------------------------------------------------- */

const ZONES = ["#last", "#laid-machine", "#hand", "#oval"]; // the later tells where a card was
const PARTS = ["#pile", "#me .bar"]; // they go along where a panel opens or closes
/* Where a card lies: its middle, and how wide it is when it lies straight. */
function spot(node) {
  const box = node?.getBoundingClientRect();
  return box?.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2, wide: node.offsetWidth } : null;
}
const ofStock = () => spot($$("#pile .bk .card").at(-1) ?? $("#pile .tu .card"));
const ofFan = () => spot($("#fan .card:last-child") ?? $("#opp .who"));

function places() {
  const found = new Map();
  const turned = $("#pile .tu");
  if (turned) found.set(turned.dataset.turned, { ...spot(turned.firstElementChild), angle: 90 });
  for (const zone of ZONES) {
    for (const card of $$(`${zone} [data-card]`)) found.set(card.dataset.card, spot(card));
  }
  const open = (node, id) => ({ id, from: found.get(id), face: node.cloneNode(true) });
  const laid = $$("#laid-machine [data-card]").map((card) => open(card.firstElementChild, card.dataset.card));
  if (turned) laid.push(open($("img", turned).closest("picture") ?? $("img", turned), turned.dataset.turned));
  return {
    cards: found, stock: ofStock(), laid, turned: turned?.dataset.turned,
    fan: $$("#fan .card").length, trick: $$("#oval .card").map((card) => open(card.firstElementChild, card.dataset.card)), parts: PARTS.map((part) => spot($(part))),
  };
}

/* Move a card from a spot to where it is; half way it may turn over, and what covered it goes.
   Above all others it flies unless it stays in its row, whose order would break at the end. */
function slide(card, from, { delay = 0, cover = null, above = true } = {}) {
  const to = spot(card);
  if (still.matches || !from || !to) return;
  const [x, y] = [from.x - to.x, from.y - to.y];
  if (Math.hypot(x, y) < 2) return;
  const scale = Math.min(from.wide / to.wide, 1.6);
  const angle = from.angle ? ` rotate(${from.angle}deg)` : "";
  const start = `translate(${x}px,${y}px) scale(${scale})${angle}`;
  const half = `translate(${x / 2}px,${y / 2}px) scale(.02,${(1 + scale) / 2})`; // on its edge
  const end = getComputedStyle(card).transform;
  const times = { ...SLIDE, delay };
  const moved = card.animate({ transform: cover ? [start, half, end] : [start, end] }, times);
  if (above) card.animate({ zIndex: [4, 4] }, times);
  if (!cover) return;
  cover.classList.add("cover");
  card.append(cover);
  cover.animate({ opacity: [1, 1, 0, 0], offset: [0, 0.5, 0.5, 1] }, { ...times, fill: "both" });
  moved.finished.catch(() => null).then(() => cover.remove());
}

const back = () => Object.assign(new Image(), { src: "/static/faces/back.svg", alt: "" });

function settle(before) {
  const stock = ofStock() ?? before.stock ?? spot($("#between"));
  let drawn = 0;
  for (const zone of ZONES) {
    for (const card of $$(`${zone} [data-card]`)) {
      const was = before.cards.get(card.dataset.card);
      if (zone === "#hand") slide(card, was ?? stock, was ? { above: false } : { delay: 60 + 60 * drawn++, cover: back(), above: false });
      else if (was) slide(card, was);
      else if (zone !== "#last") slide(card, ofFan(), { delay: 160, cover: back() });
    }
  }
  const seen = new Set($$(".felt [data-card], #pile [data-turned]").map((node) => node.dataset.card ?? node.dataset.turned));
  const taken = before.laid.filter((one) => !seen.has(one.id)); // open cards that the machine now holds
  const fan = $$("#fan .card");
  fan.slice(Math.min(before.fan, fan.length - taken.length)).forEach((card, n) => {
    slide(card, taken[n]?.from ?? stock, { delay: 60 * n, cover: taken[n]?.face });
  });
  const turned = $("#pile .tu"); // it goes under the stock, and with it once it lies there
  if (turned && turned.dataset.turned !== before.turned) slide(turned, before.cards.get(turned.dataset.turned), { above: false });
  PARTS.forEach((part, n) => slide($(part), before.parts[n], { above: false }));
  for (const card of before.trick) if (!spot($(`#oval [data-card="${card.id}"], #last [data-card="${card.id}"]`))) sweep(card);
}

/* A trick that has no place on the cloth flies to its place in the panel. */
function sweep({ id, from, face }) {
  const place = $(`#rack [data-card="${id}"]`);
  const to = spot(place);
  if (still.matches || !to || !from) return;
  const flying = Object.assign(document.createElement("span"), { className: "card flying", ariaHidden: "true" });
  flying.append(face);
  flying.style.setProperty("--card", `${to.wide}px`);
  board().append(flying);
  flying.style.left = `${to.x - to.wide / 2}px`;
  flying.style.top = `${to.y - flying.offsetHeight / 2}px`;
  const start = `translate(${from.x - to.x}px,${from.y - to.y}px) scale(${from.wide / to.wide})`;
  const moved = flying.animate({ transform: [start, "none"] }, SLIDE);
  place.animate({ opacity: [0, 0] }, SLIDE.duration); // it is there once the flying one is
  moved.finished.catch(() => null).then(() => flying.remove());
}

/* --- showing a table -------------------------------------------------------------------------- */

function show(page) {
  const focus = document.activeElement;
  const inside = board().contains(focus) && !focus.closest("aside, nav") ? "hand" : board().contains(focus) ? "side" : keyed ? "hand" : "";
  const id = focus?.dataset?.card ?? focus?.id;
  const before = places();
  for (const part of ["#stats", "main.board", "#menu"]) {
    const [old, now] = [$(part), $(part, page)];
    if (old && now) become(old, now);
  }
  document.title = page.title;
  document.documentElement.dataset.scheme = page.documentElement.dataset.scheme;
  const scheme = 'meta[name$="-scheme"], meta[name="theme-color"]';
  for (const old of $$(scheme)) old.remove();
  document.head.append(...$$(scheme, page));
  arrange();
  rove();
  reveal();
  settle(before);
  if (inside && !document.activeElement?.closest("main.board, dialog")) refocus(inside, id);
}

function refocus(inside, id) {
  const phase = board().dataset.phase;
  const again = id && $(`#hand [data-card="${id}"], #${CSS.escape(id)}`);
  const wanted =
    phase === "declare" ? $("#opts button, #side button")
    : (inside === "hand" && again) || $('#hand button[tabindex="0"]') || $("#mid [data-default]") || $("#mid button");
  (wanted ?? board()).focus({ preventScroll: true });
}

function say(text) {
  $("#said").textContent = text;
}

/* What has happened, for the ear: cards by their whole names, one's own card left out. */
function spoken(items) {
  const silent = new Set(["dealt", "dealer", "hand-over", "cut"]);
  const heard = items.filter((item) => !silent.has(item.code) && !(item.code === "play" && item.by === "me"));
  const played = heard.findLast((item) => item.code === "play");
  return heard
    .filter((item) => item.code !== "play" || item === played)
    .map(({ text, cards: named }) => {
      const row = named.map((card) => card.short).join(" "); // the ear needs a pause between cards
      const whole = text.replace(row, named.map((card) => card.name).join(", "));
      return named.reduce((now, card) => now.replace(card.short, card.name), whole);
    })
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

function line(text) {
  const place = $("#line");
  if (place) place.textContent = text;
  say(text);
}

function toast(text, lost) {
  $(".bubble")?.remove();
  const made = document.createElement("p");
  made.className = lost ? "bubble" : "bubble mine";
  made.textContent = text;
  made.setAttribute("aria-hidden", "true");
  $("#felt").append(made);
  if (!still.matches) made.animate({ opacity: [0, 1] }, { duration: 200 });
  setTimeout(() => made.remove(), TOAST[board().dataset.speed] ?? 2500);
}

/* --- the stage: a card on its way, the finished trick ---------------------------------------------- */

function picture(card, from, hidden = false) {
  const made = document.createElement("span");
  made.className = "card";
  made.dataset.card = card.id;
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", card.name);
  const image = cards().find((one) => one.dataset.face === card.face)?.firstElementChild.cloneNode(true);
  made.append(image ?? faceOf(card.face));
  const slot = $("#oval .slot");
  if (slot) slot.replaceWith(made);
  else $("#oval .trick").append(made);
  slide(made, from, { cover: hidden ? back() : null });
}

function faceOf(face) {
  const made = $("#hand picture, #hand button img, #opp picture, .felt img")?.cloneNode(true) ?? new Image();
  const pattern = /\/(std4?|big4?)\/\w+\.svg|\/back\.svg/;
  for (const node of [made, ...$$("*", made)]) {
    for (const name of ["src", "srcset"]) {
      const value = node.getAttribute?.(name);
      if (value) node.setAttribute(name, value.replace(pattern, (_, kind) => `/${kind ?? "std"}/${face}.svg`));
    }
  }
  return made;
}

function lay(button) {
  const item = button.closest("li");
  const card = { id: button.dataset.card, face: button.dataset.face, name: button.dataset.name };
  if (!$("#oval .slot")) return;
  const before = places();
  picture(card, spot(button));
  item.hidden = true;
  for (const other of cards()) slide(other, before.cards.get(other.dataset.card), { above: false });
}

async function finish(page, since) {
  const now = told(page);
  const fresh = now.items.filter((item) => item.n >= since);
  const trick = fresh.findLast((item) => item.code === "trick");
  if (!trick || !$("#oval .trick")) return;
  const shown = new Set($$("#oval [data-card]").map((card) => card.dataset.card));
  for (const card of trick.cards) {
    if (shown.has(card.id)) continue;
    await wait(still.matches ? 0 : 260);
    const open = $(`#hand [data-card="${card.id}"], #laid-machine [data-card="${card.id}"]`);
    picture(card, spot(open) ?? ofFan(), !open);
    (open?.closest("#laid-machine") ? open.parentElement : open ? null : $("#fan .card:last-child"))?.remove();
  }
  await Promise.allSettled($$("#oval .card").flatMap((card) => card.getAnimations()).map((one) => one.finished));
  $$("#oval .slot").forEach((slot) => slot.remove());
  if (now.phase === "declare" && now.turn === "me") return; // the table itself shows it
  const mine = trick.by === "me";
  const points = fresh.filter((item) => item.code === "points" && item.n === trick.n && item.by === trick.by).reduce((sum, item) => sum + item.points, 0);
  $(`#oval [data-card="${now.winning?.[trick.n] ?? ""}"]`)?.classList.add("win");
  const flag = document.createElement("p");
  flag.className = mine ? "toast" : "toast lost";
  flag.textContent = (mine ? words.win : words.lose) + (points ? ` · +${points}` : "");
  const more = document.createElement("div");
  more.className = "go-on";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = words.go;
  more.append(button);
  $("#oval").append(flag, more);
  if ($("#line")) $("#line").textContent = words.tap;
  const slow = HOLD[board().dataset.speed] === Infinity;
  if (slow && !document.activeElement?.closest("main.board")) button.focus({ preventScroll: true });
  await held(HOLD[board().dataset.speed] ?? HOLD.normal);
  flag.remove();
  more.remove();
}

function held(ms) {
  return new Promise((done) => {
    const timer = ms === Infinity ? 0 : setTimeout(() => skipHold?.(), ms);
    skipHold = () => {
      clearTimeout(timer);
      skipHold = null;
      done();
    };
  });
}

/* --- asking the server ---------------------------------------------------------------------------- */

async function ask(url, options = {}) {
  const answer = await fetch(url, { ...options, headers: { Accept: "text/html", ...options.headers } });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/* Faces that a page brings for the first time: a card is not to be blank on its way. */
const known = new Set();

async function fetched(page) {
  const source = (image) => $("source", image.closest("picture") ?? image);
  const chosen = (image) => (matchMedia(source(image)?.media ?? "not all").matches ? source(image).srcset : image.getAttribute("src"));
  const fresh = [...new Set($$("main.board img", page).map(chosen))].filter((src) => !known.has(src));
  const loads = fresh.map((src) => {
    known.add(src);
    return Object.assign(new Image(), { src }).decode().catch(() => known.delete(src));
  });
  await Promise.race([Promise.all(loads), wait(400)]);
}

async function send(form, button) {
  if (busy) return;
  if (button?.dataset.warning && !(await sure(button.dataset.warning))) return;
  busy = true;
  board().dataset.busy = "";
  const body = new URLSearchParams(new FormData(form, button));
  const since = Number(body.get("seq"));
  try {
    if (button?.matches("#hand button")) lay(button);
    const page = await ask(form.getAttribute("action"), { method: "POST", body });
    if (!$("main.board", page)) {
      location.reload();
      return;
    }
    const faces = fetched(page);
    if (!$("#notice", page)) await finish(page, since);
    await faces;
    show(page);
    const fresh = told(page).items.filter((item) => item.n >= since);
    if (!$("#notice", page)) say(spoken(fresh)); // a notice is told by being there
    const shown = fresh.filter((item) => item.shows);
    const last = shown.findLast((item) => item.by === "machine") ?? shown.at(-1);
    if (last && !["deal", "over"].includes(board().dataset.phase)) toast(last.text, last.by === "machine");
  } catch {
    $$("#hand li[hidden]").forEach((item) => (item.hidden = false));
    $$("#oval .card").forEach((card) => cards().some((own) => own.dataset.card === card.dataset.card) && card.remove());
    line(words.offline);
  } finally {
    busy = false;
    delete board()?.dataset.busy;
  }
}

async function refresh() {
  if (busy || !board()) return;
  const page = await ask(board().dataset.url).catch(() => null);
  if (page && !busy && $("main.board", page) && told(page).seq !== told().seq) show(page);
}

/* --- dialogs -------------------------------------------------------------------------------------------- */

function opened(title) {
  const dialog = $("#dlg");
  $("#dlg-title").textContent = title;
  if (!dialog.open) dialog.showModal();
  return $(".dlg-body", dialog);
}

async function openPage(url) {
  const page = await ask(url).catch(() => null);
  const main = page && $("main.page", page);
  if (!main) {
    location.href = url;
    return;
  }
  const place = opened($("h1", main)?.textContent ?? "");
  place.replaceChildren(document.importNode(main, true));
  $("main", place).replaceWith(Object.assign(document.createElement("div"), { className: "page narrow" }));
  $(".page", place).append(...document.importNode(main, true).children);
  $("h1", place)?.remove();
  place.scrollTop = 0;
  reveal();
  const hint = $("[data-hint]", place)?.dataset.hint;
  if (hint) $(`#hand [data-card="${hint}"]`)?.classList.add("hint-card");
}

function openLast() {
  const trick = told().items.findLast((item) => item.code === "trick");
  if (!trick) return;
  const winner = told().winning[trick.n];
  const place = opened(words.last);
  const row = document.createElement("div");
  row.className = "trick big";
  for (const card of trick.cards) {
    const made = document.createElement("span");
    made.className = card.id === winner ? "card win" : "card";
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", card.name);
    made.append(faceOf(card.face));
    row.append(made);
  }
  const text = document.createElement("p");
  text.textContent = trick.text;
  place.replaceChildren(row, text);
}

function sure(text) {
  const dialog = $("#sure");
  $("#sure-text").textContent = text;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true }));
}

async function check(button) {
  const root = button.closest(".panel, .page, main");
  const bytes = new TextEncoder().encode($("#sealed", root).textContent);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const out = $("#checked", root);
  const same = hex === $("#hash", root).textContent.trim();
  out.className = same ? "good" : "bad";
  out.textContent = same ? `✓ ${out.dataset.same}` : `✕ ${out.dataset.other}`;
}

/* --- a review: from trick to trick ----------------------------------------------------------------------------- */

let turning = Promise.resolve(); // steps are taken one after the other

function turnTo(url, name) {
  turning = turning.then(async () => {
    const page = await ask(url).catch(() => null);
    const [old, now] = [$("main.page"), page && $("main.page", page)];
    if (!now) return location.assign(url);
    become(old, now);
    reveal();
    history.replaceState(null, "", url);
    const place = name ? `[data-go="${name}"]` : "#strip [aria-current]";
    if (document.activeElement === document.body) $(place)?.focus({ preventScroll: true });
    say(`${$("#trick-title").textContent}. ${$("#trick .told")?.innerText.replace(/\s+/g, " ") ?? ""}`);
  });
}

function turnKey(event) {
  if (!$("[data-steps]") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (event.target.closest("input, select, textarea, summary")) return false;
  const name = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "end" }[event.key];
  const link = name && $(`[data-go="${name}"]`);
  if (link && link.getAttribute("aria-disabled") !== "true") turnTo(link.href, name);
  return Boolean(link);
}

/* --- the hand: roving focus, own order ----------------------------------------------------------------------- */

function rove(to) {
  const all = cards();
  const chosen = to ?? all.find((card) => card.tabIndex === 0 && card.hasAttribute("tabindex") && card.name) ?? all.find((card) => card.name) ?? all[0];
  for (const card of all) card.tabIndex = card === chosen ? 0 : -1;
  if (to) to.focus();
}

const orderKey = () => `bezique-order ${board().dataset.url.split("/").at(-1)}`;
const own = () => $("#hand")?.dataset.sort === "own";

function arrange() {
  if (!own()) return;
  const order = JSON.parse(localStorage.getItem(orderKey()) ?? "[]");
  const place = (item) => (order.indexOf(item.dataset.key) + 1 || 99);
  const items = [...$("#hand").children];
  const sorted = items.toSorted((a, b) => a.classList.contains("tb") - b.classList.contains("tb") || place(a) - place(b));
  if (sorted.some((item, n) => item !== items[n])) $("#hand").append(...sorted);
  sorted.forEach((item, n) => {
    const key = $(".key", item);
    if (key) key.textContent = String((n + 1) % 10);
    item.classList.toggle("tb-first", item.classList.contains("tb") && !sorted[n - 1]?.classList.contains("tb") && n > 0);
  });
}

function reorder(card, by) {
  const items = [...$("#hand").children];
  const from = items.indexOf(card.closest("li"));
  const to = from + by;
  if (!items[to] || items[to].classList.contains("tb") !== items[from].classList.contains("tb")) return;
  const before = places();
  card.style.translate = "";
  const order = items.map((item) => item.dataset.key);
  order.splice(to, 0, ...order.splice(from, 1));
  localStorage.setItem(orderKey(), JSON.stringify(order));
  arrange();
  settle(before);
  card.focus();
}

function takePlace(card) {
  if (!moving) {
    moving = card;
    card.classList.add("moving");
    say(words.where);
    return;
  }
  const items = [...$("#hand").children];
  const by = items.indexOf(card.closest("li")) - items.indexOf(moving.closest("li"));
  moving.classList.remove("moving");
  const taken = moving;
  moving = null;
  if (by) reorder(taken, by);
}

/* In the own order a card that is pulled goes along, and stays where it is let go. */
let pulled = null;
let justPut = false; // the click that follows is no play

function pull(event) {
  if (!event.isPrimary) return; // a second finger leaves to the first what it pulls
  const card = event.target.closest?.("#hand button.card");
  justPut = false;
  pulled = card && own() && event.button === 0 && !busy ? { card, x: event.clientX, by: 0 } : null;
}

function pullOn(event) {
  if (!pulled || !event.isPrimary) return;
  const by = event.clientX - pulled.x;
  if (!pulled.by && Math.abs(by) < 9) return;
  if (!pulled.by) pulled.card.setPointerCapture(event.pointerId);
  pulled.by = by || 1;
  pulled.card.classList.add("pulled");
  pulled.card.style.translate = `${by}px`;
}

function put(event) {
  if (!event.isPrimary) return;
  if (!pulled?.by) return (pulled = null);
  const { card, by } = pulled;
  pulled = null;
  justPut = event.type === "pointerup";
  setTimeout(() => (justPut = false)); // none follows a finger, and a key's click is to play
  card.classList.remove("pulled");
  const item = card.closest("li");
  const items = [...$("#hand").children];
  const left = (one) => one.getBoundingClientRect().left;
  const near = items.filter((one) => one.classList.contains("tb") === item.classList.contains("tb"));
  const far = (one) => Math.abs(left(one) - left(item) - by);
  const place = justPut ? near.reduce((best, one) => (far(one) < far(best) ? one : best), item) : item;
  if (place !== item) return reorder(card, items.indexOf(place) - items.indexOf(item));
  const before = places();
  card.style.translate = "";
  settle(before);
}

/* What only a script can do: tell times where the player is, open what opens in the page. */
function reveal() {
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of $$("time[datetime]")) time.textContent = clock.format(new Date(time.dateTime));
  for (const item of $$("[data-open][hidden], [data-check][hidden]")) item.hidden = false;
  const button = $("#arrange");
  if (button) button.hidden = !own();
}

/* --- what the player does --------------------------------------------------------------------------------------- */

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!board()) return;
  if (form.matches("[data-moves]")) {
    event.preventDefault();
    $("#dlg")?.close();
    send(form, event.submitter);
  } else if (form.matches("[data-inside]")) {
    event.preventDefault();
    openPage(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`);
  } else if (form.matches("[data-quiet]") || (form.closest("#dlg") && form.method === "post")) {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    ask(form.getAttribute("action"), { method: "POST", body })
      .then((page) => ($("main.board", page) ? show(page) : location.reload()))
      .catch(() => line(words.offline));
    $("#dlg").close();
  }
});

document.addEventListener("click", (event) => {
  const menu = $("#menu[open]");
  if (menu && !event.target.closest("#menu > div form") && !menu.contains(event.target)) menu.open = false;
  const checker = event.target.closest("[data-check]");
  if (checker) check(checker);
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const step = event.target.closest("[data-go]");
  if (step && plain) {
    event.preventDefault();
    if (step.getAttribute("aria-disabled") !== "true") turnTo(step.href, step.dataset.go);
    if (step.closest("#strip")) $("#trick").scrollIntoView({ block: "nearest", behavior: still.matches ? "auto" : "smooth" });
  }
  if (!board()) return;
  if (event.target.closest("dialog [data-close]")) {
    event.preventDefault();
    event.target.closest("dialog").close();
    return;
  }
  if (skipHold && !event.target.closest("dialog, header, aside a, nav")) {
    event.preventDefault();
    skipHold();
    return;
  }
  const link = event.target.closest("a[data-dialog], a[data-last]");
  if (link && plain) {
    event.preventDefault();
    if (menu) menu.open = false;
    if (link.matches("[data-last]")) openLast();
    else openPage(link.href);
  }
  const opener = event.target.closest("[data-open]");
  if (opener) {
    if (menu) menu.open = false;
    $(`#${opener.dataset.open}`).showModal();
  }
  if (event.target.closest("#arrange")) {
    const on = $("#hand").classList.toggle("arranging");
    event.target.closest("#arrange").setAttribute("aria-pressed", String(on));
    moving?.classList.remove("moving");
    moving = null;
    if (on) say(words.which);
    return;
  }
  const card = event.target.closest("#hand button.card");
  if (card && $("#hand").classList.contains("arranging")) {
    event.preventDefault();
    takePlace(card);
  } else if (card?.dataset.reason) {
    line(card.dataset.reason);
    if (!still.matches) card.animate({ translate: ["0", "-5px", "5px", "0"] }, { duration: 180 });
  }
  if (event.target instanceof HTMLDialogElement) event.target.close(); // the ground behind it
});

const LETTERS = { c: ".top a[data-dialog]", r: '#menu a[href$="/rules"]' };
const lettersOn = () => localStorage.getItem("bezique-letters") !== "off";

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !board()) return false;
  if ($("dialog[open]") || event.target.closest("input, select, textarea, details")) return false;
  if (skipHold && ["Enter", " ", "d", "D"].includes(event.key)) return skipHold(), true;
  const all = cards();
  const at = all.indexOf(document.activeElement);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step && all.length) {
    if (event.shiftKey && at >= 0 && own()) return reorder(all[at], step), true;
    if (at < 0) return rove(all.find((card) => card.tabIndex === 0)), true;
    return rove(all[(at + step + all.length) % all.length]), true;
  }
  const options = $$("#opts button");
  if ((event.key === "ArrowDown" || event.key === "ArrowUp") && options.length) {
    const list = $$("#opts button, .skip");
    const now = list.indexOf(document.activeElement);
    const by = event.key === "ArrowDown" ? 1 : -1;
    return list[(now + by + list.length) % list.length].focus(), true;
  }
  if (at >= 0 && event.key === "Home") return rove(all[0]), true;
  if (at >= 0 && event.key === "End") return rove(all.at(-1)), true;
  if (!lettersOn()) return false;
  if (event.key === "?") return $("#help").showModal(), true;
  if (/^\d$/.test(event.key)) {
    const n = (Number(event.key) + 9) % 10;
    const chosen = board().dataset.phase === "declare" ? options[n] : all[n];
    return chosen?.click(), Boolean(chosen);
  }
  const letter = event.key.toLowerCase();
  if (letter === "d") return $("[data-default]")?.click(), true;
  if (letter === "s") {
    const sorts = $$(".sorts [name=sort]");
    const now = sorts.findIndex((one) => one.getAttribute("aria-pressed") === "true");
    return sorts[(now + 1) % sorts.length]?.click(), true;
  }
  const target = $(LETTERS[letter] ?? `[data-letter="${/^[a-z]$/.test(letter) ? letter : "-"}"]`);
  return target ? (target.click(), true) : false;
}

document.addEventListener("keydown", (event) => {
  const menu = $("#menu[open]");
  if (menu && event.key === "Escape") {
    menu.open = false;
    $("summary", menu).focus();
  } else {
    keyed = true;
    if (key(event) || turnKey(event)) event.preventDefault();
  }
});
document.addEventListener("pointerdown", (event) => {
  keyed = false;
  pull(event);
});
document.addEventListener("pointermove", pullOn);
document.addEventListener("pointerup", put);
document.addEventListener("pointercancel", put);
addEventListener("click", (event) => {
  if (!justPut) return;
  justPut = false;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
document.addEventListener("focusin", (event) => {
  if (event.target.matches("#hand button.card")) for (const card of cards()) card.tabIndex = card === event.target ? 0 : -1;
});
document.addEventListener("change", (event) => {
  if (event.target.matches(".pick input")) $(".pick output").textContent = event.target.files[0]?.name ?? "";
  if (event.target.id === "letters") localStorage.setItem("bezique-letters", event.target.checked ? "on" : "off");
});
addEventListener("pageshow", (event) => event.persisted && refresh());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());

reveal();
if (board()) {
  if ($("#letters")) $("#letters").checked = lettersOn();
  arrange();
  rove();
}
