// On paper there are no tabs: a short run is printed as a list of its steps, a long one as it is seen.

const STEPS_ON_PAPER = 60;

function preparePaper() {
  const isShortRun = LAST <= STEPS_ON_PAPER;
  document.body.classList.toggle("prints-steps", isShortRun);
  if (!isShortRun) return;
  isOnPaper = true;
  $("print").replaceChildren(...steps.map((_, index) => printedStep(index + 1)));
  isOnPaper = false;
  showTotals();
}

function clearPaper() {
  $("print").replaceChildren();
  document.body.classList.remove("prints-steps");
  showFlowchart();
}

function printedStep(place) {
  const step = steps[place - 1];
  const operation = operationOf(step);
  const part = operation.part ? `the guide, ${operation.part}` : "not in the guide";
  const element = make(
    "section",
    { class: "printed" },
    make("h2", {}, `${place}  ${words(step.operation)}`),
    make("p", { class: "muted" }, part, ...(operation.file ? [", ", placeOf(operation, "code")] : [])),
    shown("p", summaryOf(step)),
  );
  for (const number of step.requests ?? []) element.append(printedRequest(number));
  for (const name of changedIn(place)) element.append(printedVariable(place, name));
  for (const call of step.calls ?? []) element.append(callCard(call));
  for (const note of step.notes ?? []) element.append(noteLine(note));
  if (step.problem) element.append(problemBox(step.problem));
  return element;
}

/** InAndOut is printed where it is sent. */
function printedVariable(place, name) {
  const [before, after] = [variablesBefore[place - 1][name], variablesAfter[place - 1][name]];
  const sent = name === "InAndOut" ? requests.findIndex(({ body }) => sameValue(body, after)) + 1 : 0;
  const told = sent && make("p", {}, `Request ${sent}, as it is sent in step ${requests[sent - 1].step}.`);
  return variable(name, told || changedValue(before, after));
}

/** A request with what the request before it did not have, so that each message is printed once. */
function printedRequest(number) {
  const { body } = requests[number - 1];
  const isNew = newIn(number);
  const { messages } = messagesOf(body);
  const fresh = number === 1 ? messages : messages.filter(isNew);
  const known = number === 1 ? [] : fieldsBeside(requests[number - 2].body);
  const fields = fieldsBeside(body).filter((field) => !known.some((each) => sameValue(each, field)));
  const element = make("div", { class: "printed-request" }, make("h3", {}, `Request ${number}`));
  element.append(howSent(requests[number - 1]));
  if (requests[number - 1].begun) element.append(begunNote(requests[number - 1]));
  if (number > 1) element.append(make("p", {}, asBefore(number, messages.length - fresh.length)));
  const cards = fresh.map(({ message }) => messageCard(message, false));
  element.append(make("ol", { class: "messages" }, ...cards));
  if (fields.length) element.append(facts(fields.map(([name, value]) => [name, smallValue(value)])));
  return element;
}

function asBefore(number, kept) {
  const had = messagesOf(requests[number - 2].body).messages.length;
  const left = had > kept ? `; ${plural(had - kept, "message")} of it left out` : "";
  return `It begins with ${plural(kept, "message")} of request ${number - 1}${left}. What is new in it:`;
}
