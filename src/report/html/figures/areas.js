// The pixels of every class of a map.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { axis, drawings, at } = require("panels");

const kWidth = 420;
const kRow = 22;

exports.draw = (place) => {
  const areas = results.areas || [];
  const total = areas.reduce((sum, area) => sum + area.pixels, 0);
  if (total === 0) return;
  const rows = areas.map((area) => ({
    ...area, panel: "", share: (100 * area.pixels) / total,
    text: ((100 * area.pixels) / total).toFixed(1) + " %",
    tooltip: area.name + ": " + area.pixels + " pixels" }));
  const height = kRow * rows.length;
  show(place, {
    id: "areas", title: "How much of the map each class has",
    caption: "Share of the classified pixels. Counted pixels are no estimate of areas: they have the map's errors.",
    specs: drawings(rows, {
      named: true, columns: 1, width: kWidth, height,
      scales: [
        { name: "x", type: "linear", range: [0, kWidth], nice: true, zero: true,
          domain: { data: "rows", field: "share" } },
        { name: "y", type: "band", range: [0, height], padding: 0.15, domain: rows.map((row) => row.name) },
      ],
      axes: [axis("bottom", "x", "share of the classified pixels (%)"),
             { orient: "left", scale: "y", ticks: false, labelLimit: 220 }],
      marks: [
        { type: "rect", from: { data: "cell" }, encode: { update: {
          x: { scale: "x", value: 0 }, x2: at("x", "share"), y: at("y", "name"), height: { scale: "y", band: 1 },
          fill: { field: "colour" }, stroke: { value: "#444" }, strokeWidth: { value: 0.5 },
          tooltip: { field: "tooltip" } } } },
        { type: "text", from: { data: "cell" }, encode: { update: {
          x: { scale: "x", field: "share", offset: 5 }, y: { scale: "y", field: "name", band: 0.5 },
          baseline: { value: "middle" }, fontSize: { value: 10.5 }, text: { field: "text" } } } },
      ],
    }),
    table: { keys: 2, columns: ["code", "class", "pixels", "share (%)"],
             rows: rows.map((row) => [row.code, row.name, row.pixels, row.share]) },
  });
};
