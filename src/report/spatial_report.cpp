#include "parsimap/report/spatial_report.hpp"

#include <iomanip>
#include <sstream>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

std::string points(double share, bool sign) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << (sign ? std::showpos : std::noshowpos) << 100 * share;
  return text.str();
}

std::string gain_text(const SpatialScore& score) {
  return points(score.gain, true) + " +- " + points(score.gain_error, false) + " points";
}

}  // namespace

std::string spatial_text(const SpatialRecord& record) {
  std::string text = "Surroundings of pixels: " + to_string(record.steps);
  if (!record.reason.empty()) {
    return text + ", since nothing could be judged: " + record.reason + " (" + short_number(record.buffer) +
           " pixels).";
  }
  if (record.scores.empty()) {
    return text + ", as asked for.";
  }
  const SpatialScore& first = record.scores.front();
  text += ", judged on " + std::to_string(record.samples) + " training pixels left out with " +
          short_number(record.buffer) + " pixels around them: " + to_string(first.steps) + " " +
          points(first.accuracy, false) + " % right";
  for (std::size_t k = 1; k < record.scores.size(); ++k) {
    const SpatialScore& score = record.scores[k];
    text += "; " + to_string(score.steps) + " " + points(score.accuracy, false) + " % (" + gain_text(score) + " over " +
            to_string(score.over) + ")";
  }
  return text + ". A step is kept that gains more than its error.";
}

PageTable spatial_table(const SpatialRecord& record) {
  PageTable table{"Steps tried on pixels left out with " + short_number(record.buffer) +
                      " pixels around them; one is kept that gains more than its error",
                  {"step", "over", "kept", "accuracy %", "gain, points", "error, points", "pixels"},
                  {},
                  3};
  for (const SpatialScore& score : record.scores) {
    const bool kept = !score.steps.profiles || record.steps.profiles;
    table.rows.push_back({to_string(score.steps), to_string(score.over),
                          kept && (!score.steps.neighbours || record.steps.neighbours) ? "yes" : "no",
                          points(score.accuracy, false), points(score.gain, true), points(score.gain_error, false),
                          std::to_string(record.samples)});
  }
  return table;
}

}  // namespace parsimap
