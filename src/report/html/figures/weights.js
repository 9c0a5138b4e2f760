// The weights of the kernels: one for each direction of the class subspace, and that of everything orthogonal to them.
"use strict";
const { unique, isNumber, firstRepeat, repeatText, withoutSweep, runsOf, dataNames } = require("results");
const { show } = require("figure");
const { kernelScales, dashScale, legends, axis, logAxis, drawings, lines, byKernel, at } = require("panels");
const { panelsOf } = require("criterion");

const kWidth = 250;
const kHeight = 160;

// Kernels with one metric for all classes have weights on another scale.
const isPooled = (kernel) => kernel.endsWith("mahalanobis");

function rowsOf(runs) {
  const panels = panelsOf(runs);
  const rows = [];
  for (const run of runs) {
    const { kernel, criterion } = run.method;
    if (isPooled(kernel)) continue;
    for (const trained of run.classes) {
      for (const panel of panels.titlesOf(run, trained)) {
        const common = { panel, kernel, criterion, series: kernel + ", " + criterion };
        (trained.weights || []).forEach((value, i) => {
          if (isNumber(value) && value > 0) rows.push({ ...common, layer: "direction", direction: i + 1, value });
        });
        if (trained.rest_weight > 0) rows.push({ ...common, layer: "isotropic", value: trained.rest_weight });
      }
    }
  }
  // Panels without a direction have nothing to compare.
  const directed = new Set(rows.filter((row) => row.layer === "direction").map((row) => row.panel));
  return panels.sorted(rows.filter((row) => directed.has(row.panel)));
}

function specsOf(rows) {
  const kernels = unique(rows.map((row) => row.kernel));
  const criteria = unique(rows.map((row) => row.criterion));
  const dash = { scale: "dash", field: "criterion" };
  return drawings(rows, {
    columns: 3, width: kWidth, height: kHeight, layers: ["direction", "isotropic"],
    scales: [...kernelScales(kernels), dashScale(criteria)], legends: legends(kernels, criteria, true),
    panelScales: [
      { name: "x", type: "linear", range: [0, kWidth], zero: false, nice: false, padding: 10,
        domain: { data: "direction", field: "direction" } },
      { name: "y", type: "log", range: [kHeight, 0], nice: true, domain: { data: "cell", field: "value" } },
    ],
    axes: [axis("bottom", "x", "direction i", { tickMinStep: 1, format: "d" }),
           logAxis("left", "y", "total weight vᵢ")],
    marks: [
      { type: "rule", from: { data: "isotropic" }, encode: { update: {
        x: { value: 0 }, x2: { value: kWidth }, y: at("y", "value"), stroke: byKernel, strokeOpacity: { value: 0.55 },
        strokeWidth: { value: 3 }, strokeDash: dash } } },
      lines("direction", { x: at("x", "direction"), y: at("y", "value"), stroke: byKernel, strokeDash: dash }),
      { type: "symbol", from: { data: "direction" }, encode: { update: {
        x: at("x", "direction"), y: at("y", "value"), fill: byKernel, shape: { scale: "shape", field: "kernel" },
        size: { value: 26 } } } },
    ],
  });
}

function tableOf(runs) {
  const columns = runs.flatMap((run) => run.classes.map((trained) => ({
    name: [trained.name, run.method.kernel, run.method.criterion, run.method.dimension].filter(Boolean).join(", "),
    weights: trained.weights || [], isotropic: trained.rest_weight })));
  const length = Math.max(...columns.map(({ weights }) => weights.length));
  return {
    columns: ["class, method", "rest w₀", ...Array.from({ length }, (_, i) => "v" + (i + 1))],
    rows: columns.map(({ name, weights, isotropic }) => [
      name, isotropic, ...Array.from({ length }, (_, i) => (i < weights.length ? weights[i] : "–"))]),
  };
}

exports.draw = (section) => dataNames.forEach((name, index) => {
  const runs = firstRepeat(withoutSweep(runsOf(name)));
  const rows = rowsOf(runs);
  if (rows.length === 0) return;
  show(section, {
    id: "weights-" + index, title: name + ": weights of the kernels by direction",
    caption: "Total weights of the class directions (markers) and weight w₀ of everything orthogonal to them (wide " +
             "horizontal lines), on the scaled samples, logarithmic" + repeatText + ". Directions below the line count " +
             "less than the rest." +
             (runs.some((run) => isPooled(run.method.kernel))
               ? " Those of Mahalanobis kernels with a pooled covariance, in another metric, are in the table." : ""),
    specs: specsOf(rows),
    table: tableOf(runs),
  });
});
