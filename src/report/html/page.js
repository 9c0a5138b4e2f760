// Puts the figures into their places, those that the page has data for.
"use strict";
const { element } = require("figure");
const dimension = require("dimension");
const spectra = require("spectra");
require("wipe");

const kinds = {
  spectra: spectra.spectra, scree: spectra.scree, criterion: require("criterion"), weights: require("weights"),
  confusion: require("confusion"), areas: require("areas"), histogram: require("histogram"),
  accuracy: require("accuracy"), dimension: dimension.estimates, sweep: dimension.sweep, seconds: require("seconds"),
  kernels: require("kernels"), reliability: require("reliability"), "class-spectra": require("class_spectra"),
  wavelengths: require("wavelengths"), distances: require("distances"), "by-distance": require("by_distance"),
};

for (const place of document.querySelectorAll("[data-figure]")) kinds[place.dataset.figure].draw(place);
for (const section of document.querySelectorAll("section")) {
  if (!section.querySelector("p, table, figure, pre")) section.remove();
}

// A link to a folded section unfolds it.
const unfold = (section) => {
  const details = section.querySelector(":scope > details");
  if (details) details.open = true;
};
const sections = [...document.querySelectorAll("section")];
document.querySelector("header").append(element("nav", sections.map((section) => {
  const link = element("a", section.querySelector("h2").textContent, { href: "#" + section.id });
  link.addEventListener("click", () => unfold(section));
  return link;
})));
