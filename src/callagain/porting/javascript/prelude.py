r"""What a JavaScript step finds when it begins, in its own language.

START is a function of one JSON text. It sets the variables, and gives a function that is called twice: with
the text of the script, to run it, and without, to collect the variables again as a JSON text. Nothing of
Python is reachable from a script: all that goes in and out is text. A script may replace whatever is built
in, push and JSON.stringify too. So nothing here looks for anything built in once the script runs: functions
are kept in names of their own, lists and tables have no prototype, and no iterator is asked.

A step knows no time, no chance and no zone but those that it is given: Date is in UTC, as on cloud agents,
and Math.random repeats what its seed says. What would wait, or tell of the machine, is taken away.
"""

START = r"""(function (given) {
  "use strict";
  const { call } = Function.prototype, own = method => call.bind(method);
  const text = String, evaluate = eval, { parse, stringify } = JSON, { apply } = Reflect;
  const { isFinite } = Number, { isArray } = Array;
  const { keys, getOwnPropertyNames, getPrototypeOf, setPrototypeOf, defineProperty } = Object;
  const { Error } = globalThis, join = own(Array.prototype.join), list = () => setPrototypeOf([], null);
  const slice = own(String.prototype.slice), includes = own(String.prototype.includes);
  const hasOwn = own(Object.prototype.hasOwnProperty), isoText = own(Date.prototype.toISOString);
  const unboxings = [Date, String, Number, Boolean].map(({ prototype }) => own(prototype.valueOf));
  const plain = [Object.prototype, Array.prototype];
  const input = parse(given);
  const log = list();
  const dotted = { __proto__: null }, assigned = { __proto__: null }, before = { __proto__: null };
  let result, last;

  for (const name of ["Promise", "queueMicrotask", "WeakRef", "FinalizationRegistry", "Atomics",
      "SharedArrayBuffer", "AsyncDisposableStack", "performance"]) delete globalThis[name];

  const variableName = name => {
    name = text(name);
    return name[0] === "$" ? name : "$" + name;
  };
  const isDotted = name => includes(name, ".");

  globalThis.Jitterbit = {
    GetVar: function GetVar(name) {
      name = variableName(name);
      const value = isDotted(name) ? dotted[name] : globalThis[name];
      return value === undefined ? null : value;
    },
    SetVar: function SetVar(name, value) {
      name = variableName(name);
      value = text(value);
      if (isDotted(name)) dotted[name] = assigned[name] = value;
      else globalThis[name] = value;
    },
  };
  for (const name of ["ReadFile", "WriteFile", "DbExecute", "DbLookup"])
    Jitterbit[name] = function refused() {
      const message = "Jitterbit." + name + " is not supported: a script reaches no files and no databases "
        + "here; do that part in Python";
      const error = new Error(message);
      defineProperty(error, "name", { __proto__: null, value: "UnknownFunction" });
      defineProperty(error, "toString", { __proto__: null, value: () => "UnknownFunction: " + message });
      throw error;
    };
  globalThis.WriteToOperationLog = function WriteToOperationLog(message) {
    log[log.length] = text(message);
    return message;
  };
  globalThis.SetScriptResult = function SetScriptResult(value) { result = { __proto__: null, value }; };

  const thrown = (message, stack) => ({ __proto__: null, toString: () => message, stack });
  const unheld = (what, why) => { throw thrown("Unheld: " + what + " " + why); };

  // What JSON.stringify writes, whatever toJSON and valueOf a script gave to what is built in.
  const isPlain = prototype => prototype === plain[0] || prototype === plain[1] || prototype === null;
  const methodOf = value => {
    for (let at = value; ; at = getPrototypeOf(at)) {
      if (isPlain(at)) return undefined;
      if (hasOwn(at, "toJSON")) return value.toJSON;
    }
  };
  const unboxed = value => {
    for (let position = 0; !isPlain(getPrototypeOf(value)) && position < unboxings.length; position++)
      try {
        const bare = unboxings[position](value);
        if (position > 0) return bare;
        return isFinite(bare) ? isoText(value) : null;
      } catch (error) { /* It is none of these. */ }
    const method = methodOf(value);
    return typeof method === "function" ? apply(method, value, []) : value;
  };
  const members = (what, value, above) => {
    const found = list();
    if (isArray(value)) {
      for (let position = 0; position < value.length; position++)
        found[position] = written(what, value[position], above) || "null";
      return "[" + join(found) + "]";
    }
    const names = keys(value);
    for (let position = 0; position < names.length; position++) {
      const member = written(what, value[names[position]], above);
      if (member !== undefined) found[found.length] = stringify(names[position]) + ":" + member;
    }
    return "{" + join(found) + "}";
  };
  const written = (what, value, above) => {
    if (value !== null && typeof value === "object") value = unboxed(value);
    if (value === null || typeof value === "boolean") return text(value);
    if (typeof value === "string") return stringify(value);
    if (typeof value === "number")
      return isFinite(value) ? text(value) : unheld(what, "holds what no variable can hold: "
        + "a number that is not finite");
    if (typeof value === "bigint") unheld(what, "holds a bigint, which no variable can hold");
    if (typeof value !== "object") return undefined;
    for (let outer = above; outer; outer = outer.above)
      if (outer.value === value) unheld(what, "holds what no variable can hold: circular reference");
    if (above && above.depth > DEPTH) unheld(what, "holds arrays and objects nested deeper than DEPTH");
    return members(what, value, { __proto__: null, value, above, depth: above ? above.depth + 1 : 1 });
  };
  const valueOf = (what, value) => {
    const json = value === undefined ? "null" : written(what, value);
    return json || unheld(what, "holds a " + typeof value + ", which no variable can hold");
  };

  for (const name of getOwnPropertyNames(input.variables)) {
    const value = input.variables[name], global = "$" + name;
    if (isDotted(name)) dotted[global] = value;
    else globalThis[global] = value;
    before[global] = typeof value === "object" ? written(global, value) : value;
  }
  input.arguments.forEach((value, position) => { globalThis["_" + (position + 1)] = value; });
  START_CLOCK(input);

  const collect = named => {
    const variables = list(), lines = list();
    let value = "null";
    const take = (name, value) => {
      const isNew = !(name in before);
      if (value === undefined && isNew) return;
      const json = valueOf(name, value);
      if (isNew || before[name] !== (typeof value === "object" ? json : value))
        variables[variables.length] = stringify(slice(name, 1)) + ":" + json;
    };
    const takeAll = (holder, isOurs) => {
      const names = getOwnPropertyNames(holder);
      for (let position = 0; position < names.length; position++)
        if (isOurs(names[position])) take(names[position], holder[names[position]]);
    };
    takeAll(named, () => true);
    takeAll(globalThis, name => name[0] === "$" && !(name in named));
    takeAll(assigned, () => true);
    for (let position = 0; position < log.length; position++)
      lines[position] = stringify(log[position]);
    if (result !== undefined) value = valueOf("the script's result", result.value);
    else try { value = valueOf("", last); } catch (error) { /* Nobody may want it. */ }
    // The binding cannot hold what + makes of long texts.
    return join(['{"variables":{', join(variables), '},"value":', value, ',"log":[', join(lines), "]}"], "");
  };

  // The engine would ask a value for its text when the script's time is no longer counted.
  const told = error => {
    let stack;
    try {
      if (error !== null && error !== undefined) stack = error.stack;
      return thrown(text(error), typeof stack === "string" ? stack : undefined);
    } catch (_) { return thrown("Textless: ", typeof stack === "string" ? stack : undefined); }
  };
  return function runScript(script, named, value) {
    if (script !== null) {
      try { last = evaluate(script); } catch (error) { throw told(error); }
      return "";
    }
    if (value !== null) last = value;
    return collect(named);
  };
})"""

