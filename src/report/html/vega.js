// Vega put together from its packages: those that the figures need.
"use strict";
// Only the map projection "mollweide" would come from there.
define("d3-geo-projection", function () {});
const { extend, extent } = require("vega-util");
const { transforms } = require("vega-dataflow");
extend(transforms, require("vega-transforms"), require("vega-view-transforms"), require("vega-encode"),
       require("vega-geo"));
exports.extent = extent;
exports.parse = require("vega-parser").parse;
exports.View = require("vega-view").View;
exports.quartiles = require("vega-statistics").quartiles;
