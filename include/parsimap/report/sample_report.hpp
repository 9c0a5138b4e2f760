// What `sample` has planned and drawn, as text, page and document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/sample_plan.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

struct SampleRecord : RunCost {
  std::string map;
  std::optional<std::string> earlier = {};   // map, since which the changes are sampled
  std::optional<std::string> compared = {};  // map, which the sample compares with `map`
  std::optional<std::string> strata;         // raster; unset: the classes of the map
  std::optional<std::string> file;           // of points; unset: none were drawn
  std::optional<std::string> report;
  SamplePlan plan;
  std::vector<Aim> aims;    // asked for
  std::int64_t points = 0;  // drawn
  std::uint64_t seed = 0;
  std::optional<double> pixel_area;  // square metres
};

std::string sample_text(const SampleRecord& record);
CommandPage sample_page(const SampleRecord& record, const PageFacts& facts,
                        const std::vector<std::pair<std::string, std::string>>& options);
// The document of `sample --json`; docs/formats.md lists the keys.
std::string sample_json(const SampleRecord& record);

}  // namespace parsimap