CLOCK = r"""(function ({ clock: { now: time, refused }, seed }) {
  const { Date: Native, String, Number, Error, isNaN } = globalThis, proto = Native.prototype;
  const { UTC, parse } = Native, { construct, apply } = Reflect, { imul } = Math;
  const { call } = Function.prototype, own = method => call.bind(method);
  const slice = own(String.prototype.slice), trim = own(String.prototype.trim);
  const test = own(RegExp.prototype.exec), utcText = own(proto.toUTCString), timeOf = own(proto.getTime);
  const month = own(proto.getUTCMonth), day = own(proto.getUTCDate), year = own(proto.getUTCFullYear);
  const hours = own(proto.getUTCHours);
  const define = (target, name, value) =>
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  const now = function now() {
    if (refused) throw new Error(refused);
    return time;
  };
  const hasZone = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\s*(?:\(.*\))?\s*$/i;
  const isDate = /^\s*[+-]?\d{4,6}(?:-\d\d){0,2}\s*$/, isIso = /^\s*[+-]?\d{4,6}-\d\d-\d\dT/;
  const read = function parseDate(text) {
    text = String(text);
    if (test(isDate, text) || test(hasZone, text)) return parse(text);
    return parse(trim(text) + (test(isIso, text) ? "Z" : " GMT"));
  };
  const UTCDate = function Date(...parts) {
    if (!new.target) return forms.toString(new Native(now()));
    let time;
    if (parts.length === 0) time = now();
    else if (parts.length > 1) time = apply(UTC, undefined, parts);
    else if (parts[0] instanceof Native) time = timeOf(parts[0]);
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
  const dateText = (date, utc = utcText(date)) =>
    slice(utc, 0, 3) + " " + slice(utc, 8, 11) + " " + slice(utc, 5, 7) + slice(utc, 11, -13);
  const timeText = date => slice(utcText(date), -12, -4);
  const localDate = date => two(month(date) + 1) + "/" + two(day(date)) + "/" + year(date);
  const localTime = date =>
    two(hours(date) % 12 || 12) + slice(timeText(date), 2) + (hours(date) < 12 ? " AM" : " PM");
  const forms = {
    getTimezoneOffset: () => 0,
    toDateString: date => dateText(date),
    toTimeString: date => timeText(date) + " GMT+0000",
    toString: date => dateText(date) + " " + timeText(date) + " GMT+0000",
    toLocaleDateString: localDate,
    toLocaleTimeString: localTime,
    toLocaleString: date => localDate(date) + ", " + localTime(date),
  };
  for (const name of Object.keys(forms)) {
    const form = forms[name];
    define(proto, name, { [name]() {
      if (!isNaN(timeOf(this))) return form(this);
      return name === "getTimezoneOffset" ? NaN : "Invalid Date";
    } }[name]);
  }
  define(globalThis, "Date", UTCDate);
  let state = seed;
  define(Math, "random", function random() {
    state = state + 0x6d2b79f5 | 0;
    let mixed = imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  });
})"""

OWN_FUNCTIONS = frozenset(
    {
        "runScript",
        "GetVar",
        "SetVar",
        "variableName",
        "refused",
        "WriteToOperationLog",
        "SetScriptResult",
        "now",
        "parseDate",
        "Date",
    }
)
"""Functions of these texts, by the names that they have in an error's list of calls."""

_DEEPEST = 64

PRELUDE = START.replace("START_CLOCK", CLOCK).replace("DEPTH", str(_DEEPEST))
