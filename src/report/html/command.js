// Puts the figures of a command into their places, those that the page has data for.
"use strict";
const { element } = require("figure");
const spectra = require("spectra");

const kinds = {
  spectra: spectra.spectra, scree: spectra.scree, criterion: require("criterion"), weights: require("weights"),
  confusion: require("confusion"), areas: require("areas"), histogram: require("histogram"),
  reliability: require("reliability"), wavelengths: require("wavelengths"),
};

for (const place of document.querySelectorAll("[data-figure]")) kinds[place.dataset.figure].draw(place);

const sections = [...document.querySelectorAll("section")];
document.querySelector("header").append(element("nav", sections.map((section) =>
  element("a", section.querySelector("h2").textContent, { href: "#" + section.id }))));
