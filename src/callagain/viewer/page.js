// The page: what is selected, what follows from it, keys, playing, the address.

const $ = (id) => document.getElementById(id);
const current = { step: 1, tab: "variables", request: null };

/**
 * Shows a step, and scrolls to it.
 *
 * request: a request of this step that the panels are about. isSought: whether somebody wants to see the step.
 */
function select(place, { request = null, isSought = true } = {}) {
  current.step = Math.min(LAST, Math.max(1, place));
  current.request = request;
  showFlowchart();
  showStep();
  showPanel();
  showTimeline(true);
  if (isSought) scrollUnder(request === null ? "detail" : "tabs");
  keepAddress();
}

// The flowchart and the player stay where they can be seen; what is below them is scrolled under them.

function scrollUnder(id) {
  measureMachine();
  $(id).scrollIntoView({ block: "start" });
}

function measureMachine() {
  // On a low screen only the player stays.
  const isWhole = getComputedStyle($("machine")).display !== "contents";
  const { offsetHeight } = isWhole ? $("machine") : $("controls");
  document.documentElement.style.setProperty("--machine", `${offsetHeight}px`);
}

// The step and its panels.

function showStep() {
  const step = steps[current.step - 1];
  const operation = operationOf(step);
  const heading = $("step-title");
  heading.replaceChildren(
    make("span", { class: "number" }, `${count(current.step)}`),
    " ",
    shown("span", words(step.operation)),
  );
  const chips = $("chips");
  chips.replaceChildren(
    badge(operation.part ? `the guide, ${operation.part}` : "not in the guide", "part"),
    badge(operation.kind ?? ""),
  );
  if (operation.file) chips.append(placeOf(operation, "span", "badge file"));
  if (step.number !== current.step)
    chips.append(badge(`operation number ${step.number}, taken up again`, "warn"));
  if (isFailed(step)) chips.append(badge(`On Fail: ${step.problem.kind}`, "bad"));
  if (isOpen(step)) chips.append(badge("has not ended", "warn"));
  if (step.seconds !== undefined) chips.append(badge(duration(step.seconds)));
  if (step.tokens)
    chips.append(
      badge(`${plural(step.tokens[2], "token")}: ${count(step.tokens[0])} in, ${count(step.tokens[1])} out`),
    );
  if (step.money !== undefined) chips.append(badge(money(step.money)));
  const spent = spentAfter[current.step - 1];
  if (spent.tokens)
    chips.append(
      badge(
        `so far ${plural(spent.tokens, "token")}${spent.money === null ? "" : `, ${money(spent.money)}`}`,
      ),
    );
  $("place").textContent = `${count(current.step)} of ${count(LAST)}`;
  $("slider").value = String(current.step);
  $("slider").setAttribute("aria-valuetext", `step ${current.step} of ${LAST}, ${words(step.operation)}`);
  for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", String(current.step === 1));
  for (const id of ["next", "last"]) $(id).setAttribute("aria-disabled", String(current.step === LAST));
  $("live").textContent = `Step ${current.step} of ${LAST}: ${summaryOf(step)}`;
}

function summaryOf(step) {
  const link = linkOf(step);
  const name = words(step.operation);
  if (!link) return `${name} has not ended`;
  return `${name}, ${words(link.event)}, leads to ${words(link.target)}`;
}

function buildTabs() {
  for (const { id, name } of TABS) {
    const tab = make("button", {
      type: "button",
      role: "tab",
      id: `tab-${id}`,
      "aria-controls": `panel-${id}`,
    });
    tab.append(name, make("span", { class: "tab-count" }));
    tab.addEventListener("click", (event) => {
      chooseTab(id);
      // On a tab the arrow keys lead to other tabs; a mouse leaves them to the steps.
      if (event.detail > 0) tab.blur();
    });
    tab.addEventListener("keydown", (event) => moveTab(event, id));
    $("tabs").append(tab);
    $("panels").append(
      make("div", {
        role: "tabpanel",
        id: `panel-${id}`,
        "aria-labelledby": `tab-${id}`,
        tabindex: "0",
        hidden: true,
      }),
    );
  }
}

