// Mean spectra of all classes in one plot, each in the colour that its class has in the maps.
"use strict";
const { results } = require("results");
const { show } = require("figure");
const { axis, at } = require("panels");

const kWidth = 820;
const kHeight = 330;
const kGap = 4;  // usual steps between bands

// The places where a line breaks: bands between were left out, or the scene has none there.
function breaksOf(places, numbers) {
  const steps = places.slice(1).map((place, i) => place - places[i]);
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  return steps.map((step, i) => (numbers && numbers[i + 1] - numbers[i] > 1) || step > kGap * usual || step < 0);
}

// A row for every band, and one without value wherever the line breaks.
function rowsOf(one, places, breaks) {
  return one.mean.flatMap((value, i) => {
    const row = { name: one.name, place: places[i], mean: value };
    return breaks[i] ? [row, { ...row, mean: null }] : [row];
  });
}

function specOf(rows, classes, colours, byWavelength) {
  return {
    width: kWidth, height: kHeight,
    autosize: { type: "fit-x", contains: "padding" },
    data: [{ name: "rows", values: rows }],
    scales: [
      { name: "x", type: "linear", range: "width", zero: false, domain: { data: "rows", field: "place" } },
      { name: "y", type: "linear", range: "height", nice: true, zero: false, domain: { data: "rows", field: "mean" } },
      { name: "colour", type: "ordinal", domain: classes, range: colours },
    ],
    axes: [axis("bottom", "x", byWavelength ? "wavelength (nm)" : "band of the scene", { tickCount: 10 }),
           axis("left", "y", "value, as in the data", { tickCount: 6 })],
    legends: [{ stroke: "colour", orient: "bottom", direction: "horizontal", columns: 4, symbolType: "stroke",
                symbolSize: 300, symbolStrokeWidth: 3, labelLimit: 165 }],
    marks: [{
      type: "group", from: { facet: { name: "line", data: "rows", groupby: "name" } },
      // A dark line below keeps pale colours visible on white.
      marks: [["#555555", 2.6, 0.55], [null, 1.9, 1]].map(([fixed, width, opacity]) => ({
        type: "line", from: { data: "line" }, encode: { update: {
          x: at("x", "place"), y: at("y", "mean"), defined: { signal: "isValid(datum.mean)" },
          stroke: fixed ? { value: fixed } : { scale: "colour", field: "name" }, strokeWidth: { value: width },
          strokeOpacity: { value: opacity }, strokeCap: { value: "round" }, strokeJoin: { value: "round" } } },
      })),
    }],
  };
}

exports.draw = (place) => results.data.forEach((data, index) => {
  const classes = data.classes.filter((one) => one.mean.length > 0);
  if (classes.length === 0 || !results.colours) return;
  const byWavelength = data.wavelengths && data.wavelengths.length > 0;
  const numbers = results.band_numbers;
  const places = byWavelength ? data.wavelengths : numbers;
  const breaks = breaksOf(places, numbers);
  const colours = classes.map((one) => results.colours[data.classes.indexOf(one)]);
  show(place, {
    id: "class-spectra-" + index, title: "Spectra of the classes",
    caption: "Mean of the training pixels of every class, in the colours of the map." +
             (breaks.some(Boolean) ? " Lines are broken where bands are missing or were left out." : ""),
    specs: [specOf(classes.flatMap((one) => rowsOf(one, places, breaks)), classes.map((one) => one.name), colours,
                   byWavelength)],
    table: { columns: [byWavelength ? "wavelength (nm)" : "band", ...classes.map((one) => one.name)],
             rows: places.map((at_, i) => [at_, ...classes.map((one) => one.mean[i])]) },
  });
});
