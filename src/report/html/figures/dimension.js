// The dimension p of the signal subspaces: as estimated over the repeats, and how the accuracy depends on it.
"use strict";
const { unique, mean, isNumber, isFixed, sweptKernels, runsOf, dataNames } = require("results");
const { show } = require("figure");
const { kernelScales, dashScale, legends, axis, drawings, lines, byKernel, at } = require("panels");
const { boxplots, boxTable, boxCaption } = require("boxes");

// Estimates do not depend on kernel and criterion: one per repeat, rule and class.
function estimatesOf(runs) {
  const groups = new Map();
  for (const run of runs) {
    if (!run.method.dimension || isFixed(run.method)) continue;
    for (const trained of run.classes) {
      const key = run.method.dimension + "\n" + trained.name;
      if (!groups.has(key)) groups.set(key, { panel: run.method.dimension, label: trained.name, seen: new Map() });
      groups.get(key).seen.set(run.repeat, trained.dimension);
    }
  }
  return [...groups.values()].map(({ panel, label, seen }) => ({
    panel, label, names: [panel, label], values: [...seen.values()] }));
}

exports.estimates = {
  draw: (section) => dataNames.forEach((name, index) => {
    const groups = estimatesOf(runsOf(name));
    if (!groups.some((group) => group.values.length > 1)) return;
    show(section, {
      id: "dimension-" + index, title: name + ": estimated dimension of the signal subspace",
      caption: "Dimension p of each class, by the rule in the panel's title." + boxCaption(groups),
      specs: boxplots(groups, { columns: 2, width: 340, axisTitle: "dimension p", scales: [], whole: true }),
      table: boxTable(["rule", "class"], groups, "dimension p"),
    });
  }),
};

// Mean binary accuracy by kernel, criterion, rule and class.
function pointsOf(runs) {
  const points = new Map();
  for (const run of runs) {
    const { kernel, criterion, dimension } = run.method;
    for (const trained of run.classes) {
      const key = [kernel, criterion, dimension, trained.name].join("\n");
      if (!points.has(key)) {
        points.set(key, { kernel, criterion, rule: dimension, panel: trained.name, series: kernel + ", " + criterion,
                          layer: isFixed(run.method) ? "curve" : "chosen", dimensions: [], accuracies: [] });
      }
      points.get(key).dimensions.push(trained.dimension);
      points.get(key).accuracies.push(trained.binary_accuracy);
    }
  }
  return [...points.values()].map(({ dimensions, accuracies, ...point }) => ({
    ...point, p: mean(dimensions), accuracy: 100 * mean(accuracies.filter(isNumber)) }))
    .sort((a, b) => a.p - b.p);
}

function sweepSpecs(points, kernels, criteria) {
  const width = 380;
  const height = 230;
  const marker = (layer, encode) => ({ type: "symbol", from: { data: layer }, encode: { update: {
    x: at("x", "p"), y: at("y", "accuracy"), shape: { scale: "shape", field: "kernel" }, stroke: byKernel,
    ...encode } } });
  return drawings(points, {
    columns: 2, width, height, layers: ["curve", "chosen"],
    scales: [...kernelScales(kernels), dashScale(criteria)], legends: legends(kernels, criteria, true),
    panelScales: [
      { name: "x", type: "linear", range: [0, width], nice: true, zero: false, padding: 8,
        domain: { data: "cell", field: "p" } },
      { name: "y", type: "linear", range: [height, 0], nice: true, zero: false, padding: 20,
        domain: { data: "cell", field: "accuracy" } },
    ],
    axes: [axis("bottom", "x", "dimension p of the signal subspace", { tickMinStep: 1 }),
           axis("left", "y", "binary accuracy (%)")],
    marks: [
      lines("curve", { x: at("x", "p"), y: at("y", "accuracy"), stroke: byKernel,
                       strokeDash: { scale: "dash", field: "criterion" } }),
      marker("curve", { fill: byKernel, size: { value: 22 } }),
      marker("chosen", { fill: { value: "#ffffff" }, fillOpacity: { value: 0.6 }, size: { value: 150 },
                         strokeWidth: { value: 2.2 } }),
      { type: "text", from: { data: "chosen" }, encode: { update: {
        x: at("x", "p"), y: { scale: "y", field: "accuracy", offset: -11 }, align: { value: "center" },
        text: { field: "rule" }, fontSize: { value: 10.5 }, fill: byKernel } } },
    ],
  });
}

exports.sweep = {
  draw: (section) => dataNames.forEach((name, index) => {
    const all = runsOf(name);
    const swept = sweptKernels(all);
    if (swept.length === 0) return;
    const points = pointsOf(all.filter((run) => swept.includes(run.method.kernel)));
    const criteria = unique(points.map((point) => point.criterion));
    show(section, {
      id: "sweep-" + index, title: name + ": accuracy against the dimension of the signal subspace",
      caption: "Binary accuracy of the class in the panel's title, first test set" +
               (unique(all.map((run) => run.repeat)).length > 1 ? ", mean over the repeats" : "") +
               ". Small markers: fixed dimensions; large ones: the dimension that a rule chose.",
      specs: sweepSpecs(points, swept, criteria),
      table: { columns: ["class", "kernel", "criterion", "rule", "p", "accuracy (%)"],
               rows: points.map((p) => [p.panel, p.kernel, p.criterion, p.rule, p.p, p.accuracy]) },
    });
  }),
};
