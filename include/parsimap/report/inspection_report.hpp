// What `inspect` found: as plain values, as text and as a page.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/inspection/band_importance.hpp"
#include "parsimap/inspection/label_inspection.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct RegionPlace {
  std::array<double, 2> centre{};            // map coordinates: mean of the pixels
  std::optional<std::int64_t> feature = {};  // id in the vector file of the labels, where there is one
};

// The bands of an interval.
struct IntervalRange {
  Index first = 0;  // bands of the training scene, from 0
  Index last = 0;
  std::optional<std::array<double, 2>> wavelengths = {};  // of the first and the last, in nanometres
};

struct WavelengthRecord {
  IntervalImportance importance;      // classes by their place in the record
  std::vector<IntervalRange> ranges;  // of its intervals
  std::vector<ClassPair> pairs;       // of classes
};

struct InspectionRecord : RunCost {
  std::string model;
  std::string scene;
  std::vector<std::string> labels;
  std::optional<std::string> suspects;
  std::optional<std::string> report;
  std::optional<ResamplingFacts> resampled = {};  // of the scene to the bands of the model
  ClassTable classes;                             // of the model
  LabelInspection evidence;                       // classes by their place in `classes`
  std::vector<RegionPlace> places;                // of the regions of `evidence`, in their order
  std::optional<WavelengthRecord> wavelengths = {};
  Index repeats = 0;  // how often the regions were shared out to folds
};

// The regions and pixels of one class, as they are labelled.
struct InspectedClass {
  std::string name;
  Index regions = 0;
  Index suspicious_regions = 0;  // with a negative margin
  Index pixels = 0;
  std::optional<double> agreement;       // share of its pixels of known class that are predicted as it
  std::optional<std::string> taken_for;  // the other class that most of its pixels are taken for, if any
};

// One entry for each class of the record that has labelled pixels.
std::vector<InspectedClass> inspected_classes(const InspectionRecord& record);

struct ConfusedPair {
  ClassPair pair;
  std::optional<double> confused;  // share of the left-out pixels of both that are taken for the other one
};

// The pairs of classes, those first of which most pixels are confused, then those that lie nearest to each other.
std::vector<ConfusedPair> ranked_pairs(const InspectionRecord& record);

// Regions of a negative margin.
Index suspicious_regions(const InspectionRecord& record);

// The name of a class by its place.
const std::string& class_name(const InspectionRecord& record, Index c);

// How many regions are taken for another class, the `most` most suspicious ones, and the classes.
std::string inspection_text(const InspectionRecord& record, Index most);

// The page of `inspect`: the same with more regions. `pictures` are images of the scene and of the regions; none where
// there is no scene.
CommandPage inspection_page(const InspectionRecord& record,
                            const std::vector<std::pair<std::string, std::string>>& options,
                            const RasterPictures& pictures, const PageFacts& facts);

// The document of `inspect --json`, with all regions by rank; and what the figures of the page are drawn from
// (report/command_page.hpp).
std::string inspection_json(const InspectionRecord& record);
std::string inspection_data_json(const InspectionRecord& record);

}  // namespace parsimap
