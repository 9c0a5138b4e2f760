// The criterion while hyperparameters were selected.
"use strict";
const { extent } = require("vega");
const { results, unique, isNumber, firstRepeat, repeatText, withoutSweep, runsOf, dataNames } = require("results");
const { show } = require("figure");
const { kernelScales, legends, axis, logAxis, drawings, lines, byKernel, at } = require("panels");

const kWidth = 250;
const kHeight = 150;

// Panels are classes x dimension rules, in this order; kernels without a subspace are in those of every rule.
function panelsOf(runs) {
  const rules = unique(runs.map((run) => run.method.dimension).filter(Boolean));
  const classes = unique(runs.flatMap((run) => run.classes.map((trained) => trained.name)));
  const title = (name, rule) => (rules.length > 1 ? name + ", " + rule : name);
  const order = classes.flatMap((name) => rules.map((rule) => title(name, rule)));
  return {
    titlesOf: (run, trained) => {
      const shown = run.method.dimension || rules.length === 0 ? [run.method.dimension] : rules;
      return shown.map((rule) => title(trained.name, rule));
    },
    sorted: (rows) => rows.sort((one, other) => order.indexOf(one.panel) - order.indexOf(other.panel)),
  };
}

function traceRows(runs) {
  const panels = panelsOf(runs);
  const rows = [];
  for (const run of runs) {
    for (const trained of run.classes) {
      for (const panel of panels.titlesOf(run, trained)) {
        const { kernel } = run.method;
        // Trials of a line search may be far off: what counts is the best value so far.
        let best = Infinity;
        (trained.trace || []).forEach((value, i) => {
          if (isNumber(value)) best = Math.min(best, value);
          if (best < Infinity) {
            rows.push({ layer: "trace", panel, series: kernel, kernel, evaluation: i + 1, value: best });
          }
        });
      }
    }
  }
  return panels.sorted(rows);
}

const kLogarithmicFrom = 20;

function traceSpecs(rows, kernels, criterion) {
  const [least, most] = extent(rows, (row) => row.value);
  const logarithmic = least > 0 && most > kLogarithmicFrom * least;
  return drawings(rows, {
    columns: 3, width: kWidth, height: kHeight, layers: ["trace"],
    scales: kernelScales(kernels), legends: legends(kernels, [], false),
    panelScales: [
      { name: "x", type: "linear", range: [0, kWidth], nice: true, zero: true,
        domain: { data: "cell", field: "evaluation" } },
      { name: "y", type: logarithmic ? "log" : "linear", range: [kHeight, 0], nice: true, zero: false,
        domain: { data: "cell", field: "value" } },
    ],
    axes: [axis("bottom", "x", "evaluation of the last descent", { tickMinStep: 1 }),
           (logarithmic ? logAxis : axis)("left", "y", criterion === "radius-margin" ? "T = R²M²" : "criterion")],
    marks: [
      lines("trace", { x: at("x", "evaluation"), y: at("y", "value"), stroke: byKernel }),
      { type: "symbol", from: { data: "trace" }, encode: { update: {
        x: at("x", "evaluation"), y: at("y", "value"), fill: byKernel, shape: { scale: "shape", field: "kernel" },
        size: { value: 14 } } } },
    ],
  });
}

function traceTable(runs) {
  const traces = runs.flatMap((run) => run.classes.map((trained) => ({
    name: [trained.name, run.method.kernel, run.method.dimension].filter(Boolean).join(", "),
    trace: trained.trace || [] }))).filter(({ trace }) => trace.length > 0);
  const length = Math.max(...traces.map(({ trace }) => trace.length));
  return {
    columns: ["evaluation", ...traces.map(({ name }) => name)],
    rows: Array.from({ length }, (_, i) => [i + 1, ...traces.map(({ trace }) => (i < trace.length ? trace[i] : "–"))]),
  };
}

exports.panelsOf = panelsOf;
exports.draw = (section) => dataNames.forEach((name, index) => {
  const all = firstRepeat(withoutSweep(runsOf(name)));
  for (const criterion of unique(all.map((run) => run.method.criterion))) {
    const runs = all.filter((run) => run.method.criterion === criterion);
    const rows = traceRows(runs);
    if (rows.length === 0) continue;
    show(section, {
      id: "criterion-" + index + "-" + criterion, title: name + ": " + criterion + " criterion while it was minimised",
      caption: "The least value so far, by evaluation of the last descent" + repeatText + ". The table has every value.",
      specs: traceSpecs(rows, unique(rows.map((row) => row.kernel)), criterion),
      table: traceTable(runs),
    });
  }
});
