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

  // Pixels of each picture, and how many names its legend has.
  function picturesOf(figure) {
    return [...figure.querySelectorAll("img")].map((picture) => "picture=" + picture.naturalWidth + "x" +
      picture.naturalHeight + " legend=" + figure.querySelectorAll(".legend li").length).join(" ");
  }

  function lineOf(figure) {
    for (const details of figure.querySelectorAll("details")) details.open = true;
    const boxes = [...figure.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect());
    const sized = boxes.every((box) => box.width > 100 && box.height > 50);
    const inside = boxes.every((box) => box.right <= document.documentElement.clientWidth);
    return [figure.id, sized ? "sized" : "EMPTY", inside ? "inside" : "CLIPPED", "drawings=" + boxes.length,
            "rows=" + figure.querySelectorAll("tbody tr").length, marksOf(figure), picturesOf(figure)]
      .filter(Boolean).join(" ");
  }

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
  report();
})();
