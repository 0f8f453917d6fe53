// The messages of a request, calls of tools, and other parts that panels are made of.

const goTo = (place, label) =>
  make(
    "button",
    { type: "button", class: "link", on: { click: () => select(place) } },
    label ?? `step ${place}`,
  );

const badge = (text, kind) => shown("span", text, { class: kind ? `badge ${kind}` : "badge" });

/** Rows of names and values; rows without a value are left out. */
function facts(rows) {
  const list = make("dl", { class: "rows-of-facts" });
  for (const [name, value] of rows) {
    if (value === null || value === undefined || value === "") continue;
    const told = value instanceof Node ? value : shown("span", value);
    list.append(make("div", {}, shown("dt", name), make("dd", {}, told)));
  }
  return list;
}

/** A part that is folded. Its content is made when it is opened first. */
function folded(summary, content, open = false) {
  const element = make("details", { open }, shown("summary", summary));
  const fill = () => element.open && element.childElementCount === 1 && element.append(content());
  element.addEventListener("toggle", fill);
  fill();
  return element;
}

/** A group of buttons of which one is pressed: [[value, label], …]. */
function choice(label, options, chosen, choose) {
  const group = make("div", { class: "choice", role: "group", "aria-label": label });
  for (const [value, name] of options) {
    const attributes = { type: "button", "aria-pressed": String(value === chosen), "data-focus": value };
    group.append(make("button", { ...attributes, on: { click: () => choose(value) } }, name));
  }
  return group;
}

