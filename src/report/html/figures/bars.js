// Upright bars over the bins of [0, 1].
"use strict";
const { axis, drawings, at } = require("panels");

const kWidth = 520;
const kHeight = 200;

// `rows`: {panel, low, high, value, tooltip}; `marks` are drawn over the bars.
function binSpecs(rows, xTitle, yTitle, { marks = [], domain = { data: "rows", field: "value" } } = {}) {
  return drawings(rows, {
    columns: 1, width: kWidth, height: kHeight,
    scales: [
      { name: "x", type: "linear", range: [0, kWidth], domain: [0, 1] },
      { name: "y", type: "linear", range: [kHeight, 0], nice: true, zero: true, domain },
    ],
    axes: [axis("bottom", "x", xTitle, { tickCount: 10 }), axis("left", "y", yTitle)],
    marks: [
      { type: "rect", from: { data: "cell" }, encode: { update: {
        x: { scale: "x", field: "low", offset: 0.5 }, x2: { scale: "x", field: "high", offset: -0.5 },
        y: at("y", "value"), y2: { scale: "y", value: 0 }, fill: { value: "#56b4e9" },
        tooltip: { field: "tooltip" } } } },
      ...marks,
    ],
  });
}

module.exports = { binSpecs };
