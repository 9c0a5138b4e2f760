// Aligned columns of text, and the number formats the reports share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

enum class Alignment { left, right };

using TableRows = std::vector<std::vector<std::string>>;

// The number of terminal columns `text` takes: UTF-8, combining marks take none, East Asian wide characters two.
std::size_t display_width(const std::string& text);

// The text, or its beginning and an ellipsis where it takes more than `width` columns, 1 or more.
std::string shortened(const std::string& text, std::size_t width);

// Every line is indented by two spaces, columns are two spaces apart, and there are no spaces at the end of a line.
class TextTable {
 public:
  // Alignment of every column; all rows have as many cells.
  explicit TextTable(std::vector<Alignment> alignments);

  // Control characters become spaces; cells wider than 48 columns are cut and end in an ellipsis.
  void add_row(std::vector<std::string> cells);
  void add_rows(const TableRows& rows);
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Alignment> alignments_;
  std::vector<std::vector<std::string>> rows_;
};

// A line "Scene:          scene.tif".
std::string fact_line(const std::string& label, const std::string& value);
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
// Three decimals at most, for map coordinates: "500000.5".
std::string coordinate(double value);
// Four decimals at most, as in "0.7012"; "-" where there is no value.
std::string four_decimals(std::optional<double> value);
// "1,234,567".
std::string grouped(std::int64_t number);
// "1 pixel", "1,234 pixels".
std::string counted(std::int64_t number, const std::string& one);

// Title of the page of a file: its name without folders.
std::string base_name(const std::string& path);
// "0.52 s", "134 s".
std::string seconds_text(double seconds);
// A line "Time: 1.20 s (read 0.50 s, compute 0.70 s)".
std::string time_text(double seconds, const StageSeconds& stages);
// A line "Peak memory: 198 MB", rounded up; nothing where it is unknown.
std::string memory_text(std::optional<std::int64_t> peak_bytes);

}  // namespace parsimap
