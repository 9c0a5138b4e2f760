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

// What a sample is planned of, and what it is written to.
struct SampleFiles {
  std::string map;                          // class raster
  std::optional<std::string> earlier = {};  // class raster: the sample is of the changes since
  // Class raster on its grid: the sample tells which of the two maps is better, by points where they differ.
  std::optional<std::string> compared = {};
  std::optional<std::string> strata = {};  // class raster on its grid; unset: the map's classes
  std::optional<std::string> out = {};     // GeoPackage of points; unset: the sample is planned, and not drawn
  std::optional<std::string> report = {};  // page of HTML
};

struct SampleRecord : RunCost, SampleFiles {
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
