// The list of steps. Only those that can be seen are in it, so it may have any length.

const ROW = 46;
const ROWS_BESIDE = 8;

function showTimeline(follow = false) {
  const around = $("rows");
  const focused = around.contains(document.activeElement);
  if (follow) {
    const top = (current.step - 1) * ROW;
    if (top < around.scrollTop) around.scrollTop = top;
    else if (top + ROW > around.scrollTop + around.clientHeight)
      around.scrollTop = top + ROW - around.clientHeight;
  }
  const first = Math.max(0, Math.floor(around.scrollTop / ROW) - ROWS_BESIDE);
  const end = Math.min(LAST, first + Math.ceil(around.clientHeight / ROW) + 2 * ROWS_BESIDE);
  const rows = [];
  for (let index = first; index < end; index += 1) rows.push(timelineRow(index + 1));
  $("list").replaceChildren(...rows);
  if (focused) $("list").querySelector('[aria-current="step"]')?.focus({ preventScroll: true });
}

function timelineRow(place) {
  const step = steps[place - 1];
  const isCurrent = place === current.step;
  const kind = isFailed(step)
    ? "is-failed"
    : isOpen(step)
      ? "is-open"
      : step.notes?.some(([, code]) => code) || askedIn(step).some((asked) => asked.begun)
        ? "is-warning"
        : "";
  const attributes = {
    type: "button",
    class: kind || null,
    "aria-current": isCurrent ? "step" : null,
    tabindex: isCurrent ? "0" : "-1",
  };
  const button = make("button", { ...attributes, on: { click: () => select(place) } });
  const time = step.seconds === undefined ? "" : duration(step.seconds);
  button.append(
    make("span", { class: "row-number" }, count(place)),
    make(
      "span",
      { class: "row-text" },
      shown("span", words(step.operation), { class: "row-name" }),
      shown("span", happened(step), { class: "row-what" }),
    ),
    make("span", { class: "row-time" }, time),
  );
  const item = make("li", { "aria-setsize": LAST, "aria-posinset": place }, button);
  item.style.top = `${(place - 1) * ROW}px`;
  return item;
}

/** What a step did, in a few words. */
function happened(step) {
  if (isFailed(step)) return step.problem.kind;
  if (isOpen(step)) return waitsFor(step);
  const again = ({ begun }) => (begun ? `, begun ${times(begun)}` : "");
  if (step.requests)
    return step.requests.map((number) => `request ${number}${again(requests[number - 1])}`).join(", ");
  if (step.calls)
    return step.calls
      .map((call) => `${call.name}${call.error ? `: ${call.error}` : ""}${again(call)}`)
      .join(", ");
  const target = linkOf(step).target;
  if (!Object.hasOwn(run.operations, target)) return `→ ${target}`;
  return "";
}
