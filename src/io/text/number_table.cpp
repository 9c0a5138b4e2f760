#include "parsimap/io/text/number_table.hpp"

#include <optional>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "text_lines.hpp"

namespace parsimap {
namespace {

// Takes the next field and the separator behind it off `line`, which begins with a field. A comma at the end is left,
// for it announces another field.
std::string_view next_field(std::string_view& line) {
  const std::size_t end = line.find_first_of(" \t,");
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(field.size());
  line = trimmed(line);
  if (line.size() > 1 && line.front() == ',') {
    line = trimmed(line.substr(1));
  }
  return field;
}

// Appends the numbers of a line to `values`, and returns how many.
Index append_numbers(std::string_view line, const std::string& path, Index line_number, std::vector<double>& values) {
  Index column = 0;
  while (!line.empty()) {
    ++column;
    const std::string_view field = next_field(line);
    const std::optional<double> value = parse_number<double>(field);
    if (!value) {
      throw DataError(path + ": line " + std::to_string(line_number) + ", column " + std::to_string(column) + ": '" +
                      std::string(field) + "' is not a number");
    }
    values.push_back(*value);
  }
  return column;
}

}  // namespace

Matrix read_number_table(const std::string& path) {
  const std::string text = file_text(path);
  std::string_view rest = text;
  std::vector<double> values;
  Index rows = 0;
  Index columns = 0;
  Index first_row_line = 0;
  for (Index line_number = 1; !rest.empty(); ++line_number) {
    const std::string_view line = next_line(rest);
    if (line.empty()) {
      continue;
    }
    const Index count = append_numbers(line, path, line_number, values);
    if (rows == 0) {
      columns = count;
      first_row_line = line_number;
    } else if (count != columns) {
      throw DataError(path + ": line " + std::to_string(line_number) + " has " + std::to_string(count) +
                      " numbers; line " + std::to_string(first_row_line) + " has " + std::to_string(columns));
    }
    ++rows;
  }
  if (rows == 0) {
    throw DataError(path + " holds no numbers");
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), rows, columns);
}

std::vector<std::string> read_label_lines(const std::string& path) {
  const std::string text = file_text(path);
  std::string_view rest = text;
  std::vector<std::string> labels;
  Index empty_line = 0;  // the first since the last label
  for (Index line_number = 1; !rest.empty(); ++line_number) {
    const std::string_view line = next_line(rest);
    if (line.empty()) {
      empty_line = empty_line == 0 ? line_number : empty_line;
      continue;
    }
    if (empty_line != 0) {
      throw DataError(path + ": line " + std::to_string(empty_line) + " is empty; every sample needs a label");
    }
    labels.emplace_back(line);
  }
  if (labels.empty()) {
    throw DataError(path + " holds no labels");
  }
  return labels;
}

}  // namespace parsimap
