// Labelled spectra: all that training sees. Row i of the matrix and entry i of every list belong to the same sample.
#pragma once

#include <cstdint>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct SampleSet {
  Matrix spectra;                     // n x d
  Matrix profiles;                    // n x q, their morphological profiles; without columns where none are used
  std::vector<int> labels;            // n, index into `classes`
  ClassTable classes;                 // K classes; some may have no sample
  std::vector<std::int64_t> pixels;   // n, row * width + column in the scene
  std::vector<std::int64_t> regions;  // n, of which labelled region (LabelledPixel::region) a pixel is a part; or all 0
  std::vector<std::int64_t> groups;   // n, what is left out together: the regions, but for those of a field's groups

  [[nodiscard]] Index size() const { return spectra.rows(); }
};

// The number of samples of every class, in the order of `classes`.
std::vector<Index> class_counts(const SampleSet& samples);

// The rows of the samples of one class, ascending.
Indices class_rows(const SampleSet& samples, int c);

// The number of regions that the samples of one class come from.
Index region_count(const SampleSet& samples, int c);

// The samples at `rows`, in that order, with the same class table.
SampleSet subset(const SampleSet& samples, const Indices& rows);

}  // namespace parsimap
