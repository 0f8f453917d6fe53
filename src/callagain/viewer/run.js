"use strict";

// The run as it stands in the page, and what can be worked out from it.

const run = JSON.parse(document.getElementById("run").textContent);
const steps = run.steps;
const requests = run.requests;
const LAST = steps.length;

// The variables before and after each step, by name; a step holds only what is different.
const variablesBefore = [];
const variablesAfter = [];

// What the run had spent behind each step.
const spentAfter = [];

{
  let known = run.first;
  let spent = { tokens: 0, money: null, requests: 0, tool_calls: 0, estimated: false };
  for (const step of steps) {
    if (step.before) known = { ...known, ...step.before };
    variablesBefore.push(known);
    known = { ...known, ...step.after };
    variablesAfter.push(known);
    spent = step.spent ?? spent;
    spentAfter.push(spent);
  }
}

const operationOf = (step) => run.operations[step.operation] ?? {};
const linkOf = (step) => (step.link === null ? null : run.links[step.link]);
const words = (name) => (Object.hasOwn(run.words, name) ? run.words[name] : name);

/** The fragments of tools_messages in this version, as places of texts. */
function fragmentsOf(version) {
  const parts = [];
  let wanted = Infinity;
  while (version > 0) {
    const [parent, kept, added] = run.rounds[version];
    parts.push(added.slice(0, Math.max(0, wanted - kept)));
    wanted = Math.min(wanted, kept);
    version = parent;
  }
  return parts.reverse().flat();
}

/** The fragments that stand between the opening and the closing of a value. */
function membersOf(value) {
  if ("rounds" in value) return fragmentsOf(value.rounds);
  const base = value.request[2];
  const rounds = fragmentsOf(value.request[3]);
  return base === null ? rounds : [base, ...rounds];
}

/** What stands before and after the members. */
function framesOf(value) {
  if ("rounds" in value) return ["[", "]"];
  return [run.texts[value.request[0]], run.texts[value.request[1]]];
}

const isJoined = (value) =>
  typeof value === "object" && value !== null && ("rounds" in value || "request" in value);

/** A value as Jitterbit holds it: a text, a boolean or a number. */
function valueOf(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return value;
  if ("text" in value) return run.texts[value.text];
  if ("array" in value) return `[${run.texts[value.array]}]`;
  const members = membersOf(value);
  if ("rounds" in value && members.length === 0) return "";
  const [opening, closing] = framesOf(value);
  return opening + members.map((place) => run.texts[place]).join(",") + closing;
}

/** How long a joined value is, without joining it. */
function lengthOf(value) {
  const members = membersOf(value);
  if ("rounds" in value && members.length === 0) return 0;
  const [opening, closing] = framesOf(value);
  const commas = Math.max(0, members.length - 1);
  return members.reduce(
    (sum, place) => sum + run.texts[place].length,
    opening.length + closing.length + commas,
  );
}

const sameValue = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What a step asked for: its requests and its calls. */
const askedIn = (step) => [
  ...(step.requests ?? []).map((number) => requests[number - 1]),
  ...(step.calls ?? []),
];

// What was begun more than once, as [{place, name, asked}].
const begunAgain = steps.flatMap((step, index) => {
  const nameOf = (asked) => asked.name ?? `request ${requests.indexOf(asked) + 1}`;
  const found = askedIn(step).filter((asked) => asked.begun);
  return found.map((asked) => ({ place: index + 1, name: nameOf(asked), asked }));
});

/** The names of the variables that a step changed. */
function changedIn(place) {
  const before = variablesBefore[place - 1];
  return Object.keys(steps[place - 1].after).filter(
    (name) => !sameValue(before[name], steps[place - 1].after[name]),
  );
}

/** The number of the last request that had been sent when this step had ended; 0 for none. */
function requestAt(place) {
  let [low, high] = [0, requests.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (requests[middle].step <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last step up to this one of which this holds; 0 for none. */
function lastStep(place, holds) {
  while (place > 0 && !holds(steps[place - 1])) place -= 1;
  return place;
}

/** The first step behind this one of which this holds; 0 for none. */
function nextStep(place, holds) {
  const found = steps.findIndex((step, index) => index >= place && holds(step));
  return found + 1;
}

const isFailed = (step) => step.problem !== undefined;
const hasCalls = (step) => step.calls !== undefined;
const isOpen = (step) => step.link === null;
