// The panels beside the steps. Each is made for one step when it is shown.

// What a reader has chosen stays from step to step.
const chosen = { json: true, request: "messages", unchanged: false };

const chooseJson = () =>
  choice(
    "How JSON is shown",
    [
      ["indented", "Indented"],
      ["as it is", "As it is"],
    ],
    chosen.json ? "indented" : "as it is",
    (value) => {
      chosen.json = value === "indented";
      showPanel();
    },
  );

function variablesPanel(place) {
  const [before, after] = [variablesBefore[place - 1], variablesAfter[place - 1]];
  const changed = changedIn(place);
  const element = make(
    "div",
    {},
    make(
      "div",
      { class: "bar" },
      make(
        "p",
        { class: "muted" },
        changed.length
          ? `${plural(changed.length, "variable")} changed in this step`
          : "This step changed no variable.",
      ),
      chooseJson(),
    ),
  );
  for (const name of changed) {
    const isNew = isJoined(before[name]) ? lengthOf(before[name]) === 0 : valueOf(before[name]) === "";
    element.append(variable(name, changedValue(before[name], after[name]), isNew ? badge("set", "new") : ""));
  }
  const others = Object.keys(after).filter((name) => !changed.includes(name) && after[name] !== null);
  const list = () => {
    const part = make("div", {});
    for (const name of others) part.append(variable(name, plainValue(after[name])));
    return part;
  };
  const rest = folded(`${plural(others.length, "variable")} as before`, list, chosen.unchanged);
  rest.addEventListener("toggle", () => (chosen.unchanged = rest.open));
  element.append(rest);
  return element;
}

const variable = (name, value, told = "") =>
  make("div", { class: "variable" }, make("h3", {}, shown("code", name), told), value);

function changedValue(before, after) {
  if (typeof after === "boolean" || typeof after === "number") {
    return make(
      "p",
      { class: "scalar" },
      make("del", {}, String(valueOf(before))),
      " → ",
      make("ins", {}, String(after)),
    );
  }
  if (isJoined(after)) return joinedBox(before ?? null, after, chosen.json);
  return differenceBox(String(valueOf(before)), String(valueOf(after)), chosen.json);
}

function plainValue(value) {
  if (typeof value === "boolean" || typeof value === "number")
    return make("p", { class: "scalar" }, String(value));
  if (isJoined(value) && lengthOf(value) > JOINED_CHARS) {
    return box([{ read: () => String(valueOf(value)), length: lengthOf(value), most: 0 }]);
  }
  return textBox(String(valueOf(value)), { json: chosen.json });
}

const BUTTONS_OF_REQUESTS = 30;

/** The requests by their numbers; one click leads to each. */
function requestNumbers(number) {
  const nav = make("nav", { class: "numbers", "aria-label": "Requests" });
  const show = (wanted) => select(requests[wanted - 1].step, { request: wanted });
  if (requests.length <= BUTTONS_OF_REQUESTS) {
    requests.forEach((_, index) => {
      const wanted = index + 1;
      const attributes = {
        type: "button",
        "aria-label": `Request ${wanted}`,
        "data-focus": wanted,
        "aria-current": wanted === number ? "true" : null,
      };
      nav.append(make("button", { ...attributes, on: { click: () => show(wanted) } }, String(wanted)));
    });
    return nav;
  }
  const field = make("input", {
    type: "number",
    min: 1,
    max: requests.length,
    value: number || 1,
    id: "request-number",
    "data-focus": "number",
  });
  field.addEventListener("change", () =>
    show(Math.min(requests.length, Math.max(1, Math.round(Number(field.value)) || 1))),
  );
  const button = (label, wanted) =>
    make(
      "button",
      {
        type: "button",
        disabled: wanted < 1 || wanted > requests.length,
        "data-focus": label,
        on: { click: () => show(wanted) },
      },
      label,
    );
  nav.append(make("label", { for: "request-number" }, "Request "), field, ` of ${count(requests.length)} `);
  nav.append(button("Before", number - 1), button("Next", number + 1));
  return nav;
}

const nothingSent = () => make("p", { class: "muted" }, "No request was sent.");

/** The request that a panel is about: the one that was asked for, or the last one that was sent. */
function requestIn(place) {
  const wanted = current.request;
  return wanted && requests[wanted - 1]?.step === place ? wanted : requestAt(place);
}

