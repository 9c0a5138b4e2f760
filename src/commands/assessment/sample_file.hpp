// What `sample` and `assess` have in common: how they open maps, and the file of points that one writes and the other
// reads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/drawn_sample.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"

namespace parsimap {

// A class map on the grid of another; `rule` says why it must be. DataError.
std::unique_ptr<ClassMapSource> open_on_grid(const std::string& path, const ClassMapSource& map,
                                             const std::string& rule);

// The map, or its changes since an earlier one where there is one. DataError for too many classes.
std::unique_ptr<ClassMapSource> changes_since(const std::optional<std::string>& earlier,
                                              std::unique_ptr<ClassMapSource> map);

// order, class, stratum, probability, cluster, row, column, and the plan: plan_text(), the same for all points.
std::vector<VectorField> sample_fields();
// The design and the aims.
std::string plan_text(SamplingDesign design, const std::vector<Aim>& aims);

struct SampleInput {
  DrawnSample sample;
  std::string layer;  // of the points
};

// Whether `parsimap sample` wrote the file.
bool is_sample(const std::string& path);

// ConfigError where the points of `sample` or `suggest` that an output would replace have labels.
void keep_labels(const std::string& role, const std::string& path);

// Whether two files are the same sample with other labels, which are entered later.
bool differ_by_labels_alone(const std::string& one, const std::string& other);

// Reads the points in their order. The class field has the labels. DataError, which names the point: no file of
// `sample`; a point that is missing, doubled, without a probability above 0, or outside the grid; points of one stratum
// with different probabilities, or strata that the grid cannot have by them; labels out of the order; no label.
SampleInput read_sample(const std::string& path, const LabelOptions& options, const RasterGrid& grid);

// DataError: a labelled point does not lie in the pixel that was drawn, or two in one pixel have different classes.
void check_places(const DrawnSample& sample, const LabelledPixels& reference, Index width);

}  // namespace parsimap
