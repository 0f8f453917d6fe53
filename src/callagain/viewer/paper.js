// On paper there are no tabs: a short run is printed as a list of its steps, a long one as it is seen.

const STEPS_ON_PAPER = 60;

function preparePaper() {
  const paper = $("print");
  document.body.classList.toggle("prints-steps", LAST <= STEPS_ON_PAPER);
  if (LAST > STEPS_ON_PAPER || paper.childElementCount) return;
  for (let place = 1; place <= LAST; place += 1) paper.append(printedStep(place));
}

function printedStep(place) {
  const step = steps[place - 1];
  const element = make(
    "section",
    { class: "printed" },
    make("h2", {}, `${place}  ${words(step.operation)}`),
    shown("p", summaryOf(step)),
  );
  const [before, after] = [variablesBefore[place - 1], variablesAfter[place - 1]];
  for (const name of changedIn(place))
    element.append(variable(name, changedValue(before[name], after[name])));
  for (const call of step.calls ?? []) element.append(callCard(call));
  for (const note of step.notes ?? []) element.append(noteLine(note));
  if (step.problem) element.append(problemBox(step.problem));
  return element;
}

const clearPaper = () => $("print").replaceChildren();