function requestPanel(place) {
  if (requests.length === 0) return nothingSent();
  const number = requestIn(place);
  const element = make(
    "div",
    {},
    make("div", { class: "bar" }, make("h3", {}, "Requests of the run"), requestNumbers(number)),
  );
  if (number === 0) {
    element.append(
      make("p", { class: "muted" }, "Nothing is sent yet in this step. Choose a number to see that request."),
    );
    return element;
  }
  const request = requests[number - 1];
  const read = () => String(valueOf(request.body));
  const where = request.step === place ? "sent in this step" : "the last one that was sent; it left in ";
  const heading = make("h3", {}, `Request ${count(number)}, `, where);
  if (request.step !== place) heading.append(goTo(request.step));
  const ways = [
    ["messages", "Messages"],
    ["indented", "Indented"],
    ["sent", "As it was sent"],
  ];
  const way = choice("How the request is shown", ways, chosen.request, (value) => {
    chosen.request = value;
    showPanel();
  });
  element.append(make("div", { class: "bar" }, heading, way, copyButton(read)), howSent(request));
  if (request.begun) element.append(begunNote(request));
  element.append(requestBody(number, request.body, read));
  return element;
}

function howSent(request) {
  const { answer } = request;
  const line = make("p", { class: "chips" });
  line.append(
    badge(
      plural(
        isJoined(request.body) ? lengthOf(request.body) : String(valueOf(request.body)).length,
        "character",
      ),
    ),
  );
  if (answer && answer.attempts > 1) line.append(badge(`${answer.attempts} attempts`, "warn"));
  if (answer?.endpoint) line.append(badge(answer.endpoint));
  if (!answer) line.append(badge(request.held ? waits(request.held) : "no answer is known", "warn"));
  return line;
}

function requestBody(number, body, read) {
  if (chosen.request === "sent")
    return box([{ read, length: isJoined(body) ? lengthOf(body) : read().length, most: 20_000 }]);
  if (chosen.request === "indented") {
    const text = indented(read());
    return box([{ read: () => text, length: text.length, most: 6_000 }], true);
  }
  const element = make("div", {}, conversation(number));
  const others = fieldsBeside(body);
  element.append(
    folded(`${plural(others.length, "field")} beside the messages`, () =>
      facts(others.map(([name, value]) => [name, smallValue(value)])),
    ),
  );
  return element;
}

function responsePanel(place) {
  if (requests.length === 0) return nothingSent();
  const number = requestIn(place);
  const element = make("div", {});
  if (number === 0) return make("p", { class: "muted" }, "Nothing has been received yet.");
  const request = requests[number - 1];
  const { answer } = request;
  const heading = make("h3", {}, `Response to request ${number}, as received`);
  if (request.step !== place) heading.append(", in ", goTo(request.step));
  element.append(make("div", { class: "bar" }, heading, chooseJson()));
  if (!answer) {
    element.append(make("p", { class: "muted" }, "It has not come, as far as anybody knows."));
    return element;
  }
  const body = String(valueOf(answer.body));
  const line = make("p", { class: "chips" });
  if (answer.status) line.append(badge(`HTTP ${answer.status}`, answer.status < 300 ? "good" : "bad"));
  if (answer.error) line.append(badge(answer.error, "bad"));
  line.append(badge(answer.content_type || "no content type"));
  if (request.seconds !== undefined) line.append(badge(duration(request.seconds)));
  if (answer.attempts > 1) line.append(badge(`${answer.attempts} attempts`, "warn"));
  if (answer.retry_after !== null) line.append(badge(`asks to wait ${duration(answer.retry_after)}`, "warn"));
  line.append(copyButton(() => body));
  element.append(line, textBox(body, { json: chosen.json }));
  return element;
}

function callsPanel(place) {
  const step = steps[place - 1];
  const shownPlace = step.calls ? place : lastStep(place, hasCalls);
  const element = make("div", {});
  if (shownPlace === 0) {
    const first = nextStep(place, hasCalls);
    element.append(
      make(
        "p",
        { class: "muted" },
        first ? "No tool has been called yet. The first call is in " : "This run calls no tools.",
        first ? goTo(first) : "",
      ),
    );
    return element;
  }
  const { calls } = steps[shownPlace - 1];
  const heading = make("h3", {}, `${plural(calls.length, "call")} `);
  if (shownPlace === place) heading.append("in this step");
  else heading.append("in ", goTo(shownPlace), ", the last ones before this step");
  element.append(heading);
  if (calls.length > 1)
    element.append(
      make(
        "p",
        { class: "muted" },
        "Calls of one response run at the same time, and are answered in the order of the calls.",
      ),
    );
  element.append(...calls.map(callCard));
  return element;
}

const LINES_SHOWN = 200;

function logPanel(place) {
  const { notes, problem } = steps[place - 1];
  const element = make("div", {}, make("h3", {}, "In this step"));
  for (const note of notes ?? []) element.append(noteLine(note));
  if (problem) element.append(problemBox(problem));
  if (!notes && !problem) element.append(make("p", { class: "muted" }, "Nothing was written to the log."));
  const lines = [];
  steps.forEach((step, index) => (step.notes ?? []).forEach((note) => lines.push([index + 1, note])));
  if (lines.length)
    element.append(folded(`${plural(lines.length, "line")} in the whole run`, () => logLines(lines)));
  return element;
}

