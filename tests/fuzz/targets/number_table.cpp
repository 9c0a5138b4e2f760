// The tables of a data set: numbers, and a label in every line.
#include <cstdio>
#include <string>
#include <vector>

#include "parsimap/text/text_tables.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {
namespace {

std::string text_of(const Matrix& table) {
  std::string text;
  for (Index row = 0; row < table.rows(); ++row) {
    for (Index column = 0; column < table.cols(); ++column) {
      char number[32];
      std::snprintf(number, sizeof number, "%.17g", table(row, column));
      text += (column > 0 ? " " : "") + std::string(number);
    }
    text += "\n";
  }
  return text;
}

void check_numbers(const std::string& path, MemoryFile& copy) {
  const Matrix table = read_number_table(path);
  require(table.size() > 0 && table.allFinite(), "a table holds finite numbers");
  require(read_number_table(copy.hold(text_of(table))) == table, "a table reads back the same");
}

void check_labels(const std::string& path, MemoryFile& copy) {
  const std::vector<std::string> labels = read_label_lines(path);
  std::string text;
  for (const std::string& label : labels) {
    text += label + "\n";
  }
  require(read_label_lines(copy.hold(text)) == labels, "labels read back the same");
}

}  // namespace

void run_input(std::string_view input) {
  static MemoryFile file;
  static MemoryFile copy;
  const std::string& path = file.hold(input);
  accepted([&] { check_numbers(path, copy); });
  accepted([&] { check_labels(path, copy); });
}

}  // namespace parsimap::fuzz
