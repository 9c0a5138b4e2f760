// Labelled spectra, the scaling of their features by robust statistics, and the samples that lie far outside.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

// All that training sees. Row i of the matrix and entry i of every list belong to the same sample.
struct SampleSet {
  Matrix spectra;                   // n x d
  Matrix profiles;                  // n x q, their morphological profiles; without columns where none are used
  std::vector<int> labels;          // n, index into `classes`
  ClassTable classes;               // K classes; some may have no sample
  std::vector<SamplePlace> places;  // n
  Vector weights;                   // n, > 0, how much the error of a sample counts, with the mean 1; empty: all alike

  [[nodiscard]] Index size() const { return spectra.rows(); }
};

// The number of samples of every class, in the order of `classes`.
std::vector<Index> class_counts(const std::vector<int>& labels, std::size_t classes);
std::vector<Index> class_counts(const SampleSet& samples);

// The rows of the samples of one class, ascending.
Indices class_rows(const SampleSet& samples, int c);

// The number of regions that the samples of one class come from.
Index region_count(const SampleSet& samples, int c);

// The samples at `rows`, in that order, with the same class table.
SampleSet subset(const SampleSet& samples, const Indices& rows);

// Where samples lie and how far from there they usually are, by medians, and which samples are outliers: up to
// half of the samples may be wrong.

// The median of every band, or other column, of `spectra` (n x d, n >= 1); of even n the mean of the two in the middle.
Vector band_medians(const Matrix& spectra);

// The usual one of distances >= 0 (at least one), > 0: `factor` times their median, or where that is 0, since half of
// the samples are equal, the root of their mean square; 1 where all are 0.
double usual_distance(const Vector& distances, double factor = 1);

// A sample so far from the others that a bad value is likelier than a surface.
struct Outlier {
  Index sample = 0;
  double ratio = 0;  // of its distance from the medians of the bands to the usual one
};

// The samples (n x d, n >= 1) whose distance from the band medians is more than 1000 times the usual one
// (usual_distance()), that is a million times in squares, the farthest first. Of bands of different magnitude
// those of large values decide.
std::vector<Outlier> find_outliers(const Matrix& spectra);

// The usual size of spectra (n x d, n and d >= 1): the median of the roots of their mean squares over the bands,
// without those that are NaN.
double usual_size(const Matrix& spectra);

// DataError where the usual sizes of two sets of spectra, which are of `name` and `other_name`, are so far apart that
// their units differ: reflectance from 0 to 1 beside reflectance from 0 to 10000 teaches nothing but where a spectrum
// comes from. Surfaces rarely differ by more than a factor of 20, and units by less than 100; single spectra may.
void check_units(double size, const std::string& name, double other_size, const std::string& other_name,
                 double most_ratio = 20);

// DataError where more than a fifth of the values of `spectra`, which are of `name`, are below 0, and the values of
// `other_name`, from `least` to `most`, are not, but reach far above all of them: integers below 0 that are read as if
// they had no sign.
void check_signs(const Matrix& spectra, const std::string& name, double least, double most,
                 const std::string& other_name);

// Scaling of the features before training, and of every pixel before classification.

enum class ScalingRule {
  automatic,      // global or within_classes, whichever left-out samples speak for; global where nothing is left out
  none,           // values as they are
  global,         // centred per band, divided by one constant: relations between bands are kept
  standardise,    // centred per band, divided by the band's robust standard deviation
  within_classes  // centred per band, divided by the robust standard deviation of the band in its classes
};

// "none", "global", "standardise", "within-classes" and back, and as a choice "auto", too; another text is a
// ConfigError that lists them.
ScalingRule parse_scaling_rule(const std::string& text);
ScalingRule parse_scaling_choice(const std::string& text);
std::string to_string(ScalingRule rule);

// x -> (x' - offset) / scale, band by band, where x' is x or, with units u, u asinh(x / u): hardly changed below u, a
// logarithm far above.
struct Scaling {
  Vector offset;      // d
  Vector scale;       // d, all > 0
  Vector units = {};  // d, all > 0, or empty
  // x' of pixels, which may have more columns than d: those stay as they are.
  [[nodiscard]] Spectra compressed(const Eigen::Ref<const Spectra>& pixels) const;
  [[nodiscard]] Matrix apply(const Matrix& spectra) const;
  // The spectra whose scaled ones are given.
  [[nodiscard]] Matrix undo(const Matrix& scaled) const;
};

// The units of Scaling for bands that are strongly skewed within classes, such as radar backscatter that is no
// logarithm, or concentrations: the usual sizes of the bands. Empty where u asinh(x / u) is hardly closer to a normal
// distribution, which HDDA supposes of each class, than x: where the logarithm of the likelihood of a value gains less
// than 0.04 in the mean. The lowest and the highest twentieth of each class, at least one value, are left out, so that
// no bad value decides.
Vector compression_units(const Matrix& spectra, const std::vector<int>& labels);

// The scaling that `rule` gives on the training spectra (n x d, n >= 1): from medians, so that no bad value decides
// where all others lie. Bands are centred on their medians. The constant of `global` is the median distance of the
// samples from that centre, so that half of them are within 1 of it and squared distances between samples are about 2.
// A band's deviation for `standardise` is 1.4826 times its median absolute deviation, which is the standard deviation
// of normally distributed values; for `within_classes` likewise about the median of the class, `labels` (n, class
// indices) being those of the samples: bands that differ from class to class count more than bands of noise. A median
// of 0, as of bands that are mostly one value, is replaced by the root of the mean square, and that of constant bands
// by 1 (of bands that are constant in every class by the deviation of all samples).
// With `units` offset and scale are those of the compressed spectra.
Scaling fit_scaling(const Matrix& spectra, ScalingRule rule, const std::vector<int>& labels = {},
                    const Vector& units = {});

// Samples that are left out of training because of a bad value.
//
// One bad value spoils the statistics of its class and of all classes together, and so every kernel.

// Where the values of training samples lie. A pixel of which all bands have one value that is outside, or 0, holds no
// spectrum, unless a training sample is such a pixel.
struct ValueRange {
  double low = 0;           // the least value, less the whole span of the values
  double high = 0;          // the largest value, and as much more
  bool zero = false;        // a sample is 0 in all bands
  bool lowest = false;      // likewise -128, the lowest value of signed bytes
  Index alike_samples = 0;  // how many have one value in all bands
};

// The outliers of the samples (find_outliers()), but for those of classes that have nothing else, which keep them.
std::vector<Outlier> outlying_samples(const SampleSet& samples);

// The samples that are none of `outliers`, in their order.
SampleSet without_outliers(const SampleSet& samples, const std::vector<Outlier>& outliers);

}  // namespace parsimap
