// Confusion matrices of the first test set.
"use strict";
const { unique, keyOf, methodsOf, labeller, withoutSweep, runsOf, dataNames, sentenceOf } = require("results");
const { show } = require("figure");
const { drawings } = require("panels");

// Sums over the repeats, by method.
function matricesOf(runs) {
  const methods = methodsOf(runs);
  // What was tested names the panel where nothing else varies.
  const label = methods.length > 1 ? labeller(methods) : () => runs[0].tests[0].name;
  const sums = new Map();
  for (const run of runs) {
    const matrix = run.tests[0].confusion_matrix;
    if (!matrix) continue;
    const key = keyOf(run.method);
    if (!sums.has(key)) {
      sums.set(key, { label: label(run.method), names: matrix.names,
                      counts: matrix.counts.map((row) => row.map(() => 0)) });
    }
    matrix.counts.forEach((row, r) => row.forEach((count, c) => { sums.get(key).counts[r][c] += count; }));
  }
  return [...sums.values()];
}

function rowsOf(matrices) {
  return matrices.flatMap(({ label, names, counts }) => counts.flatMap((row, r) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count, c) => ({ panel: label, reference: names[r], assigned: names[c],
                                    share: total > 0 ? (100 * count) / total : 0 }));
  }));
}

const kMostForText = 12;

function specsOf(rows, classes) {
  const size = Math.max(140, Math.min(330, 34 * classes.length));
  const rounded = "datum.share > 0 ? format(datum.share, datum.share >= 99.95 ? 'd' : '.1f') : ''";
  const cell = { x: { scale: "x", field: "assigned" }, y: { scale: "y", field: "reference" } };
  const text = { type: "text", from: { data: "cell" }, encode: { update: {
    x: { ...cell.x, band: 0.5 }, y: { ...cell.y, band: 0.5 }, align: { value: "center" }, baseline: { value: "middle" },
    fontSize: { value: 10 }, text: { signal: rounded }, fill: { signal: "datum.share > 55 ? '#fff' : '#222'" } } } };
  return drawings(rows, {
    named: true, columns: size > 250 ? 2 : 3, width: size, height: size,
    scales: [
      { name: "x", type: "band", domain: classes, range: [0, size] },
      { name: "y", type: "band", domain: classes, range: [0, size] },
      { name: "shade", type: "linear", domain: [0, 100], range: ["#ffffff", "#08519c"] },
    ],
    axes: [{ orient: "bottom", scale: "x", title: "assigned class", ticks: false, labelLimit: 150,
             ...(classes.some((name) => name.length > 4) ? { labelAngle: -40, labelAlign: "right" } : {}) },
           { orient: "left", scale: "y", title: "reference class", ticks: false, labelLimit: 150 }],
    marks: [
      { type: "rect", from: { data: "cell" }, encode: { update: {
        ...cell, width: { scale: "x", band: 1 }, height: { scale: "y", band: 1 },
        fill: { scale: "shade", field: "share" }, stroke: { value: "#ddd" } } } },
      ...(classes.length <= kMostForText ? [text] : []),
    ],
  });
}

exports.draw = (section) => dataNames.forEach((name, index) => {
  const runs = withoutSweep(runsOf(name));
  const matrices = matricesOf(runs);
  if (matrices.length === 0) return;
  const classes = unique(matrices.flatMap(({ names }) => names));
  const repeats = unique(runs.map((run) => run.repeat)).length;
  show(section, {
    id: "confusion-" + index, title: name + ": confusion matrices",
    caption: sentenceOf(runs[0].tests[0]) + (repeats > 1 ? " Counts are sums over the " + repeats + " repeats." : "") +
             " Shade and number are per cent of the samples of the reference class (row) that were given each class " +
             "(column); empty cells have none. The table has numbers of samples.",
    specs: specsOf(rowsOf(matrices), classes),
    table: {
      keys: 2,
      columns: [matrices.length > 1 ? "method" : "test", "reference", ...classes],
      rows: matrices.flatMap(({ label, names, counts }) => counts.map((row, r) => [label, names[r], ...row])),
    },
  });
});
