// Appended to a copy of the page: waits for its drawings and writes how many files the page asked for, and what became
// of every figure, one line each.
(function () {
  const drawn = () => [...document.querySelectorAll(".drawing > div")].every((place) => place.querySelector("svg"));

  // Marks of the data by kind, those of no extent apart.
  function marksOf(figure) {
    const counts = new Map();
    for (const group of figure.querySelectorAll(".role-mark:not(.mark-group)")) {
      const kind = group.classList[0].replace("mark-", "");
      for (const mark of group.children) {
        const box = mark.getBoundingClientRect();
        const empty = box.width === 0 && box.height === 0 && mark.textContent === "" && kind !== "text";
        const key = empty ? "empty-" + kind : kind;
        counts.set(key, (counts.get(key) || 0) + 1);
      }
    }
    return [...counts].sort().map(([kind, count]) => kind + "=" + count).join(" ");
  }

  // "wiped" where a slider moves the edge between two images.
  function wipeOf(figure) {
    const slider = figure.querySelector("input[type=range]");
    if (!slider) return "";
    slider.value = "20";
    slider.dispatchEvent(new Event("input"));
    const upper = figure.querySelector(".images > div:last-child");
    return getComputedStyle(upper).clipPath.includes("20%") ? "wiped" : "STUCK";
  }

  // Pixels of each picture, and how many names its legend has.
  function picturesOf(figure) {
    return [...figure.querySelectorAll("img")].map((picture) => "picture=" + picture.naturalWidth + "x" +
      picture.naturalHeight + " legend=" + figure.querySelectorAll(".legend li").length).join(" ");
  }

  function lineOf(figure) {
    const boxes = [...figure.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect());
    const sized = boxes.every((box) => box.width > 100 && box.height > 50);
    const inside = boxes.every((box) => box.right <= document.documentElement.clientWidth);
    return [figure.id, sized ? "sized" : "EMPTY", inside ? "inside" : "CLIPPED", "drawings=" + boxes.length,
            "rows=" + figure.querySelectorAll("tbody tr").length, marksOf(figure), picturesOf(figure), wipeOf(figure)]
      .filter(Boolean).join(" ");
  }

  // What is folded is opened first, which fills the long tables a moment later.
  for (const details of document.querySelectorAll("details")) details.open = true;

  function report() {
    if (!drawn()) {
      setTimeout(report, 50);
      return;
    }
    const result = document.createElement("pre");
    const requests = performance.getEntriesByType("resource").length;
    const figures = [...document.querySelectorAll("figure")].map(lineOf);
    result.textContent = ["begin", "requests=" + requests, ...figures, "end"].join("\n");
    document.body.append(result);
  }
  setTimeout(report, 50);
})();
