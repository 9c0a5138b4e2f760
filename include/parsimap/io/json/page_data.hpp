// The data that the figures of a command's page are drawn from, as JSON text: data and runs as in results.json
// (io/json/experiment_results.hpp), and
//   areas        code, name, colour ("#rrggbb"), pixels of every class of a map
//   histograms   name, caption, counts (of equal bins of [0, 1])
//   reliability  low, high, pixels, confidence (mean), accuracy (share right) of bins of the largest probability
//   band_numbers, dropped_bands   of the training scene, from 1; dropped_wavelengths (nanometres, where all are known)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/accuracy/reliability.hpp"
#include "parsimap/report/experiment_record.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct PageArea {
  ClassPixels pixels;
  Colour colour{};
};

struct PageHistogram {
  std::string name;
  std::string caption;
  std::vector<std::int64_t> counts;
};

struct PageData {
  std::vector<DataDescription> data;
  std::vector<ExperimentRun> runs;
  Indices band_numbers;
  Indices dropped_bands;
  std::vector<double> dropped_wavelengths;
  std::vector<PageArea> areas;
  std::vector<PageHistogram> histograms;
  std::vector<ReliabilityBin> reliability;
};

std::string page_data_json(const PageData& data);

}  // namespace parsimap
