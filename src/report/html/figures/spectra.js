// The training samples of every class: mean spectra and scree tests.
"use strict";
const { results, isNumber, repeatText } = require("results");
const { show } = require("figure");
const { axis, logAxis, drawings, at } = require("panels");

const kWidth = 250;
const kHeight = 150;

const titleOf = (one) => one.name + " (" + one.samples + " samples)";

// Where each band is drawn: at its wavelength, or at its number in the scene.
function placesOf(data) {
  if (data.wavelengths && data.wavelengths.length) return data.wavelengths;
  return results.band_numbers || Array.from({ length: data.bands }, (_, band) => band + 1);
}

// Bands left out of training, where there are numbers to place them by.
function droppedOf(data) {
  return data.wavelengths && data.wavelengths.length ? results.dropped_wavelengths || [] : results.dropped_bands || [];
}

function spectrumRows(data) {
  const places = placesOf(data);
  return data.classes.flatMap((one) => [
    ...one.mean.map((value, band) => ({
      layer: "value", panel: titleOf(one), place: places[band], mean: value, low: value - one.deviation[band],
      high: value + one.deviation[band] })),
    ...droppedOf(data).map((place) => ({ layer: "dropped", panel: titleOf(one), place })),
  ]);
}

function spectrumSpecs(data, rows) {
  return drawings(rows, {
    columns: 3, width: kWidth, height: kHeight, layers: ["value", "dropped"],
    scales: [
      { name: "x", type: "linear", range: [0, kWidth], zero: false, domain: { data: "rows", field: "place" } },
      { name: "y", type: "linear", range: [kHeight, 0], nice: true, zero: false,
        domain: { data: "rows", fields: ["low", "high"] } },
    ],
    axes: [axis("bottom", "x", data.wavelengths && data.wavelengths.length ? "wavelength (nm)" : "band"),
           axis("left", "y", "value, as in the data")],
    marks: [
      { type: "rule", from: { data: "dropped" }, encode: { update: {
        x: at("x", "place"), y: { value: 0 }, y2: { value: kHeight }, stroke: { value: "#d55e00" },
        strokeOpacity: { value: 0.35 } } } },
      { type: "area", from: { data: "value" }, encode: { update: {
        x: at("x", "place"), y: at("y", "low"), y2: at("y", "high"), fill: { value: "#56b4e9" },
        fillOpacity: { value: 0.4 } } } },
      { type: "line", from: { data: "value" }, encode: { update: {
        x: at("x", "place"), y: at("y", "mean"), stroke: { value: "#0072b2" }, strokeWidth: { value: 1.3 } } } },
    ],
  });
}

exports.spectra = {
  draw: (section) => results.data.forEach((data, index) => {
    if (!data.classes.some((one) => one.mean.length > 0)) return;
    const wavelengths = data.wavelengths && data.wavelengths.length;
    show(section, {
      id: "spectra-" + index, title: data.name + ": training samples of each class",
      caption: "Mean (line) and standard deviation (band: mean ± one) by " + (wavelengths ? "wavelength" : "band") +
               ", before scaling" + repeatText + "." +
               (droppedOf(data).length ? " Upright lines: bands left out." : ""),
      specs: spectrumSpecs(data, spectrumRows(data)),
      table: {
        columns: [wavelengths ? "wavelength (nm)" : "band",
                  ...data.classes.flatMap((one) => [one.name + ": mean", one.name + ": deviation"])],
        rows: data.classes[0].mean.map((_, band) => [
          placesOf(data)[band],
          ...data.classes.flatMap((one) => [one.mean[band], one.deviation[band]])]),
      },
    });
  }),
};

// Differences of neighbours, as the test compares them with the threshold.
const drops = (one) => one.eigenvalues.slice(0, -1).map((value, i) => value - one.eigenvalues[i + 1]);
const ruleText = (rule) => (rule.startsWith("scree:") ? "s = " + rule.slice(6) : rule);
const rulesOf = (one) => one.scree.filter((rule) => !rule.dimension.startsWith("fixed:"));
const hasThreshold = (rule) => isNumber(rule.threshold) && rule.threshold > 0;
const choiceText = (rule) => ruleText(rule.dimension) + ": p = " + rule.chosen;

