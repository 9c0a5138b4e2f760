// Values of kernels in the plane.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { axis } = require("panels");

const kSize = 240;
const steps = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

// Contours start from the upper row of a grid; its cells are centred on half indices.
function contours(surface) {
  const points = surface.values.length;
  const grid = { width: points, height: points, values: surface.values.slice().reverse().flat() };
  const step = kSize / (points - 1);
  const place = { type: "isocontour", scale: step, translate: [-step / 2, -step / 2] };
  return { grid, place };
}

function panel(surface, index) {
  const { grid, place } = contours(surface);
  const half = surface.half_width;
  const name = "grid" + index;
  return {
    type: "group",
    title: { text: surface.title, frame: "group" },
    encode: { update: { width: { value: kSize }, height: { value: kSize }, stroke: { value: "#888" } } },
    data: [
      { name, values: [grid] },
      { name: "steps" + index, source: name, transform: [{ ...place, thresholds: steps }] },
      { name: "level" + index, source: name, transform: [{ ...place, thresholds: [surface.contour] }] },
    ],
    scales: [
      { name: "x", type: "linear", domain: [-half, half], range: [0, kSize] },
      { name: "y", type: "linear", domain: [-half, half], range: [kSize, 0] },
    ],
    axes: [{ ...axis("bottom", "x", "x₁"), grid: false }, { ...axis("left", "y", "x₂"), grid: false }],
    marks: [{
      type: "group", clip: true,
      encode: { update: { width: { value: kSize }, height: { value: kSize } } },
      marks: [
        { type: "path", from: { data: "steps" + index }, transform: [{ type: "geopath", field: "datum.contour" }],
          encode: { update: { fill: { scale: "shade", field: "contour.value" }, stroke: { value: "#fff" },
                              strokeWidth: { value: 0.4 } } } },
        { type: "path", from: { data: "level" + index }, transform: [{ type: "geopath", field: "datum.contour" }],
          encode: { update: { stroke: { value: "#d55e00" }, strokeWidth: { value: 2 } } } },
      ],
    }],
  };
}

function spec(surfaces) {
  return {
    layout: { columns: 3, padding: { row: 18, column: 26 }, bounds: "full", align: "each" },
    scales: [{ name: "shade", type: "linear", domain: [0, 1], range: { scheme: "blues" } }],
    legends: [{ fill: "shade", title: "k(0, x)", orient: "right", gradientLength: kSize }],
    marks: surfaces.map(panel),
  };
}

// Every so many grid lines, so that a table has at most nine.
function tableOf(surfaces) {
  const rows = [];
  let lines = [];
  for (const { title, half_width: half, values } of surfaces) {
    const points = values.length;
    const step = Math.max(1, Math.ceil((points - 1) / 8));
    const shown = Array.from({ length: Math.floor((points - 1) / step) + 1 }, (_, i) => i * step);
    const place = (i) => Number((-half + (2 * half * i) / (points - 1)).toPrecision(3));
    lines = shown.map((i) => "x₁ = " + place(i));
    for (const j of shown) rows.push([title, place(j), ...shown.map((i) => Number(values[j][i].toPrecision(3)))]);
  }
  return { keys: 2, columns: ["kernel", "x₂", ...lines], rows };
}

exports.draw = (section) => {
  const surfaces = results.kernel_shapes || [];
  if (surfaces.length === 0) return;
  show(section, {
    id: "kernels", title: "Values of the kernels k(0, x) in the plane",
    caption: "Orange: the contour k(0, x) = " + surfaces[0].contour + ". The table has some lines of the grid; " +
             "all of them are in results.json.",
    specs: [spec(surfaces)],
    table: tableOf(surfaces),
  });
};
