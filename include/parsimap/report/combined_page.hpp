// Model, map and accuracy on one page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/mapping_report.hpp"

namespace parsimap {

// What a class map holds.
struct MapContent {
  std::string path;
  std::vector<ClassPixels> classes;
  std::int64_t classified = 0;  // pixels
};

struct CombinedPage {
  const Model& model;
  const MapContent& map;
  const Assessment& assessment;
  const MapPictures& pictures;
  const ErrorPictures& errors;  // without images where the reference is not known
  const PageFacts& facts;
};

// Verdict; the map with its areas; accuracies and errors; how the model was trained, with details that are folded; and
// what all of it was made from.
CommandPage combined_page(const CombinedPage& content);

}  // namespace parsimap
