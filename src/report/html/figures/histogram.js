// How the values of a field of shares are distributed over the scene.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { binSpecs } = require("bars");

exports.draw = (place) => (results.histograms || []).forEach(({ name, caption, counts }) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return;
  const bins = counts.map((count, i) => ({
    panel: "", low: i / counts.length, high: (i + 1) / counts.length, count, value: (100 * count) / total }));
  const rows = bins.map((bin) => ({
    ...bin, tooltip: bin.low.toFixed(2) + " to " + bin.high.toFixed(2) + ": " + bin.count + " pixels" }));
  show(place, {
    id: "histogram-" + name, title: "How " + name + " is distributed", caption,
    specs: binSpecs(rows, name, "share of the pixels (%)"),
    table: { keys: 2, columns: ["from", "to", "pixels", "share (%)"],
             rows: bins.map((bin) => [bin.low, bin.high, bin.count, bin.value]) },
  });
});
