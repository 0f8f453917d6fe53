r"""What a JavaScript step finds when it begins, in its own language.

START is a function of one JSON text. It sets the variables, and gives a function that is called twice: with
the text of the script, to run it, and without, to collect the variables again as a JSON text. Nothing of
Python is reachable from a script: all that goes in and out is text.

A step knows no time, no chance and no zone but those that it is given: Date is in UTC, as on cloud agents,
and Math.random repeats what its seed says. What would wait, or tell of the machine, is taken away.
"""

START = r"""(function (given) {
  "use strict";
  const { parse, stringify } = JSON, { isFinite } = Number, { getOwnPropertyNames } = Object;
  const input = parse(given);
  const text = String;
  const log = [], dotted = new Map(), assigned = new Map(), before = new Map();
  const evaluate = eval;
  let result, last;

  for (const name of ["Promise", "queueMicrotask", "WeakRef", "FinalizationRegistry", "Atomics",
      "SharedArrayBuffer", "AsyncDisposableStack", "performance"]) delete globalThis[name];

  const bound = name => {
    name = text(name);
    return name[0] === "$" ? name : "$" + name;
  };
  const isDotted = name => name.includes(".");

  globalThis.Jitterbit = {
    GetVar: function GetVar(name) {
      name = bound(name);
      if (!isDotted(name)) return globalThis[name] === undefined ? null : globalThis[name];
      return dotted.has(name) ? dotted.get(name) : null;
    },
    SetVar: function SetVar(name, value) {
      name = bound(name);
      value = text(value);
      if (!isDotted(name)) globalThis[name] = value;
      else { dotted.set(name, value); assigned.set(name, value); }
    },
  };
  for (const name of ["ReadFile", "WriteFile", "DbExecute", "DbLookup"])
    Jitterbit[name] = function refused() {
      const error = new Error("Jitterbit." + name + " is not supported: a script reaches no files and no "
        + "databases here; do that part in Python");
      error.name = "UnknownFunction";
      throw error;
    };
  globalThis.WriteToOperationLog = function WriteToOperationLog(message) {
    log[log.length] = text(message);
    return message;
  };
  globalThis.SetScriptResult = function SetScriptResult(value) { result = { value }; };

  for (const name of getOwnPropertyNames(input.variables)) {
    const value = input.variables[name], global = "$" + name;
    if (isDotted(name)) dotted.set(global, value);
    else globalThis[global] = value;
    before.set(global, typeof value === "object" ? stringify(value) : value);
  }
  input.arguments.forEach((value, position) => { globalThis["_" + (position + 1)] = value; });
  START_CLOCK(input);

  const refuse = (key, value) => {
    if (typeof value === "number" && !isFinite(value)) throw new Error("a number that is not finite");
    return value;
  };
  const unheld = message => { throw { toString: () => "Unheld: " + message }; };
  const written = (what, value) => {
    let json;
    try { json = stringify(value === undefined ? null : value, refuse); }
    catch (error) { unheld(what + " holds what no variable can hold: " + error.message); }
    if (json === undefined) unheld(what + " holds a " + typeof value + ", which no variable can hold");
    return json;
  };
  const isChanged = (name, value, json) =>
    !before.has(name) || before.get(name) !== (typeof value === "object" ? json : value);

  const collect = named => {
    const pairs = [];
    const take = (name, value) => {
      if (value === undefined && !before.has(name)) return;
      const json = written(name, value);
      if (isChanged(name, value, json)) pairs.push(stringify(name.slice(1)) + ":" + json);
    };
    for (const name of getOwnPropertyNames(named)) take(name, named[name]);
    for (const name of getOwnPropertyNames(globalThis))
      if (name[0] === "$" && !(name in named)) take(name, globalThis[name]);
    assigned.forEach((value, name) => take(name, value));
    let value = "null";
    if (result !== undefined) value = written("the script's result", result.value);
    else try { value = written("", last); } catch (error) { /* Nobody may want it. */ }
    return ['{"variables":{', pairs.join(), '},"value":', value, ',"log":', stringify(log), "}"].join("");
  };
  return function runScript(script, named, value) {
    if (script !== null) { last = evaluate(script); return ""; }
    if (value !== null) last = value;
    return collect(named);
  };
})"""

CLOCK = r"""(function ({ clock, seed }) {
  const Native = Date, proto = Native.prototype, { UTC, parse } = Native, { construct } = Reflect;
  const define = (target, name, value) =>
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  const now = function now() {
    if (clock.refused) throw new Error(clock.refused);
    return clock.now;
  };
  const hasZone = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\s*(?:\(.*\))?\s*$/i;
  const isDate = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/, isIso = /^\s*[+-]?\d{4,6}-\d\d-\d\dT/;
  const read = function parseDate(text) {
    text = String(text);
    if (isDate.test(text) || hasZone.test(text)) return parse(text);
    return parse(text.trim() + (isIso.test(text) ? "Z" : " GMT"));
  };
  const UTCDate = function Date(...parts) {
    if (!new.target) return new UTCDate().toString();
    let time;
    if (parts.length === 0) time = now();
    else if (parts.length > 1) time = UTC(...parts);
    else if (parts[0] instanceof Native) time = parts[0].getTime();
    else time = typeof parts[0] === "string" ? read(parts[0]) : Number(parts[0]);
    return construct(Native, [time], new.target);
  };
  UTCDate.prototype = proto;
  for (const [name, value] of [["now", now], ["UTC", UTC], ["parse", read]]) define(UTCDate, name, value);
  define(UTCDate, "length", 7);
  define(proto, "constructor", UTCDate);
  for (const name of ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"]) {
    define(proto, "get" + name, proto["getUTC" + name]);
    if (name !== "Day") define(proto, "set" + name, proto["setUTC" + name]);
  }
  const two = number => (number < 10 ? "0" : "") + number;
  const forms = {
    getTimezoneOffset: () => 0,
    toDateString: date => date.toUTCString().replace(/^(\w+), (\d+) (\w+) (.+) [\d:]+ GMT$/, "$1 $3 $2 $4"),
    toTimeString: date => date.toUTCString().slice(-12, -4) + " GMT+0000",
    toString: date => date.toDateString() + " " + date.toTimeString(),
    toLocaleDateString: date =>
      two(date.getMonth() + 1) + "/" + two(date.getDate()) + "/" + date.getFullYear(),
    toLocaleTimeString: date => two(date.getHours() % 12 || 12) + date.toTimeString().slice(2, 8)
      + (date.getHours() < 12 ? " AM" : " PM"),
    toLocaleString: date => date.toLocaleDateString() + ", " + date.toLocaleTimeString(),
  };
  for (const name of Object.keys(forms))
    define(proto, name, { [name]() {
      if (!isNaN(this.getTime())) return forms[name](this);
      return name === "getTimezoneOffset" ? NaN : "Invalid Date";
    } }[name]);
  define(globalThis, "Date", UTCDate);
  let state = seed;
  define(Math, "random", function random() {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  });
})"""

OWN_FUNCTIONS = frozenset(
    {
        "runScript",
        "GetVar",
        "SetVar",
        "refused",
        "WriteToOperationLog",
        "SetScriptResult",
        "now",
        "parseDate",
        "Date",
    }
)
"""Functions of these texts, by the names that they have in an error's list of calls."""

PRELUDE = START.replace("START_CLOCK", CLOCK)
