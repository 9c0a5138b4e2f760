// Two images of a picture laid over each other, of which a slider shows more of the one or of the other. Without this
// script, and on paper, they stand side by side.
"use strict";
const { element } = require("figure");

for (const place of document.querySelectorAll(".images.two:not(.beside)")) {
  const [left, right] = [...place.querySelectorAll("img")].map((image) => image.alt);
  const slider = element("input", [], { type: "range", min: "0", max: "100", value: "50", "aria-label":
    "Share of the picture that shows " + left + ", the rest shows " + right });
  const show = () => place.style.setProperty("--share", slider.value + "%");
  slider.addEventListener("input", show);
  show();
  place.classList.add("wiped");
  place.after(element("div", [element("span", left), slider, element("span", right)], { class: "slider" }));
}
