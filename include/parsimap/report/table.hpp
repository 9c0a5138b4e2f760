// Tables of results, and the number formats that reports share. A table is made once from its record, and rendered for
// a terminal (table_text()), as CSV (csv_text()) and on a page (command_html() in report/command_page.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

using TableRows = std::vector<std::vector<std::string>>;

struct Table {
  std::string caption;               // on pages
  std::vector<std::string> columns;  // titles
  TableRows rows;                    // as many cells as columns
  // "l" or "r" for each column, as in LaTeX: texts are aligned left, numbers right; "i" is an interval, to the left and
  // on one line. The last letter is that of all further columns.
  std::string alignment = "lr";

  [[nodiscard]] bool has_alignment(std::size_t column, char letter) const {
    return alignment[std::min(column, alignment.size() - 1)] == letter;
  }
};

// Without columns that have a dash in every row.
Table without_dashes(Table table);

// The table on a terminal, without its caption and such columns. Every line is indented by two spaces, columns are two
// spaces apart, and there are no spaces at the end of a line. Control characters become spaces; cells wider than 48
// columns are cut and end in an ellipsis.
enum class Titles { shown, hidden };
std::string table_text(const Table& table, Titles titles = Titles::shown);

// RFC 4180: lines end in CR LF, fields are quoted where they have to be, and all lines have as many fields as the
// longest.
std::string csv_text(const TableRows& rows);
// The shortest text that reads back as the same number; empty without a value.
std::string csv_number(std::optional<double> value);

// The number of terminal columns `text` takes: UTF-8, combining marks take none, East Asian wide characters two.
std::size_t display_width(const std::string& text);

// The text, or its beginning and an ellipsis where it takes more than `width` columns, 1 or more.
std::string shortened(const std::string& text, std::size_t width);

// A line "Scene:          scene.tif".
std::string fact_line(const std::string& label, const std::string& value);
// Files that were written, with a name such as "map" each: as lines "Map: map.tif", and as a table. Those that are
// unset are left out.
using NamedFiles = std::vector<std::pair<std::string, std::optional<std::string>>>;
std::string files_text(const NamedFiles& files);
Table files_table(const NamedFiles& files);
// A line about a scene whose bands were resampled to those of a model; nothing for others.
std::string resampled_line(const std::optional<ResamplingFacts>& facts);

// With so many decimals.
std::string fixed(double value, int decimals);
// "98.5" for 0.985; "-" where there is no value.
std::string percent(std::optional<double> fraction);
// "(97.1 to 99.4)"; nothing where there is no interval.
std::string percent_interval(const std::optional<Interval>& fractions);
// The same of ends as texts. Behind it "*" for an interval from too few effective regions, "**" from far too few.
std::string interval_text(const std::string& low, const std::string& high, const Interval& interval);
// Six significant digits at most.
std::string short_number(double value);
// Ten of them, for values that stand for themselves: "4294967295".
std::string long_number(double value);
// A share of a whole, such as an area, in its unit: with the decimals of a ten thousandth of the whole.
std::string part_text(double share, double whole);
// For map coordinates, finer than a tenth of a pixel: three decimals at most, or seven where the value may be degrees:
// "500000.5", "13.5031234".
std::string coordinate(double value);
// Four decimals at most, as in "0.7012"; "-" where there is no value.
std::string four_decimals(std::optional<double> value);
// "1,234,567".
std::string grouped(std::int64_t number);
// "1 pixel", "1,234 pixels".
std::string counted(std::int64_t number, const std::string& one);
// Part of a whole; unset where the whole is not positive.
std::optional<double> quotient(double part, double whole);

// Title of the page of a file: its name without folders.
std::string base_name(const std::string& path);
// "0.52 s", "134 s".
std::string seconds_text(double seconds);
// A line "Time: 1.20 s (read 0.50 s, compute 0.70 s)", and where it is known one "Peak memory: 198 MB", rounded up.
std::string time_text(const RunCost& cost);

}  // namespace parsimap
