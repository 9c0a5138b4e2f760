// Boxplots, horizontal: one box per `label` in every panel, with all its values as points.
"use strict";
const { summaryOf, unique } = require("results");
const { axis, drawings, at } = require("panels");

// Fewer values have no quartiles worth a box.
const kLeastForBox = 5;
const kRowHeight = 22;

// `groups`: {panel, label, kernel, values}. Colours by kernel where `scales` has them.
function boxplots(groups, options) {
  const rows = [];
  for (const { panel, label, kernel, values } of groups) {
    const common = { panel, label, kernel };
    if (values.length >= kLeastForBox) rows.push({ ...common, layer: "box", ...summaryOf(values) });
    // Spread over the height of a box, the same way every time.
    const shift = (i) => (values.length > 1 ? (i % 7) / 6 - 0.5 : 0);
    values.forEach((value, i) => rows.push({ ...common, layer: "point", value, shift: shift(i) }));
  }
  const labels = unique(groups.map((group) => group.label));
  const colour = options.scales.length ? { scale: "colour", field: "kernel" } : { value: "#0072b2" };
  const shape = options.scales.length ? { scale: "shape", field: "kernel" } : { value: "circle" };
  const many = groups.some((group) => group.values.length >= kLeastForBox);
  const middle = { scale: "y", field: "label", band: 0.5 };
  const whisker = (from, to) => ({ type: "rule", from: { data: "box" }, encode: { update: {
    x: at("x", from), x2: at("x", to), y: middle, stroke: { value: "#333" } } } });
  return drawings(rows, {
    named: true, columns: options.columns, width: options.width, height: Math.max(2, labels.length) * kRowHeight,
    layers: ["box", "point"], scales: options.scales,
    panelScales: [
      { name: "x", type: "linear", range: [0, options.width], nice: true, zero: false, padding: 8, round: false,
        domain: { fields: [{ data: "point", field: "value" }] } },
      { name: "y", type: "band", range: [0, Math.max(2, labels.length) * kRowHeight], padding: 0.25, domain: labels },
    ],
    axes: [axis("bottom", "x", options.axisTitle, options.whole ? { tickMinStep: 1, format: "d" } : {}),
           { orient: "left", scale: "y", domain: false, ticks: false, labelPadding: 6, zindex: 1 }],
    marks: [
      { type: "symbol", from: { data: "point" }, encode: { update: {
        x: at("x", "value"), y: { ...middle, offset: { field: "shift", mult: 12 } }, fill: colour, shape,
        size: { value: many ? 12 : 50 }, fillOpacity: { value: many ? 0.45 : 0.9 } } } },
      whisker("least", "q1"), whisker("q3", "most"),
      { type: "rect", from: { data: "box" }, encode: { update: {
        x: at("x", "q1"), x2: at("x", "q3"), y: { scale: "y", field: "label" }, height: { scale: "y", band: 1 },
        fill: colour, fillOpacity: { value: 0.18 }, stroke: colour } } },
      { type: "rule", from: { data: "box" }, encode: { update: {
        x: at("x", "median"), y: { scale: "y", field: "label" }, y2: { scale: "y", field: "label", band: 1 },
        stroke: { value: "#111" }, strokeWidth: { value: 2 } } } },
    ],
  });
}

// `first`: titles of the groups' names. One value each is a column of its own.
function boxTable(first, groups, valueTitle) {
  if (groups.every((group) => group.values.length === 1)) {
    return { columns: [...first, valueTitle], rows: groups.map((group) => [...group.names, group.values[0]]) };
  }
  return {
    columns: [...first, "n", "minimum", "lower quartile", "median", "upper quartile", "maximum", "mean"],
    rows: groups.map((group) => {
      const { n, least, q1, median, q3, most, mean } = summaryOf(group.values);
      return [...group.names, n, least, q1, median, q3, most, mean];
    }),
  };
}

const boxCaption = (groups) => groups.some((group) => group.values.length >= kLeastForBox)
  ? " Boxes: quartiles and median; whiskers: least and largest value; points: every repeat."
  : "";

module.exports = { boxplots, boxTable, boxCaption };
