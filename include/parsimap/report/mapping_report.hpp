// A finished map, several of them, a map with its model and its accuracy, for people: as text and as pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// Classes with their pixels and share of the classified pixels in percent, and where the time went.
std::string mapping_text(const MappingRecord& record);

// Images of the scene, where it is known, and of the map, with a legend of its classes.
struct MapPictures : RasterPictures {
  std::vector<PageImage> rejected = {};    // one image, or none where nothing was rejected
  std::vector<PageImage> confidence = {};  // one image, or none
  std::vector<PageImage> novelty = {};     // likewise
  std::vector<LegendEntry> confidence_legend = {};
  std::vector<LegendEntry> novelty_legend = {};
};

// How sure the map is. Shares of the pixels with data are unset where they are not known.
struct MapCertainty {
  std::optional<double> sure;   // whose largest probability is 0.9 or more
  std::optional<double> novel;  // whose novelty is 0.95 or more
  Section trust = {};           // trust_section(), which the page shows with its pictures
};

// The page of `classify`: a verdict, map and scene as pictures, pixels and area of every class, where the map may be
// trusted, what was read, options and stages.
CommandPage map_page(const MappingRecord& record, const MapPictures& pictures, const MapCertainty& certainty,
                     const PageFacts& facts, const std::vector<std::pair<std::string, std::string>>& options);

// What was made of several scenes: a line for every scene with its pixels and map, a sentence for every one that
// failed, and the mosaic with its classes.
std::string scenes_text(const ScenesRecord& record);

// ---- the page of `report`: model, map and accuracy ----

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

// ---- documents: `classify --json`, `report --json`, and the data of the figures of pages (report/command_page.hpp)
// ----

std::string mapping_json(const MappingRecord& record);
std::string scenes_json(const ScenesRecord& record);
// The page that was written.
std::string report_json(const std::string& page);

struct PageHistogram {
  std::string name;
  std::string caption;
  std::vector<std::int64_t> counts;
};

// Of `classify`: `colours` are those of the record's classes.
std::string mapping_data_json(const MappingRecord& record, const std::vector<Colour>& colours,
                              const std::vector<PageHistogram>& histograms);

// Of `report`, which has something of all three.
struct CombinedData {
  const Model& model;
  const Assessment& assessment;
  const std::vector<ClassPixels>& map_classes;
  const std::vector<Colour>& map_colours;  // of these
};
std::string combined_data_json(const CombinedData& data);

}  // namespace parsimap
