// Texts on the page: whatever they hold is shown as text, and long ones are folded.

/** An element. Attributes that are null or false are left out; children are elements or texts. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

// Control characters cannot be seen, and marks of direction would turn around what stands beside them.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/;
const BY_UNSEEN = new RegExp(`(${UNSEEN.source})`, "g");

/** Appends a text. What cannot be seen stays in it, with its code point before it. */
function appendText(parent, text) {
  if (!UNSEEN.test(text)) {
    parent.append(text);
    return;
  }
  for (const part of text.split(BY_UNSEEN)) {
    if (part.length === 1 && UNSEEN.test(part)) {
      const code = `U+${part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
      parent.append(make("span", { class: "unseen", "data-code": code, title: code }, part));
    } else if (part) parent.append(part);
  }
}

/** A short text in an element of its own, which keeps its direction to itself. */
function shown(tag, text, attributes) {
  const element = make(tag, { dir: "auto", ...attributes });
  appendText(element, String(text));
  return element;
}

// As a program would read it; strings are found whole, so that what stands in them counts for nothing.
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/.source;
const JSON_TOKEN = new RegExp(`${JSON_STRING}|[{}[\\],:]|[^\\s{}[\\],:"]+`, "gs");
const JSON_COLOURS = new RegExp(`(${JSON_STRING})(\\s*:)?|\\b(?:true|false|null|-?\\d[\\d.eE+-]*)\\b`, "gs");
const COLOURED_CHARS = 20_000;

/** A JSON text with a line for each member, and every number and string as it was written. Others stay. */
function indented(text) {
  if (!isJson(text)) return text;
  const parts = [];
  let depth = 0;
  let previous = "";
  const opens = (token) => token === "{" || token === "[";
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    if (token === "}" || token === "]") {
      depth -= 1;
      if (!opens(previous)) parts.push(line());
    } else if (opens(previous) || previous === ",") parts.push(line());
    parts.push(token === ":" ? ": " : token);
    if (opens(token)) depth += 1;
    previous = token;
  }
  return parts.join("");
}

function isJson(text) {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Appends JSON with its keys and values in colours, as long as it is not too long to be worth it. */
function appendJson(parent, text) {
  if (text.length > COLOURED_CHARS) {
    appendText(parent, text);
    return;
  }
  let end = 0;
  for (const match of text.matchAll(JSON_COLOURS)) {
    appendText(parent, text.slice(end, match.index));
    const kind = match[1] === undefined ? "literal" : match[2] === undefined ? "string" : "key";
    const part = make("span", { class: `json-${kind}` });
    appendText(part, match[1] ?? match[0]);
    parent.append(part, match[2] ?? "");
    end = match.index + match[0].length;
  }
  appendText(parent, text.slice(end));
}

const count = (number) => number.toLocaleString("en");
const times = (number) => (number === 2 ? "twice" : `${count(number)} times`);
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const SHOWN_CHARS = 1_500;
const SHOWN_BESIDE = 160;

/**
 * A box with pieces of a text: {read, length, mark}; mark is "ins", "del" or nothing. Long ones are folded.
 *
 * A piece with no mark beside one with a mark shows only what stands next to it.
 */
function box(pieces, json = false) {
  const element = make("div", { class: json ? "value json" : "value", dir: "auto" });
  const marked = pieces.some((piece) => piece.mark);
  pieces.forEach((piece, place) => {
    if (piece.length === 0) return;
    const part = make(piece.mark ?? "span", {});
    const side = piece.mark || !marked ? "start" : place === 0 ? "end" : "start";
    const most = piece.most ?? (piece.mark || !marked ? SHOWN_CHARS : SHOWN_BESIDE);
    appendFolded(part, piece, most, side, json, marked && !piece.mark);
    element.append(part);
  });
  if (element.childNodes.length === 0) element.append(make("span", { class: "empty" }, "empty"));
  return element;
}

const FOLD_IS_WORTH = 200;

// Nothing unfolds on paper. What is long is whole there, and what is huge is not.
const CHARS_ON_PAPER = 20_000;
let isOnPaper = false;

function appendFolded(part, piece, shownChars, side, json, unchanged) {
  const append = json ? appendJson : appendText;
  const most = isOnPaper && !unchanged ? CHARS_ON_PAPER : shownChars;
  if (piece.length <= most + (most ? FOLD_IS_WORTH : 0)) {
    append(part, piece.read());
    return;
  }
  const showAll = () => {
    part.replaceChildren();
    append(part, piece.read());
    part.tabIndex = -1;
    part.focus({ preventScroll: true });
  };
  const told = unchanged
    ? `… ${count(piece.length)} characters as before …`
    : isOnPaper
      ? ` … the first ${count(most)} of ${count(piece.length)} characters`
      : `Show all ${count(piece.length)} characters`;
  const button = make("button", { type: "button", class: "fold", on: { click: showAll } }, told);
  const text = most ? piece.read() : "";
  if (side === "end") {
    part.append(button);
    append(part, most ? text.slice(wholeFrom(text, text.length - most)) : "");
  } else {
    append(part, text.slice(0, wholeFrom(text, most)));
    part.append(button);
  }
}

/** A place in a text that does not part the two halves of a character. */
function wholeFrom(text, place) {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place;
}

const piece = (text, mark) => ({ read: () => text, length: text.length, mark });

/** A text as it is; JSON with lines and colours if that is wanted, and other texts as prose. */
function textBox(text, { json = false, prose = false } = {}) {
  const isWanted = json && isJson(text);
  const element = box([piece(isWanted ? indented(text) : text)], isWanted);
  if (prose && !isWanted) element.classList.add("prose");
  return element;
}

// Of a text that keeps so much of itself, what is new is marked; any other is shown before and after.
const KEPT_SHARE = 0.8;

/** A text that changed, with the change marked. */
function differenceBox(before, after, json) {
  const isWanted = json && (isJson(before) || before === "") && isJson(after);
  const [was, now] = isWanted ? [indented(before), indented(after)] : [before, after];
  if (was === "") {
    const element = box([piece(now)], isWanted);
    element.classList.add("is-new");
    return element;
  }
  if (isShort(was) && isShort(now)) return replacedBox(was, now, isWanted);
  const most = Math.min(was.length, now.length);
  let start = 0;
  while (start < most && was.charCodeAt(start) === now.charCodeAt(start)) start += 1;
  start = wholeFrom(now, start);
  let end = 0;
  while (end < most - start && was.charCodeAt(was.length - 1 - end) === now.charCodeAt(now.length - 1 - end))
    end += 1;
  end = now.length - wholeFrom(now, now.length - end);
  if (start + end < was.length * KEPT_SHARE) return replacedBox(was, now, isWanted);
  const pieces = [
    piece(now.slice(0, start)),
    piece(was.slice(start, was.length - end), "del"),
    piece(now.slice(start, now.length - end), "ins"),
    piece(now.slice(now.length - end)),
  ];
  return box(pieces, isWanted);
}

const isShort = (text) => text.length <= 60 && !text.includes("\n");

/** A text that gave way to another one: in a line if both are short, else side by side. */
function replacedBox(was, now, json) {
  if (isShort(was) && isShort(now)) {
    return make("p", { class: "scalar" }, shown("del", was), " → ", shown("ins", now));
  }
  const [before, after] = [box(onlyIn(was, now, "del"), json), box(onlyIn(now, was, "ins"), json)];
  before.classList.add("is-old");
  after.classList.add("is-new");
  const side = (name, element) => make("div", {}, make("h4", {}, name), element);
  return make("div", { class: "change" }, side("before", before), side("now", after));
}

/** A text in pieces; the lines that the other one does not have are marked. */
function onlyIn(text, other, mark) {
  const lines = text.split("\n");
  const known = new Set(other.split("\n"));
  const pieces = [];
  lines.forEach((line, place) => {
    const whole = place < lines.length - 1 ? `${line}\n` : line;
    const isMarked = lines.length > 1 && !known.has(line);
    const last = pieces.at(-1);
    if (last && last.isMarked === isMarked) last.text += whole;
    else pieces.push({ text: whole, isMarked });
  });
  return pieces.map(({ text: part, isMarked }) => ({ ...piece(part, isMarked && mark), most: SHOWN_CHARS }));
}

const JOINED_CHARS = 20_000;

/** InAndOut or tools_messages that changed. Of a long one that grew, what was appended; nothing is joined. */
function joinedBox(before, after, json) {
  const grew = isJoined(before) && isJoined(after) && lengthOf(after) > JOINED_CHARS && growth(before, after);
  if (!grew) return differenceBox(String(valueOf(before)), String(valueOf(after)), json);
  const added = grew.map((place) => run.texts[place]).join(",");
  const [, closing] = framesOf(after);
  const kept = lengthOf(after) - closing.length - added.length;
  const told = json ? indented(`[${added}]`).slice(2, -2) : `,${added}`;
  const pieces = [
    { read: () => valueOf(after).slice(0, kept), length: kept, most: 0 },
    piece(json ? `\n${told}\n` : told, "ins"),
    piece(closing),
  ];
  return box(pieces, json);
}

/** The fragments that were appended; null if anything else changed too. */
function growth(before, after) {
  const [was, now] = [membersOf(before), membersOf(after)];
  if (!sameValue(framesOf(before), framesOf(after)) || was.length === 0 || was.length >= now.length)
    return null;
  return was.every((place, index) => now[index] === place) ? now.slice(was.length) : null;
}

/** Seconds as a reader wants them. */
function duration(seconds) {
  if (seconds < 0.0005) return "under 1 ms";
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

const money = (dollars) => `$${dollars.toFixed(dollars < 0.01 ? 6 : dollars < 1 ? 4 : 2)}`;
