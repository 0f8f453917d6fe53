// The flowchart: the nodes of a step are lit, and each way has its counts.

const edges = groupsBy("edge");
const nodes = groupsBy("node");

/** The groups of both pictures, the wide and the narrow one, by their name. */
function groupsBy(kind) {
  const found = new Map();
  for (const group of document.querySelectorAll(`#flowchart [data-${kind}]`)) {
    const name = group.dataset[kind];
    found.set(name, [...(found.get(name) ?? []), group]);
  }
  return found;
}

const totals = visitsUntil(LAST);

/** How often each edge was taken in the first steps, and each node. */
function visitsUntil(place) {
  const links = new Array(run.links.length).fill(0);
  for (let index = 0; index < place; index += 1)
    if (steps[index].link !== null) links[steps[index].link] += 1;
  const visits = { edges: new Map(), nodes: new Map() };
  const add = (map, names, times) =>
    names.forEach((name) => map.set(String(name), (map.get(String(name)) ?? 0) + times));
  links.forEach((times, link) => {
    add(visits.edges, run.links[link].edges, times);
    add(visits.nodes, run.links[link].nodes, times);
  });
  return visits;
}

function showFlowchart() {
  const step = steps[current.step - 1];
  const link = linkOf(step);
  const visits = visitsUntil(current.step);
  const lit = new Set(link?.nodes ?? firstNodeOf(step.operation));
  const taken = new Set((link?.edges ?? []).map(String));
  for (const [name, groups] of edges) {
    const [times, total] = [visits.edges.get(name) ?? 0, totals.edges.get(name) ?? 0];
    for (const group of groups) {
      group.classList.toggle("is-now", taken.has(name));
      group.classList.toggle("is-taken", times > 0);
      showCount(group.querySelector(".count"), times, total);
    }
  }
  for (const [name, groups] of nodes) {
    for (const group of groups) {
      group.classList.toggle("is-now", lit.has(name));
      group.classList.toggle("is-taken", (visits.nodes.get(name) ?? 0) > 0);
      group.classList.toggle("is-failed", lit.has(name) && isFailed(step));
    }
  }
  showWay(step, link);
  keepInSight();
}

/** The whole run: what it took, with how often, and no node is lit. */
function showTotals() {
  const show = (groups, times) => {
    for (const group of groups) {
      group.classList.remove("is-now", "is-failed");
      group.classList.toggle("is-taken", times > 0);
    }
  };
  for (const [name, groups] of nodes) show(groups, totals.nodes.get(name) ?? 0);
  for (const [name, groups] of edges) {
    const times = totals.edges.get(name) ?? 0;
    show(groups, times);
    for (const group of groups) group.querySelector(".count").textContent = times ? `${count(times)}×` : "";
  }
}

// Between two nodes there is room for so much in one line.
const SHORT_COUNT = 100;

function showCount(text, times, total) {
  if (total < SHORT_COUNT) {
    text.textContent = total ? `${times}/${total}` : "";
    return;
  }
  const line = (words, down) => {
    const part = document.createElementNS(text.namespaceURI, "tspan");
    part.setAttribute("x", text.getAttribute("x"));
    part.setAttribute("dy", down);
    part.textContent = words;
    return part;
  };
  text.replaceChildren(line(count(times), 0), line(`/${count(total)}`, "1.1em"));
}

/** A click on a node leads to the next step there, or to the first one. */
function followClicks() {
  for (const [name, groups] of nodes) {
    const isThere = (step) =>
      linkOf(step)?.nodes.includes(name) ?? firstNodeOf(step.operation).includes(name);
    const go = () => select(nextStep(current.step, isThere) || nextStep(0, isThere) || current.step);
    for (const group of groups) group.addEventListener("click", go);
  }
}

function firstNodeOf(operation) {
  const found = document.querySelector(`#flowchart [data-state="${CSS.escape(operation)}"]`);
  return found ? [found.dataset.node] : [];
}

/** The sentence below the picture, for those who do not see it too. */
function showWay(step, link) {
  const way = $("way");
  way.replaceChildren(shown("strong", words(step.operation)));
  if (!link) {
    way.append(" has not ended: ", shown("span", waitsFor(step)));
    return;
  }
  way.append(" → ", words(link.event), " → ", shown("strong", words(link.target)));
  if (link.when.length)
    way.append(
      make("span", { class: "muted" }, `  since ${link.when.join(" and ")} (the guide, ${run.loop_control})`),
    );
}

function waitsFor(step) {
  const held = askedIn(step).filter((each) => each.held && !each.decision);
  return held.length ? [...new Set(held.map((each) => waits(each.held)))].join(", ") : "the run stands here";
}

/** Where there is no room for the whole picture, the node that is lit stands in the middle. */
function keepInSight() {
  const around = $("flowchart");
  const lit = [...around.querySelectorAll(".node.is-now")].find((node) => node.getClientRects().length);
  if (!lit) return;
  const [box, view] = [lit.getBoundingClientRect(), around.getBoundingClientRect()];
  around.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
  around.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
}