function chooseTab(id) {
  current.tab = id;
  showPanel();
  scrollUnder("tabs");
  keepAddress();
}

const KEYS_OF_TABS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

function moveTab(event, id) {
  const move = KEYS_OF_TABS[event.key];
  if (move === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const from = TABS.findIndex((tab) => tab.id === id);
  const to = Number.isFinite(move)
    ? (from + move + TABS.length) % TABS.length
    : move < 0
      ? 0
      : TABS.length - 1;
  chooseTab(TABS[to].id);
  $(`tab-${TABS[to].id}`).focus();
}

function showPanel() {
  const focused = $("panels").contains(document.activeElement) ? document.activeElement : null;
  for (const { id, panel, count: countOf } of TABS) {
    const tab = $(`tab-${id}`);
    const isChosen = id === current.tab;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    const number = countOf(current.step);
    tab.lastChild.textContent = number ? count(number) : "";
    const part = $(`panel-${id}`);
    part.hidden = !isChosen;
    part.replaceChildren(...(isChosen ? [panel(current.step)] : []));
  }
  showTab($(`tab-${current.tab}`));
  if (focused) keepFocus(focused.dataset.focus);
}

/** On a small screen the tabs scroll, and the page does not. */
function showTab(tab) {
  const around = $("tabs");
  const isSeen = tab.offsetLeft >= around.scrollLeft;
  const fits = tab.offsetLeft + tab.offsetWidth <= around.scrollLeft + around.clientWidth;
  if (!isSeen || !fits) around.scrollLeft = tab.offsetLeft - (around.clientWidth - tab.offsetWidth) / 2;
}

/** A panel is made anew, and who was at a button of it is at the same one again, or at the panel. */
function keepFocus(name) {
  const panel = $(`panel-${current.tab}`);
  const again = name === undefined ? null : panel.querySelector(`[data-focus="${CSS.escape(name)}"]:enabled`);
  (again ?? panel).focus({ preventScroll: true });
}

// Moving.

let timer = null;
const isPlaying = () => timer !== null;

function play() {
  if (current.step === LAST) select(1);
  const seconds = 1 / Number($("speed").value);
  timer = setInterval(() => {
    if (current.step === LAST) pause();
    else select(current.step + 1);
  }, 1000 * seconds);
  $("play").textContent = "Pause";
}

function pause() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "Play";
}

const toggle = () => (isPlaying() ? pause() : play());
const MOVES = {
  ArrowLeft: () => select(current.step - 1),
  ArrowRight: () => select(current.step + 1),
  Home: () => select(1),
  End: () => select(LAST),
};

/** Whether the keys that lead to other steps move what they were pressed in. */
function canScroll(target) {
  const around = target.closest(".scrolls, .source");
  return around !== null && around.scrollWidth > around.clientWidth;
}

function onKey(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea") || canScroll(event.target)) return;
  if (event.key === " " && !event.target.closest("button, summary, a")) {
    event.preventDefault();
    toggle();
  } else if (MOVES[event.key]) {
    event.preventDefault();
    pause();
    MOVES[event.key]();
  } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && event.target.closest("#rows")) {
    event.preventDefault();
    select(current.step + (event.key === "ArrowUp" ? -1 : 1));
  }
}

// The address names the step and the tab, so it can be sent to somebody.

let addressTimer = null;

function keepAddress() {
  clearTimeout(addressTimer);
  // Browsers refuse a page that changes its address too often.
  addressTimer = setTimeout(writeAddress, 200);
}

function writeAddress() {
  const tab = current.tab === TABS[0].id ? "" : `&tab=${current.tab}`;
  history.replaceState(null, "", `#step=${current.step}${tab}`);
}

function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const tab = TABS.find(({ id }) => id === words.get("tab"));
  if (tab) current.tab = tab.id;
  const place = Number(words.get("step"));
  if (Number.isInteger(place) && place > 0) select(place);
  else if (tab) chooseTab(tab.id);
}

