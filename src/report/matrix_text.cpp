#include "matrix_text.hpp"

#include "parsimap/report/text_table.hpp"

namespace parsimap {

std::string matrix_text(const std::vector<std::string>& names, const Matrix& values,
                        const std::function<std::string(double)>& format) {
  std::vector<Alignment> alignments(names.size() + 3, Alignment::right);
  alignments[1] = Alignment::left;
  TextTable table(alignments);
  std::vector<std::string> header = {"", "reference \\ map"};
  std::vector<std::string> sums = {"", "sum"};
  for (Index c = 0; c < values.cols(); ++c) {
    header.push_back(std::to_string(c + 1));
    sums.push_back(format(values.col(c).sum()));
  }
  header.emplace_back("sum");
  sums.push_back(format(values.sum()));
  table.add_row(header);
  for (Index r = 0; r < values.rows(); ++r) {
    std::vector<std::string> row = {std::to_string(r + 1), names[static_cast<std::size_t>(r)]};
    for (Index c = 0; c < values.cols(); ++c) {
      row.push_back(format(values(r, c)));
    }
    row.push_back(format(values.row(r).sum()));
    table.add_row(row);
  }
  table.add_row(sums);
  return table.text();
}

}  // namespace parsimap
