// How far map pixels lie from labels, and left-out pixels from those trained on: a cumulative curve for each.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { axis, at } = require("panels");

const kWidth = 560;
const kHeight = 260;
// Name, field of the design, colour and dash, which stay apart in grey.
const kCurves = [
  ["map pixels, to the nearest label", "map_distances", "#0072b2", [1, 0]],
  ["left-out pixels, to the nearest pixel trained on", "fold_distances", "#d55e00", [6, 3]],
  ["labels, to the nearest other label", "label_distances", "#777777", [2, 2]],
];

// The quantiles are evenly spaced from 0 to 100 %.
const shareOf = (values, i) => (100 * i) / (values.length - 1);

function specOf(design, curves, unit) {
  const rows = curves.flatMap(([name, field]) =>
    design[field].map((distance, i) => ({ name, distance, share: shareOf(design[field], i) })));
  const by = (index) => ({ type: "ordinal", domain: curves.map(([name]) => name),
                           range: curves.map((curve) => curve[index]) });
  return {
    width: kWidth, height: kHeight,
    autosize: { type: "fit-x", contains: "padding" },
    data: [{ name: "rows", values: rows }],
    scales: [
      // Logarithmic, with room for a distance of 0.
      { name: "x", type: "symlog", range: "width", nice: true, zero: true, domain: { data: "rows", field: "distance" } },
      { name: "y", type: "linear", range: "height", domain: [0, 100] },
      { name: "colour", ...by(2) }, { name: "dash", ...by(3) },
    ],
    axes: [axis("bottom", "x", "distance (" + unit + ")", { tickCount: 8 }), axis("left", "y", "pixels (%)")],
    legends: [{ stroke: "colour", strokeDash: "dash", orient: "bottom", direction: "vertical", symbolType: "stroke",
                symbolSize: 300, symbolStrokeWidth: 2 }],
    marks: [{
      type: "group", from: { facet: { name: "line", data: "rows", groupby: "name" } },
      marks: [{ type: "line", from: { data: "line" }, encode: { update: {
        x: at("x", "distance"), y: at("y", "share"), stroke: { scale: "colour", field: "name" },
        strokeDash: { scale: "dash", field: "name" }, strokeWidth: { value: 2 } } } }],
    }],
  };
}

exports.draw = (place) => {
  const design = results.unit_design;
  if (!design || design.map_distances.length === 0) return;
  const unit = design.metres ? "m" : "pixels";
  const curves = kCurves.filter(([, field]) => design[field].length > 0);
  show(place, {
    id: "distances", title: "Distances of map pixels and of left-out pixels",
    caption: "Share of the pixels that lie at most so far away. The left-out pixels (" + design.unit + ") represent " +
             "the map as far as their curve follows that of the map pixels.",
    specs: [specOf(design, curves, unit)],
    table: { columns: ["pixels (%)", ...curves.map(([name]) => name + " (" + unit + ")")],
             rows: design[curves[0][1]].map((_, i) => [shareOf(design[curves[0][1]], i),
                                                       ...curves.map(([, field]) => design[field][i])]) },
  });
};
