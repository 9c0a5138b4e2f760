// Small multiples: one panel per value of `panel` in the rows, all of the same size, in the order of the rows.
"use strict";
const { unique } = require("results");

// Okabe and Ito's colours, which stay apart for colour-blind readers and in grey.
const colours = { hdda: "#0072b2", pca: "#d55e00", gaussian: "#009e73", mahalanobis: "#cc79a7",
                  "diagonal-mahalanobis": "#8a6d00", "hdda-polynomial:2": "#e69f00",
                  "hdda-polynomial:3": "#56b4e9", "hdda-sum": "#000000" };
const shapes = { hdda: "circle", pca: "square", gaussian: "triangle-up", mahalanobis: "diamond",
                 "diagonal-mahalanobis": "cross", "hdda-polynomial:2": "triangle-down",
                 "hdda-polynomial:3": "triangle-right", "hdda-sum": "triangle-left" };
const dashes = { "radius-margin": [1, 0], "leave-one-out": [5, 3], "cross-validation": [1.5, 2] };
const pick = (table, names) => names.map((name) => table[name]);

const kernelScales = (kernels) => [
  { name: "colour", type: "ordinal", domain: kernels, range: pick(colours, kernels) },
  { name: "shape", type: "ordinal", domain: kernels, range: pick(shapes, kernels) },
];
const dashScale = (criteria) => ({ name: "dash", type: "ordinal", domain: criteria, range: pick(dashes, criteria) });

// Legends of what differs; `dashed`: criteria have lines of their own.
function legends(kernels, criteria, dashed) {
  const made = [];
  const place = { orient: "top", direction: "horizontal", titleOrient: "left", offset: 14 };
  if (kernels.length > 1) {
    made.push({ ...place, fill: "colour", stroke: "colour", shape: "shape", title: "kernel" });
  }
  if (dashed && criteria.length > 1) {
    made.push({ ...place, strokeDash: "dash", title: "criterion", symbolType: "stroke", symbolSize: 220,
                encode: { symbols: { update: { stroke: { value: "#333" } } } } });
  }
  return made;
}

const axis = (orient, scale, title, extra) => ({
  orient, scale, title, grid: true, tickCount: orient === "bottom" ? 5 : 4, labelOverlap: true, ...extra });

// Labels at powers of ten alone, where the scale is nice; long ones as 1e-6.
const isPower = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6";
const powerText = "format(datum.value, datum.value < 0.001 || datum.value >= 1e5 ? '.0e' : '~g')";
const logAxis = (orient, scale, title) => axis(orient, scale, title, {
  labelOverlap: false, encode: { labels: { update: { text: { signal: isPower + " ? " + powerText + " : ''" } } } } });

// A panel. `layers`: names of the kinds of rows (their field `layer`), each a data set of the panel's marks.
function panel(options) {
  return {
    type: "group",
    from: { facet: { name: "cell", data: "rows", groupby: "panel" } },
    title: { text: { signal: "parent.panel" }, frame: "group" },
    signals: [{ name: "width", update: String(options.width) }, { name: "height", update: String(options.height) }],
    encode: { update: { width: { value: options.width }, height: { value: options.height },
                        stroke: { value: "#cccccc" } } },
    data: (options.layers || []).map((layer) => ({
      name: layer, source: "cell", transform: [{ type: "filter", expr: "datum.layer === '" + layer + "'" }] })),
    scales: options.panelScales || [],
    axes: options.axes,
    marks: options.marks,
  };
}

const kPanelsPerDrawing = 12;

// Specifications of drawings with at most twelve panels, so that each fits on a printed page.
function drawings(rows, options) {
  const names = unique(rows.map((row) => row.panel));
  const specs = [];
  for (let start = 0; start < names.length; start += kPanelsPerDrawing) {
    const shown = new Set(names.slice(start, start + kPanelsPerDrawing));
    specs.push({
      // Axes of numbers are about as wide everywhere: spaced evenly, panels line up. Names take what they need.
      layout: { columns: options.columns,
                ...(options.named ? { padding: { row: 18, column: 22 }, bounds: "full", align: "each" }
                                  : { padding: { row: 74, column: 64 }, bounds: "flush" }) },
      data: [{ name: "rows", values: rows.filter((row) => shown.has(row.panel)) }],
      scales: options.scales || [],
      legends: options.legends || [],
      marks: [panel(options)],
    });
  }
  return specs;
}

// A line per `series` of the rows of a layer; `dash` is a scale of the criterion.
const lines = (layer, encode) => ({
  type: "group",
  from: { facet: { name: "line_" + layer, data: layer, groupby: "series" } },
  marks: [{ type: "line", from: { data: "line_" + layer },
            encode: { update: { strokeWidth: { value: 1.6 }, ...encode } } }],
});

const byKernel = { scale: "colour", field: "kernel" };
const at = (scale, field) => ({ scale, field: field || scale });

module.exports = { kernelScales, dashScale, legends, axis, logAxis, drawings, lines, byKernel, at };
