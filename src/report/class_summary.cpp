#include "parsimap/report/class_summary.hpp"

namespace parsimap {
namespace {

// What the left-out pixels of class `c` were taken for.
void add_left_out(const CountMatrix& confusion, Index c, const ClassTable& classes, ClassSummary& summary) {
  Eigen::Matrix<std::int64_t, 1, Eigen::Dynamic> taken_for = confusion.row(c);
  const std::int64_t all = taken_for.sum();
  if (all == 0) {
    return;
  }
  summary.accuracy = static_cast<double>(taken_for(c)) / static_cast<double>(all);
  taken_for(c) = 0;
  Index other = 0;
  const std::int64_t most = taken_for.maxCoeff(&other);
  if (most > 0) {
    summary.confused_with = classes[static_cast<std::size_t>(other)].name;
    summary.confused_share = static_cast<double>(most) / static_cast<double>(all);
  }
}

}  // namespace

std::vector<ClassSummary> class_summaries(const Model& model) {
  const std::optional<CountMatrix>& confusion = model.provenance.left_out.confusion;
  std::vector<ClassSummary> summaries;
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    ClassSummary summary;
    summary.name = model.classes[c].name;
    summary.pixels = model.machines[c].samples;
    summary.regions = model.machines[c].regions;
    if (confusion) {
      add_left_out(*confusion, static_cast<Index>(c), model.classes, summary);
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace parsimap
