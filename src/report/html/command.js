// Puts the figures of a command into their places, those that the page has data for.
"use strict";
const { element } = require("figure");
const spectra = require("spectra");
require("wipe");

const kinds = {
  spectra: spectra.spectra, scree: spectra.scree, criterion: require("criterion"), weights: require("weights"),
  confusion: require("confusion"), areas: require("areas"), histogram: require("histogram"),
  reliability: require("reliability"), "class-spectra": require("class_spectra"), wavelengths: require("wavelengths"),
};

for (const place of document.querySelectorAll("[data-figure]")) kinds[place.dataset.figure].draw(place);

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
