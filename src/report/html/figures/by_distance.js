// The share of a map that is right against the distance to the nearest labelled pixel: a step for each range of distances,
// in its interval.
"use strict";
const { show } = require("figure");
const { axis, at } = require("panels");

const kColour = "#0072b2";

exports.draw = (place) => {
  if (!place.dataset.values) return;
  const parts = JSON.parse(place.dataset.values).by_distance;
  const percent = (share) => (share === null ? null : 100 * share);
  const rows = parts.map((part, i) => ({
    near: i === 0 ? 0 : parts[i - 1].distance, far: part.distance, right: percent(part.accuracy),
    low: percent(part.interval && part.interval[0]), high: percent(part.interval && part.interval[1]),
    share: percent(part.map_share), pixels: part.pixels }));
  const across = { x: at("x", "near"), x2: at("x", "far") };
  show(place, {
    id: "by-distance", title: "Accuracy by the distance to the nearest labelled pixel",
    caption: "Left-out pixels that are classified correctly (lines), with the 95 % interval (grey). Beyond the last " +
             "distance nothing was measured.",
    specs: [{
      width: 560, height: 220, autosize: { type: "fit-x", contains: "padding" },
      data: [{ name: "rows", values: rows.filter((row) => row.right !== null) }],
      scales: [
        { name: "x", type: "symlog", range: "width", zero: true, domain: { data: "rows", field: "far" } },
        { name: "y", type: "linear", range: "height", domain: [0, 100] },
      ],
      axes: [axis("bottom", "x", "distance (pixels)", { tickCount: 8 }), axis("left", "y", "right (%)")],
      marks: [
        { type: "rect", from: { data: "rows" }, encode: { update: {
          ...across, y: at("y", "low"), y2: at("y", "high"), fill: { value: "#cccccc" },
          opacity: { signal: "datum.low === null ? 0 : 0.6" } } } },
        { type: "rule", from: { data: "rows" }, encode: { update: {
          ...across, y: at("y", "right"), stroke: { value: kColour }, strokeWidth: { value: 2.5 } } } },
      ],
    }],
    table: { keys: 2, columns: ["from (pixels)", "to (pixels)", "right (%)", "lower end (%)", "upper end (%)",
                                "share of the map (%)", "left-out pixels"],
             rows: rows.map((row) => [row.near, row.far, row.right, row.low, row.high, row.share, row.pixels]) },
  });
};
