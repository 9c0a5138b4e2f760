// A figure of the page: caption, drawing, and its numbers in a table.
"use strict";
const vega = require("vega");

// Tables up to this length are built at once and printed; longer ones when they are opened: a page is to be read on
// paper, where rows by the hundred say nothing.
const kPrintedRows = 30;

const config = {
  font: "Helvetica Neue, Arial, Liberation Sans, sans-serif",
  axis: { labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal", domainColor: "#666", tickColor: "#666",
          gridColor: "#e6e6e6", labelLimit: 260, titleLimit: 400 },
  title: { fontSize: 11.5, fontWeight: "bold", anchor: "start", offset: 5, limit: 300 },
  legend: { labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal", symbolSize: 70, labelLimit: 400 },
};

function element(name, content, attributes) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  if (typeof content === "string") made.textContent = content;
  else for (const child of content || []) made.append(child);
  return made;
}

// Five significant digits; whole numbers in full, small ones with a power of ten.
function numberText(value) {
  if (typeof value === "string") return value;
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-3 ? value.toExponential(3) : String(Number(value.toPrecision(5)));
}

function row(cells, texts, tag) {
  return element("tr", cells.map((cell, i) => element(tag, numberText(cell), texts[i] ? {} : { class: "number" })));
}

// Wider tables are cut into several, each with the leading columns that say what a row is.
const kMostColumns = 11;
function cutTable({ columns, rows, keys = 1 }) {
  const cuts = [];
  for (let start = keys; start < columns.length; start += kMostColumns - keys) {
    const part = (cells) => [...cells.slice(0, keys), ...cells.slice(start, start + kMostColumns - keys)];
    cuts.push({ columns: part(columns), rows: rows.map(part) });
  }
  return cuts;
}

// Columns whose cells are texts are aligned left.
function numberTable(table) {
  const isText = (cell) => typeof cell === "string" && cell !== "–";
  const texts = table.columns.map((_, i) => table.rows.some((cells) => isText(cells[i])));
  return element("div", [element("table", [
    element("thead", [row(table.columns, texts, "th")]),
    element("tbody", table.rows.map((cells) => row(cells, texts, "td"))),
  ])], { class: "scroll" });
}

function numbersOf(tables) {
  const length = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const printed = length <= kPrintedRows;
  const fill = () => details.append(...tables.flatMap(cutTable).map(numberTable));
  const details = element("details", [element("summary", "Numbers (" + length + (length === 1 ? " row)" : " rows)") +
                                                         (printed ? "" : ", not printed"))]);
  if (printed) {
    details.classList.add("printed");
    fill();
  } else {
    details.addEventListener("toggle", fill, { once: true });
  }
  return details;
}

// Appends a figure to `section`: {id, title, caption, specs, table: {columns, rows, keys} or a list of
// such}.
function show(section, figure) {
  const drawing = element("div", [], { class: "drawing" });
  section.append(element("figure", [
    element("figcaption", [element("b", figure.title + ". "), figure.caption]),
    drawing,
    numbersOf([figure.table].flat()),
  ], { id: figure.id }));
  for (const spec of figure.specs) {
    const container = element("div");
    drawing.append(container);
    const described = { $schema: "https://vega.github.io/schema/vega/v5.json", description: figure.title, padding: 4,
                        background: null, ...spec };
    new vega.View(vega.parse(described, config), { renderer: "svg", container, hover: false }).runAsync();
  }
}

window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.printed")) details.open = true;
});

module.exports = { show, element, numberText };
