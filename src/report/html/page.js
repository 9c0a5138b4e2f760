// Puts the figures on the page, those that the results have data for.
"use strict";
const { element } = require("figure");
const dimension = require("dimension");
const spectra = require("spectra");

const kinds = {
  accuracy: require("accuracy"), dimension: dimension.estimates, sweep: dimension.sweep, spectra: spectra.spectra,
  scree: spectra.scree, criterion: require("criterion"), weights: require("weights"), confusion: require("confusion"),
  seconds: require("seconds"), kernels: require("kernels"),
};

const place = document.getElementById("figures");
for (const [id, kind] of Object.entries(kinds)) {
  const section = element("section", [element("h2", kind.title)], { id: "figures-" + id });
  place.append(section);
  kind.draw(section);
  if (!section.querySelector("figure")) section.remove();
}

const sections = [...document.querySelectorAll("section")];
document.querySelector("header").append(element("nav", sections.map((section) =>
  element("a", section.querySelector("h2").textContent, { href: "#" + section.id }))));