function copyButton(read) {
  const button = make("button", { type: "button", class: "quiet" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(read());
      button.textContent = "Copied";
    } catch {
      button.textContent = "The browser refuses";
    }
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

/**
 * The messages of a request, as [{message, place}]; place is that of the text that it stands in.
 *
 * newest: so many texts from the end; left: how many stand before them.
 */
function messagesOf(body, newest = Infinity) {
  if (!isJoined(body)) {
    const fields = parsed(String(valueOf(body)));
    const list = fields?.messages ?? fields?.input ?? [];
    const messages = Array.isArray(list) ? list : [{ role: "user", content: list }];
    return { messages: messages.map((message) => ({ message })), left: 0 };
  }
  const members = membersOf(body);
  const left = Math.max(0, members.length - newest);
  const inText = (place) => (parsed(`[${run.texts[place]}]`) ?? []).map((message) => ({ message, place }));
  return { messages: members.slice(left).flatMap(inText), left };
}

/** What a request has beside its messages, as [[name, value], …]. */
function fieldsBeside(body) {
  const fields = parsed(isJoined(body) ? framesOf(body).join("") : String(valueOf(body)));
  return Object.entries(fields ?? {}).filter(([name]) => name !== "messages" && name !== "input");
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Tells of a message of a request whether the request before did not have it. */
function newIn(number) {
  if (number === 1) return () => false;
  const [before, body] = [requests[number - 2].body, requests[number - 1].body];
  if (isJoined(before) && isJoined(body)) {
    const known = new Set(membersOf(before));
    return ({ place }) => !known.has(place);
  }
  const known = new Set(messagesOf(before).messages.map(({ message }) => JSON.stringify(message)));
  return ({ message }) => !known.has(JSON.stringify(message));
}

const PARTS_SHOWN = 6;

/** A request as a conversation; what the request before did not have is marked. */
function conversation(number) {
  const body = requests[number - 1].body;
  const { messages, left } = messagesOf(body, PARTS_SHOWN);
  const element = make("div", {});
  const list = make("ol", { class: "messages" });
  const isNew = newIn(number);
  const fill = (all) => list.append(...all.map((each) => messageCard(each.message, isNew(each))));
  if (left > 0) {
    const showAll = () => {
      list.replaceChildren();
      fill(messagesOf(body).messages);
      button.remove();
    };
    const button = make(
      "button",
      { type: "button", class: "fold", on: { click: showAll } },
      `Show the ${count(left)} parts before these`,
    );
    element.append(button);
  }
  fill(messages);
  element.append(list);
  if (messages.length === 0) element.append(make("p", { class: "muted" }, "It has no messages."));
  return element;
}

const SHOWN_ELSEWHERE = ["role", "type", "content", "tool_calls"];

function messageCard(message, isNew) {
  if (message === null || typeof message !== "object")
    return make("li", {}, textBox(JSON.stringify(message)));
  const who = message.role ?? message.type ?? "message";
  const heading = make("div", { class: "message-heading" }, badge(who, `role-${roleClass(who)}`));
  if (isNew) heading.append(badge("new in this request", "new"));
  const item = make("li", { class: isNew ? "message is-new" : "message" }, heading);
  const { content, tool_calls: calls } = message;
  if (typeof content === "string") item.append(textBox(content, { json: true, prose: true }));
  else if (content !== null && content !== undefined)
    item.append(textBox(JSON.stringify(content), { json: true }));
  for (const call of Array.isArray(calls) ? calls : []) item.append(askedCall(call));
  const others = Object.entries(message).filter(
    ([name, value]) => !SHOWN_ELSEWHERE.includes(name) && value !== null,
  );
  item.append(facts(others.map(([name, value]) => [name, smallValue(value)])));
  return item;
}

const roleClass = (who) => (["system", "user", "assistant", "tool"].includes(who) ? who : "other");

const smallValue = (value) =>
  textBox(typeof value === "string" ? value : JSON.stringify(value), { json: true, prose: true });

function askedCall(call) {
  const asked = call?.function ?? {};
  const element = make("div", { class: "asked" });
  element.append(
    make(
      "div",
      {},
      "asks for ",
      shown("code", asked.name ?? call?.type ?? "?"),
      " ",
      shown("span", call?.id ?? "", { class: "muted" }),
    ),
  );
  element.append(textBox(String(asked.arguments ?? JSON.stringify(call)), { json: true }));
  return element;
}

/** The file and the line of an operation; the title is the name of its module. */
function placeOf(operation, tag, kind) {
  const text = `${operation.file}:${operation.line}`;
  return shown(tag, text, { class: kind, title: operation.module ?? null });
}

/** What became of something that was begun more than once. */
function begunWords({ begun, name, answer, told }) {
  const first = begun === 2 ? "the first time" : "each time but the last,";
  const [result, again] = name ? ["result", "performed again with the same key"] : ["response", "sent again"];
  const hasCome = answer || told;
  return (
    `begun ${times(begun)}: ${first} the process ended, or left the run, before its ${result} was kept; ` +
    `it was ${again}${hasCome ? "" : `, and its ${result} is not known`}`
  );
}

const begunNote = (asked) =>
  asked.begun && make("p", { class: "begun" }, badge("begun again", "warn"), " ", begunWords(asked));

// By the error kinds of a run that waits.
const WAITS = {
  approval_required: "waits for approval",
  tool_requests: "waits for its result",
  call_outcome_unknown: "waits: nobody knows whether it took effect",
};

const waits = (why) => (Object.hasOwn(WAITS, why) ? WAITS[why] : `waits: ${why}`);

/** A call of a tool, or of a function of an inserted operation, with what came of it. */
function callCard(call) {
  const element = make("article", { class: call.error ? "call is-failed" : "call", "aria-label": call.name });
  const heading = make(
    "header",
    {},
    shown("code", call.name, { class: "call-name" }),
    shown("span", call.id ?? "", { class: "muted" }),
  );
  if (call.function) heading.append(badge("a function of the operation"));
  if (call.error) heading.append(badge(`error: ${call.error}`, "bad"));
  if (call.not_run) heading.append(badge(call.not_run, "warn"));
  if (call.held) heading.append(badge(call.decision ? `held: ${call.held}` : waits(call.held), "warn"));
  if (call.decision) heading.append(badge(call.decision, call.decision === "denied" ? "bad" : "good"));
  if (call.abandoned) heading.append(badge("abandoned; it may still be running", "warn"));
  if (call.seconds !== undefined) heading.append(badge(duration(call.seconds)));
  element.append(heading);
  if (call.begun) element.append(begunNote(call));
  const parts = [
    [call.asked ? "arguments, as somebody edited them" : "arguments", call.arguments],
    ["the model had asked with", call.asked],
    ["result, as the tool gave it", call.said],
    [call.said ? "what the model is told" : "result", call.told],
  ];
  for (const [name, value] of parts) {
    if (value) element.append(make("h4", {}, name), textBox(String(valueOf(value)), { json: true }));
  }
  if (!call.told && !call.error) element.append(make("p", { class: "muted" }, "There is no result yet."));
  return element;
}

function noteLine([message, code]) {
  return make(
    "p",
    { class: code ? "note is-warning" : "note" },
    code ? badge(code, "warn") : badge("log"),
    " ",
    shown("span", message),
  );
}

function problemBox(problem, kind = "bad") {
  const element = make(
    "div",
    { class: `problem ${kind}` },
    badge(problem.kind, kind),
    " ",
    shown("span", problem.message),
  );
  if (problem.status) element.append(make("p", { class: "muted" }, `HTTP status ${problem.status}`));
  if (problem.partial_text)
    element.append(make("h4", {}, "what had come of the answer"), textBox(problem.partial_text));
  if (problem.body)
    element.append(make("h4", {}, "what the endpoint said"), textBox(problem.body, { json: true }));
  return element;
}
