// results.json, and how the figures take it apart.
"use strict";
const { extent, quartiles } = require("vega");

const results = JSON.parse(document.getElementById("results").textContent);

const unique = (values) => [...new Set(values)];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const isNumber = (value) => typeof value === "number";

const keyOf = (method) => [method.kernel, method.criterion, method.dimension || ""].join("\n");
const isFixed = (method) => /^fixed:/.test(method.dimension || "");

function methodsOf(runs) {
  const methods = new Map();
  for (const run of runs) methods.set(keyOf(run.method), run.method);
  return [...methods.values()];
}

// What differs between the methods; all of it where there is one.
function labeller(methods) {
  const parts = ["kernel", "criterion", "dimension"];
  const varies = parts.filter((part) => unique(methods.map((method) => method[part] || "")).length > 1);
  return (method) => (varies.length ? varies : parts).map((part) => method[part]).filter(Boolean).join(", ");
}

// Kernels that were run with a row of fixed dimensions have a figure of their own; the others leave these runs out.
const kSweep = 3;
function sweptKernels(runs) {
  const fixed = methodsOf(runs).filter(isFixed);
  const dimensionsOf = (kernel) =>
    unique(fixed.filter((method) => method.kernel === kernel).map((method) => method.dimension));
  return unique(fixed.map((method) => method.kernel)).filter((kernel) => dimensionsOf(kernel).length >= kSweep);
}
function withoutSweep(runs) {
  const swept = sweptKernels(runs);
  return runs.filter((run) => !(isFixed(run.method) && swept.includes(run.method.kernel)));
}

function summaryOf(values) {
  const [q1, median, q3] = quartiles(values);
  const [least, most] = extent(values);
  return { n: values.length, least, q1, median, q3, most, mean: mean(values) };
}

// What figures of one repeat say where there are more.
const repeatText = results.runs.some((run) => run.repeat > 0) ? ", first repeat" : "";

const sentenceOf = (test) => test.sentence || "The test set is " + test.name + ".";

module.exports = {
  results, sentenceOf, repeatText, unique, mean, isNumber, keyOf, isFixed, methodsOf, labeller, sweptKernels, withoutSweep, summaryOf,
  runsOf: (name) => results.runs.filter((run) => run.data === name),
  firstRepeat: (runs) => runs.filter((run) => run.repeat === 0),
  dataNames: unique(results.runs.map((run) => run.data)),
};
