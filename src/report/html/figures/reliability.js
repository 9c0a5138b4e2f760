// Whether pixels of a given confidence are right as often as it says.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { binSpecs } = require("bars");
const { at } = require("panels");

exports.draw = (place) => {
  const bins = (results.reliability || []).filter((bin) => bin.pixels > 0);
  if (bins.length === 0) return;
  const rows = bins.map((bin) => ({
    ...bin, panel: "", value: bin.accuracy,
    tooltip: "confidence " + bin.confidence.toFixed(3) + ", right " + bin.accuracy.toFixed(3) + ", " + bin.pixels +
             " pixels" }));
  const marks = [
    { type: "rule", encode: { update: {
      x: { scale: "x", value: 0 }, x2: { scale: "x", value: 1 }, y: { scale: "y", value: 0 },
      y2: { scale: "y", value: 1 }, stroke: { value: "#666" }, strokeDash: { value: [5, 3] } } } },
    { type: "symbol", from: { data: "cell" }, encode: { update: {
      x: at("x", "confidence"), y: at("y", "accuracy"), fill: { value: "#0072b2" }, size: { value: 40 },
      tooltip: { field: "tooltip" } } } },
  ];
  show(place, {
    id: "reliability", title: "Are the probabilities right",
    caption: "Reference pixels by the largest probability of the map's classes (mean of each bin, dots): the share of " +
             "them that is classified right. On the dashed line it is what the probabilities say, below it they are " +
             "too sure.",
    specs: binSpecs(rows, "largest probability", "share classified right", { marks, domain: [0, 1] }),
    table: { keys: 2, columns: ["from", "to", "mean probability", "share right", "pixels"],
             rows: bins.map((bin) => [bin.low, bin.high, bin.confidence, bin.accuracy, bin.pixels]) },
  });
};