// Rules with a threshold are named at its line, the others at their mark.
function screeRows(one) {
  const sizes = drops(one);
  const rules = rulesOf(one);
  return [
    ...sizes.map((size, i) => ({ layer: "drop", i: i + 1, size })),
    ...rules.filter(hasThreshold).map((rule) => ({ layer: "threshold", size: rule.threshold, text: choiceText(rule) })),
    ...rules.map((rule) => ({ layer: "chosen", i: rule.chosen, size: sizes[rule.chosen - 1],
                              text: hasThreshold(rule) ? "" : choiceText(rule) })),
  ].filter((row) => row.size > 0).map((row) => ({ ...row, panel: one.name }));
}

function screeSpecs(rows) {
  const width = kWidth;
  const height = 240;
  const y = at("y", "size");
  return drawings(rows, {
    columns: 3, width, height, layers: ["drop", "threshold", "chosen"],
    panelScales: [
      { name: "x", type: "linear", range: [0, width], nice: true, zero: true, domain: { data: "drop", field: "i" } },
      { name: "y", type: "log", range: [height, 0], nice: true, domain: { data: "cell", field: "size" } },
    ],
    axes: [axis("bottom", "x", "i", { tickMinStep: 1 }),
           logAxis("left", "y", "λᵢ − λᵢ₊₁")],
    marks: [
      { type: "rule", from: { data: "threshold" }, encode: { update: {
        x: { value: 0 }, x2: { value: width }, y, stroke: { value: "#d55e00" }, strokeDash: { value: [5, 3] } } } },
      { type: "text", from: { data: "threshold" }, encode: { update: {
        x: { value: width - 3 }, y: { ...y, offset: -3 }, align: { value: "right" }, text: { field: "text" },
        fontSize: { value: 10 }, fill: { value: "#b04d00" } } } },
      { type: "line", from: { data: "drop" }, encode: { update: {
        x: at("x", "i"), y, stroke: { value: "#0072b2" }, strokeWidth: { value: 1 },
        strokeOpacity: { value: 0.6 } } } },
      { type: "symbol", from: { data: "drop" }, encode: { update: {
        x: at("x", "i"), y, fill: { value: "#0072b2" }, size: { value: 14 } } } },
      { type: "symbol", from: { data: "chosen" }, encode: { update: {
        x: at("x", "i"), y, stroke: { value: "#111" }, strokeWidth: { value: 1.8 }, size: { value: 90 } } } },
      { type: "text", from: { data: "chosen" }, encode: { update: {
        x: { ...at("x", "i"), offset: 7 }, y: { ...y, offset: -7 }, text: { field: "text" },
        fontSize: { value: 10.5 }, fontWeight: { value: "bold" }, fill: { value: "#111" } } } },
    ],
  });
}

function screeTables(data) {
  const length = Math.max(...data.classes.map((one) => one.eigenvalues.length));
  const rules = data.classes.flatMap((one) => rulesOf(one).map((rule) => [
    one.name, rule.dimension, rule.chosen, isNumber(rule.threshold) ? rule.threshold : "–"]));
  const eigenvalues = Array.from({ length }, (_, i) => [i + 1, ...data.classes.map((one) => one.eigenvalues[i])]);
  return [{ columns: ["class", "rule", "p", "threshold"], rows: rules },
          { columns: ["i", ...data.classes.map((one) => "λ of " + one.name)], rows: eigenvalues }];
}

exports.scree = {
  draw: (section) => results.data.forEach((data, index) => {
    const rows = data.classes.flatMap(screeRows);
    if (!rows.some((row) => row.layer === "drop")) return;
    show(section, {
      id: "scree-" + index, title: data.name + ": scree test of each class",
      caption: "Differences of neighbouring eigenvalues of the class covariance, logarithmic" + repeatText +
               ", scaled samples; at most the first " + Math.max(...data.classes.map((one) => one.eigenvalues.length)) +
               " eigenvalues. Dashed: threshold; ring: the chosen dimension p, the last i above it.",
      specs: screeSpecs(rows),
      table: screeTables(data),
    });
  }),
};