// What stands above the steps.

function showRun() {
  $("chain").append("callagain · ", shown("span", run.chain));
  $("title").replaceChildren(shown("span", run.title));
  const total = spentAfter.at(-1);
  const seconds = steps.reduce((sum, step) => sum + (step.seconds ?? 0), 0);
  const rows = [
    ["outcome", badge(run.outcome ?? "not ended", outcomeKind())],
    ["steps", count(LAST)],
    ["rounds of tools", count(Number(variablesAfter.at(-1).loop_count))],
    ["requests", count(requests.length)],
    ["tokens", total.tokens ? `${total.estimated ? "about " : ""}${count(total.tokens)}` : null],
    ["begun again", begunAgain.length ? begunFact() : null],
    ["cost", total.money === null ? null : money(total.money)],
    ["time", seconds ? duration(seconds) : null],
  ];
  for (const [name, value] of rows)
    if (value !== null) $("facts").append(make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  const said = [
    ["Asked", valueOf(run.inputs.user_message)],
    ["Answered", run.answer ? valueOf(run.answer) : null],
  ];
  for (const [name, text] of said)
    if (text !== null) $("said").append(make("div", {}, make("h2", {}, name), textBox(String(text))));
  showAlerts();
}

function begunFact() {
  const [{ place }] = begunAgain;
  const more = begunAgain.length - 1;
  return goTo(place, `step ${count(place)}${more ? ` and ${count(more)} more` : ""}`);
}

function showAlerts() {
  const alert = (kind, ...children) =>
    $("alerts").append(make("div", { class: `alert ${kind}` }, ...children));
  if (run.difference)
    alert(
      "bad",
      make("strong", {}, "The replay differs from what was kept: "),
      shown("span", run.difference),
    );
  if (run.problem) {
    const place = lastStep(LAST, isFailed) || LAST;
    alert(
      run.outcome === "failed" ? "bad" : "warn",
      make("strong", {}, shown("span", run.problem.kind), ": "),
      shown("span", run.problem.message),
      " ",
      goTo(place, `Go to step ${count(place)}`),
    );
  } else if (isOpen(steps[LAST - 1])) {
    alert(
      "warn",
      make("strong", {}, "The run has not ended. "),
      shown("span", `${words(run.state)}: ${waitsFor(steps[LAST - 1])}. `),
      goTo(LAST, `Go to step ${count(LAST)}`),
    );
  }
}

// The beginning.

function start() {
  buildTabs();
  showRun();
  for (const picture of document.querySelectorAll("#flowchart svg"))
    picture.style.setProperty("--drawn", `${picture.viewBox.baseVal.height}px`);
  $("slider").max = String(LAST);
  $("list").style.height = `${LAST * ROW}px`;
  const byButton = { first: MOVES.Home, back: MOVES.ArrowLeft, next: MOVES.ArrowRight, last: MOVES.End };
  for (const [id, move] of Object.entries(byButton)) $(id).addEventListener("click", () => (pause(), move()));
  $("play").addEventListener("click", toggle);
  $("speed").addEventListener("change", () => isPlaying() && (pause(), play()));
  $("slider").addEventListener("input", () => (pause(), select(Number($("slider").value))));
  $("rows").addEventListener("scroll", () => requestAnimationFrame(() => showTimeline()));
  document
    .querySelector(".skip")
    .addEventListener("click", (event) => (event.preventDefault(), $("detail").focus()));
  document.addEventListener("keydown", onKey);
  $("to-steps").addEventListener("click", () => scrollUnder("timeline"));
  followClicks();
  addEventListener("hashchange", readAddress);
  addEventListener("resize", () => (measureMachine(), keepInSight(), showTimeline()));
  addEventListener("beforeprint", preparePaper);
  addEventListener("afterprint", clearPaper);
  select(1, { isSought: false });
  measureMachine();
  new ResizeObserver(measureMachine).observe($("machine"));
  readAddress();
}

start();