function logLines(lines) {
  const list = make("ol", { class: "lines" });
  const fill = (some) =>
    list.append(...some.map(([place, note]) => make("li", {}, goTo(place), noteLine(note))));
  fill(lines.slice(0, LINES_SHOWN));
  const part = make("div", {}, list);
  if (lines.length > LINES_SHOWN) {
    const rest = make("button", { type: "button", class: "fold" }, `Show all ${count(lines.length)} lines`);
    rest.addEventListener("click", () => (fill(lines.slice(LINES_SHOWN)), rest.remove()));
    part.append(rest);
  }
  return part;
}

function codePanel(place) {
  const step = steps[place - 1];
  const operation = operationOf(step);
  const element = make("div", {}, make("h3", {}, words(step.operation)));
  element.append(
    facts([
      ["kind", operation.kind],
      ["in the guide", operation.part || "not in it"],
      ["name in the chain", step.operation],
      ["source", operation.file ? placeOf(operation, "code") : "not known"],
      ["module", operation.module],
    ]),
  );
  const link = linkOf(step);
  if (link)
    element.append(
      make("h3", {}, "The row of the table that was taken"),
      facts([
        ["source", link.source],
        ["event", link.event],
        ["when", link.when.join(" and ") || "always"],
        ["target", link.target],
      ]),
    );
  if (operation.text)
    element.append(
      folded(
        `Source of ${words(step.operation)}`,
        () => make("pre", { class: "source", tabindex: "0" }, operation.text),
        true,
      ),
    );
  return element;
}

function runPanel() {
  const { inputs, problem } = run;
  const element = make("div", {}, make("h3", {}, "How it ended"));
  const how = run.outcome ?? `has not ended: it stands in ${words(run.state)}`;
  element.append(
    facts([
      ["outcome", badge(how, outcomeKind())],
      ["final response", run.answer ? textBox(valueOf(run.answer)) : "none"],
      ["run", run.run_id],
      ["chain", run.chain],
    ]),
  );
  if (problem) element.append(problemBox(problem, outcomeKind()));
  if (begunAgain.length) element.append(make("h3", {}, "What was begun again"));
  for (const { place, name, asked } of begunAgain)
    element.append(make("p", {}, goTo(place), ": ", shown("code", name), ` was ${begunWords(asked)}.`));
  element.append(make("h3", {}, "What it began with"));
  if (inputs.system_prompt) element.append(variable("systemPrompt", textBox(valueOf(inputs.system_prompt))));
  element.append(variable("userMessage", textBox(valueOf(inputs.user_message), { json: true })));
  if (inputs.history)
    element.append(folded("Earlier messages", () => textBox(valueOf(inputs.history), { json: true })));
  element.append(
    make("h3", {}, "Settings"),
    facts(
      inputs.settings.map(([name, value]) => [
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      ]),
    ),
  );
  element.append(make("h3", {}, plural(inputs.tools.length, "tool")));
  for (const tool of inputs.tools) {
    const more = [
      ...tool.flags,
      `unknown outcome: ${tool.on_unknown}`,
      tool.max_result_chars === null ? "" : `results up to ${plural(tool.max_result_chars, "character")}`,
    ];
    element.append(
      folded(tool.name, () =>
        make(
          "div",
          {},
          make("p", { class: "muted" }, more.filter(Boolean).join(", ")),
          textBox(valueOf(tool.entry), { json: true }),
        ),
      ),
    );
  }
  return element;
}

const outcomeKind = () => ({ completed: "good", failed: "bad" })[run.outcome] ?? "warn";

/** Each tab: its name, its panel, and how many things are in it at this step. */
const TABS = [
  { id: "variables", name: "Variables", panel: variablesPanel, count: (place) => changedIn(place).length },
  {
    id: "request",
    name: "Request",
    panel: requestPanel,
    count: (place) => steps[place - 1].requests?.length,
  },
  { id: "response", name: "Response", panel: responsePanel, count: () => 0 },
  { id: "calls", name: "Tool calls", panel: callsPanel, count: (place) => steps[place - 1].calls?.length },
  {
    id: "log",
    name: "Log",
    panel: logPanel,
    count: (place) => (steps[place - 1].notes?.length ?? 0) + (isFailed(steps[place - 1]) ? 1 : 0),
  },
  { id: "code", name: "Code", panel: codePanel, count: () => 0 },
  { id: "whole", name: "Run", panel: runPanel, count: () => 0 },
];
