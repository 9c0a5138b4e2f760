// Accuracies of the first test set by method, over the repeats.
"use strict";
const { unique, isNumber, keyOf, methodsOf, labeller, withoutSweep, runsOf, dataNames, sentenceOf } = require("results");
const { show } = require("figure");
const { kernelScales } = require("panels");
const { boxplots, boxTable, boxCaption } = require("boxes");

// Groups of boxes of one measure: `valueOf` gives it in percent from a run, or nothing.
function groupsOf(runs, panel, valueOf) {
  const methods = methodsOf(runs);
  const label = labeller(methods);
  return methods.map((method) => ({
    panel, label: label(method), kernel: method.kernel, names: [panel, label(method)],
    values: runs.filter((run) => keyOf(run.method) === keyOf(method)).map(valueOf).filter(isNumber),
  })).filter((group) => group.values.length > 0);
}

const percent = (fraction) => (isNumber(fraction) ? 100 * fraction : null);

function add(section, id, title, caption, groups, firstColumn) {
  if (groups.length === 0) return;
  const kernels = unique(groups.map((group) => group.kernel));
  show(section, {
    id, title, caption: caption + boxCaption(groups),
    specs: boxplots(groups, { columns: 2, width: 270, axisTitle: "accuracy (%)", scales: kernelScales(kernels) }),
    table: boxTable([firstColumn, "method"], groups, "accuracy (%)"),
  });
}

exports.draw = (section) => {
  dataNames.forEach((name, index) => {
    const runs = withoutSweep(runsOf(name));
    if (runs.length === 0) return;
    const over = sentenceOf(runs[0].tests[0]) + " Accuracies are in per cent of them.";
    add(section, "accuracy-" + index, name + ": accuracy by method", over, [
      ...groupsOf(runs, "overall accuracy", (run) => percent(run.overall_accuracy)),
      ...groupsOf(runs, "mean binary accuracy", (run) => percent(run.average_binary_accuracy)),
    ], "measure");
    const classes = unique(runs.flatMap((run) => run.classes.map((trained) => trained.name)));
    add(section, "accuracy-classes-" + index, name + ": accuracy of each class against the rest", over,
        classes.flatMap((wanted) => groupsOf(runs, wanted, (run) => {
          const found = run.classes.find((trained) => trained.name === wanted);
          return found ? percent(found.binary_accuracy) : null;
        })), "class");
  });
};
