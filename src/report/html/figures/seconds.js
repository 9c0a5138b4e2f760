// Processing time by method, with evaluations and stop reasons.
"use strict";
const { unique, mean, isNumber, keyOf, methodsOf, labeller, runsOf, withoutSweep, dataNames } = require("results");
const { show } = require("figure");
const { kernelScales, legends, axis, drawings, at } = require("panels");

const secondsOf = (run) => run.classes.reduce((sum, trained) => sum + trained.seconds, 0);

function barsOf(runs) {
  const methods = methodsOf(runs);
  const label = labeller(methods);
  return methods.map((method) => {
    const own = runs.filter((run) => keyOf(run.method) === keyOf(method));
    const seconds = mean(own.map(secondsOf));
    return { panel: "all classes, mean of " + own.length + (own.length === 1 ? " run" : " runs"), label: label(method),
             kernel: method.kernel, seconds, text: Number(seconds.toPrecision(3)) + " s" };
  });
}

function specsOf(bars) {
  const width = 520;
  const height = Math.max(2, bars.length) * 24;
  const kernels = unique(bars.map((bar) => bar.kernel));
  return drawings(bars, {
    named: true, columns: 1, width, height, scales: kernelScales(kernels), legends: legends(kernels, [], false).map(
      ({ shape, ...legend }) => ({ ...legend, symbolType: "square" })),
    panelScales: [
      { name: "x", type: "linear", range: [0, width], domain: [0, 1.15 * Math.max(...bars.map((bar) => bar.seconds))] },
      { name: "y", type: "band", range: [0, height], padding: 0.25, domain: { data: "cell", field: "label" } },
    ],
    axes: [axis("bottom", "x", "processor time (s)"),
           { orient: "left", scale: "y", domain: false, ticks: false, labelPadding: 6, zindex: 1 }],
    marks: [
      { type: "rect", from: { data: "cell" }, encode: { update: {
        x: { scale: "x", value: 0 }, x2: at("x", "seconds"), y: at("y", "label"), height: { scale: "y", band: 1 },
        fill: { scale: "colour", field: "kernel" } } } },
      { type: "text", from: { data: "cell" }, encode: { update: {
        x: { ...at("x", "seconds"), offset: 4 }, y: { ...at("y", "label"), band: 0.5 }, baseline: { value: "middle" },
        text: { field: "text" }, fontSize: { value: 10.5 } } } },
    ],
  });
}

// "converged (48), evaluation limit (2)"; the counts are left out where there is one run.
function reasonsOf(trained) {
  const reasons = unique(trained.map((one) => one.stop_reason));
  const count = (reason) => trained.filter((one) => one.stop_reason === reason).length;
  return reasons.map((reason) => (trained.length > 1 ? reason + " (" + count(reason) + ")" : reason)).join("; ");
}

function tableOf(runs) {
  const rows = [];
  for (const method of methodsOf(runs)) {
    const own = runs.filter((run) => keyOf(run.method) === keyOf(method));
    for (const name of unique(own.flatMap((run) => run.classes.map((trained) => trained.name)))) {
      const trained = own.flatMap((run) => run.classes.filter((one) => one.name === name));
      const average = (field) => Number(mean(trained.map((one) => one[field]).filter(isNumber)).toPrecision(4));
      rows.push([[method.kernel, method.criterion, method.dimension].filter(Boolean).join(", "), name,
                 average("seconds"), average("evaluations"), average("dimension"), average("criterion_value"),
                 average("C"), average("support_vectors"), reasonsOf(trained)]);
    }
  }
  return { columns: ["method", "class", "seconds", "evaluations", "p", "criterion", "C", "support vectors",
                     "stop reason (runs)"], rows };
}

exports.draw = (section) => dataNames.forEach((name, index) => {
  const runs = runsOf(name);
  const shown = withoutSweep(runs);
  show(section, {
    id: "seconds-" + index, title: name + ": processing time",
    caption: "Processor time of selecting hyperparameters and training, of all classes together. The table has every " +
             "class, means over the repeats, with evaluations of the criterion and why its minimisation stopped.",
    specs: specsOf(barsOf(shown.length ? shown : runs)),
    table: tableOf(runs),
  });
});
