// Which intervals of wavelengths matter: what is lost without each of them, and the accuracy of each by itself.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { axis, drawings, at } = require("panels");

const kWidth = 300;
const kHeight = 150;
const kLeastRegions = 5;

const inNanometres = (found) => found.intervals.every((interval) => interval.wavelengths);
const rangeOf = (found) => (interval) =>
  inNanometres(found) ? interval.wavelengths : [interval.first_band, interval.last_band];

// Bars reach half a step beyond the first and the last band, so that gaps show where bands are missing.
function edgesOf(found) {
  const steps = found.intervals.map((interval) => {
    const [low, high] = rangeOf(found)(interval);
    return interval.bands > 1 ? (high - low) / (interval.bands - 1) : 0;
  });
  const widest = Math.max(...steps, 1);
  return found.intervals.map((interval, i) => {
    const [low, high] = rangeOf(found)(interval);
    const half = (steps[i] || widest) / 2;
    return { low: low - half, high: high + half,
             text: low.toFixed(0) + " to " + high.toFixed(0) + (inNanometres(found) ? " nm" : "") };
  });
}

const panelsOf = (found) => [{ name: "all classes", ...found.all }, ...found.classes];

function rowsOf(found, panels, valueOf, errorOf) {
  const edges = edgesOf(found);
  return panels.flatMap((one) => one.effects.map((effect, i) => {
    const value = valueOf(effect);
    const error = errorOf(effect);
    return { layer: "interval", panel: one.name + " (" + one.pixels + " pixels)", ...edges[i], middle: (edges[i].low + edges[i].high) / 2,
             value, least: value - error, most: value + error,
             tooltip: one.name + ", " + edges[i].text + ": " + value.toPrecision(3) +
                      (error > 0 ? " ± " + error.toPrecision(2) : "") };
  }));
}

function specsOf(found, rows, yTitle, colour, domain) {
  const mark = (type, encode) => ({ type, from: { data: "interval" }, encode: { update: encode } });
  return drawings(rows, {
    columns: 3, width: kWidth, height: kHeight, layers: ["interval"],
    scales: [
      { name: "x", type: "linear", range: [0, kWidth], zero: false, nice: false,
        domain: { data: "rows", fields: ["low", "high"] } },
    ],
    panelScales: [{ name: "y", type: "linear", range: [kHeight, 0], nice: true, zero: true, domain }],
    axes: [axis("bottom", "x", inNanometres(found) ? "wavelength (nm)" : "band"), axis("left", "y", yTitle)],
    marks: [
      mark("rect", { x: { scale: "x", field: "low", offset: 0.5 }, x2: { scale: "x", field: "high", offset: -0.5 },
                     y: at("y", "value"), y2: { scale: "y", value: 0 }, fill: { value: colour },
                     tooltip: { field: "tooltip" } }),
      ...(rows.some((row) => row.least < row.most)
        ? [mark("rule", { x: at("x", "middle"), y: at("y", "least"), y2: at("y", "most"), stroke: { value: "#333" } })]
        : []),
    ],
  });
}

function tableOf(found) {
  const names = edgesOf(found).map((edge) => edge.text);
  return { keys: 2, columns: ["class", inNanometres(found) ? "interval" : "bands", "loss rise", "error",
                              "right without (%)", "right alone (%)"],
           rows: panelsOf(found).flatMap((one) => one.effects.map((effect, i) => [
             one.name, names[i], effect.loss_rise, effect.loss_rise_error, 100 * effect.accuracy_without,
             100 * effect.accuracy_alone])) };
}

exports.draw = (place) => {
  const found = results.wavelengths;
  if (!found) return;
  // What fewer regions say has no standard error worth the name.
  const panels = panelsOf(found);
  const known = panels.filter((one) => one.regions >= kLeastRegions);
  const rises = rowsOf(found, known, (effect) => effect.loss_rise, (effect) => effect.loss_rise_error);
  show(place, {
    id: "wavelengths-rise", title: "What is lost without an interval",
    caption: "Rise of the logarithmic loss of left-out pixels when the interval is replaced by its prediction from the " +
             "other bands; whiskers: ± one standard error over regions. Scales differ from class to class." +
             (known.length < panels.length ? " Classes in fewer than five regions are left out." : ""),
    specs: specsOf(found, rises, "rise of the loss", "#0072b2", { data: "interval", fields: ["least", "most"] }),
    table: tableOf(found),
  });
  const alone = rowsOf(found, panels, (effect) => 100 * effect.accuracy_alone, () => 0);
  show(place, {
    id: "wavelengths-alone", title: "The accuracy of an interval by itself",
    caption: "Left-out pixels that are right when classifiers are trained on the interval, with the settings of the model.",
    specs: specsOf(found, alone, "right (%)", "#e69f00", [0, 100]),
    table: { keys: 1, columns: ["class", "right with all bands (%)"],
             rows: panelsOf(found).map((one) => [one.name, 100 * one.accuracy]) },
  });
};
