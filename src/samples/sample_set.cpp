#include "parsimap/samples/sample_set.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {

std::vector<Index> class_counts(const std::vector<int>& labels, std::size_t classes) {
  std::vector<Index> counts(classes, 0);
  for (const int label : labels) {
    ++counts[static_cast<std::size_t>(label)];
  }
  return counts;
}

std::vector<Index> class_counts(const SampleSet& samples) {
  return class_counts(samples.labels, samples.classes.size());
}

Indices class_rows(const SampleSet& samples, int c) {
  return indices_where(samples.labels.size(), [&](std::size_t i) { return samples.labels[i] == c; });
}

Index region_count(const SampleSet& samples, int c) {
  return std::ssize(distinct(regions_of(values_at(samples.places, class_rows(samples, c)))));
}

double usual_size(const Matrix& spectra) {
  // Band by band, as the values lie in memory.
  Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(spectra.rows());
  Eigen::ArrayXd known = squares;
  for (const auto& band : spectra.colwise()) {
    known += band.array().isFinite().cast<double>();
    squares += band.array().isFinite().select(band.array().square(), 0);
  }
  Eigen::ArrayXd sizes = (squares / known.max(1)).sqrt();
  double* const middle = sizes.data() + sizes.size() / 2;
  std::nth_element(sizes.data(), middle, sizes.data() + sizes.size());
  return *middle;
}

void check_units(double size, const std::string& name, double other_size, const std::string& other_name,
                 double most_ratio) {
  // Spectra of nothing but 0 have no unit.
  if (!(size > 0) || !(other_size > 0) || std::max(size, other_size) <= most_ratio * std::min(size, other_size)) {
    return;
  }
  throw DataError(other_name + ": the median size of its spectra is " + number_text(other_size, 3) + " and that of " +
                  name + " " + number_text(size, 3) +
                  ", which are different units; state the scale, as with a 'reflectance scale factor' in the header of "
                  "a scene or library of ENVI, or with gdal_translate -a_scale");
}

void check_signs(const Matrix& spectra, const std::string& name, double least, double most,
                 const std::string& other_name) {
  constexpr double kFewNegative = 0.2;
  constexpr double kFarAbove = 1.5;
  const double negative = (spectra.array() < 0).cast<double>().mean();
  if (!(negative > kFewNegative && least >= 0 && most > kFarAbove * spectra.maxCoeff())) {
    return;
  }
  throw DataError(other_name + ": its values lie between " + number_text(least, 3) + " and " + number_text(most, 3) +
                  ", but those of " + name + " between " + number_text(spectra.minCoeff(), 3) + " and " +
                  number_text(spectra.maxCoeff(), 3) +
                  "; the sign is lost, as where GDAL before 3.7 copies signed bytes to a format that cannot mark them: "
                  "use the original file");
}

SampleSet subset(const SampleSet& samples, const Indices& rows) {
  SampleSet result;
  result.classes = samples.classes;
  result.spectra = samples.spectra(rows, Eigen::all);
  // A matrix without columns has no rows to choose from either.
  if (samples.profiles.cols() > 0) {
    result.profiles = samples.profiles(rows, Eigen::all);
  }
  if (samples.weights.size() > 0) {
    result.weights = samples.weights(rows);
  }
  result.labels = values_at(samples.labels, rows);
  result.places = values_at(samples.places, rows);
  return result;
}

// The middle value, or the mean of the two in the middle. nth_element leaves the smaller ones in front of the
// middle, so the second of the two is the largest of these.
static double median(Vector values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return values.size() % 2 == 1 ? *middle : (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// A sample this many times the usual distance away from the centre is not the spectrum of a surface but a bad value,
// such as a fill value that the file does not declare.
constexpr double kLargestRatio = 1000;

Vector band_medians(const Matrix& spectra) {
  return Vector::NullaryExpr(spectra.cols(), [&](Index band) { return median(spectra.col(band)); });
}

double usual_distance(const Vector& distances, double factor) {
  // Bands or samples that are mostly one value have a median distance of 0, which cannot be divided by: the root of
  // the mean square stands in for it, and 1 where all are equal.
  const double usual = factor * median(distances);
  if (usual > 0) {
    return usual;
  }
  const double root_mean_square = distances.norm() / std::sqrt(static_cast<double>(distances.size()));
  return root_mean_square > 0 ? root_mean_square : 1;
}

std::vector<Outlier> find_outliers(const Matrix& spectra) {
  // Centre and usual distance are medians, which the bad values that are looked for do not move.
  const Vector distances = (spectra.rowwise() - band_medians(spectra).transpose()).rowwise().norm();
  const double usual = usual_distance(distances);
  const Indices far = indices_where(distances.size(), [&](Index i) { return distances(i) > kLargestRatio * usual; });
  auto outliers = mapped<Outlier>(far, [&](Index i) { return Outlier{i, distances(i) / usual}; });
  std::ranges::stable_sort(outliers, [](const auto& a, const auto& b) { return a.ratio > b.ratio; });
  return outliers;
}

// The standard deviation of normally distributed values is this factor times their median absolute deviation.
constexpr double kDeviationsPerMedian = 1.4826;

static const Names<ScalingRule> kScalingChoices = {{ScalingRule::automatic, "auto"},
                                                   {ScalingRule::none, "none"},
                                                   {ScalingRule::global, "global"},
                                                   {ScalingRule::standardise, "standardise"},
                                                   {ScalingRule::within_classes, "within-classes"}};

ScalingRule parse_scaling_rule(const std::string& text) {
  return parse_name("scaling", text, Names<ScalingRule>(kScalingChoices.begin() + 1, kScalingChoices.end()));
}

ScalingRule parse_scaling_choice(const std::string& text) { return parse_name("scaling", text, kScalingChoices); }

std::string to_string(ScalingRule rule) { return name_among(rule, kScalingChoices); }

// The formula, since std::asinh takes several times as long, and half of the time of a map.
static double inverse_sinh(double x) {
  const double size = std::abs(x);
  return std::copysign(std::log(size + std::sqrt(size * size + 1)), x);
}

// One value after the other, so that rounding does not depend on how many are computed at a time.
template <typename Values>
static Values compressed_by(const Vector& units, Values spectra) {
  for (Index band = 0; band < units.size(); ++band) {
    spectra.col(band) = spectra.col(band).unaryExpr([unit = units(band)](auto value) {
      return static_cast<decltype(value)>(unit * inverse_sinh(static_cast<double>(value) / unit));
    });
  }
  return spectra;
}

Spectra Scaling::compressed(const Eigen::Ref<const Spectra>& pixels) const {
  return compressed_by<Spectra>(units, pixels);
}

Matrix Scaling::apply(const Matrix& spectra) const {
  Matrix scaled = compressed_by(units, spectra);
  scaled.rowwise() -= offset.transpose();
  scaled.array().rowwise() /= scale.transpose().array();
  return scaled;
}

Matrix Scaling::undo(const Matrix& scaled) const {
  Matrix spectra = (scaled * scale.asDiagonal()).rowwise() + offset.transpose();
  for (Index band = 0; band < units.size(); ++band) {
    spectra.col(band) = units(band) * (spectra.col(band).array() / units(band)).sinh();
  }
  return spectra;
}

// What the logarithm of the likelihood of these values, sorted, under a normal distribution of their own gains in all
// if their inverse hyperbolic sines are normal instead, whose derivative is 1 / sqrt(x^2 + 1); 0 of equal values.
static double compression_gain(const Vector& values) {
  const auto variance = [](const Vector& x) { return (x.array() - x.mean()).square().mean(); };
  const double before = variance(values);
  if (before <= 1e-12 * values.cwiseAbs2().mean()) {
    return 0;
  }
  return 0.5 * (static_cast<double>(values.size()) * std::log(before / variance(values.array().asinh())) -
                values.cwiseAbs2().array().log1p().sum());
}

Vector compression_units(const Matrix& spectra, const std::vector<int>& labels) {
  constexpr double kLeastGain = 0.04;
  const Vector units =
      Vector::NullaryExpr(spectra.cols(), [&](Index band) { return usual_distance(spectra.col(band).cwiseAbs()); });
  double gain = 0;
  Index values = 0;
  for (const Indices& rows : rows_by_class(labels, static_cast<std::size_t>(std::ranges::max(labels)) + 1)) {
    const Index left_out = std::max<Index>(1, std::ssize(rows) / 20);
    const Index used = std::ssize(rows) - 2 * left_out;
    for (Index band = 0; used >= 3 && band < spectra.cols(); ++band) {
      Vector sorted = spectra(rows, band) / units(band);
      std::ranges::sort(sorted);
      gain += compression_gain(sorted.segment(left_out, used));
      values += used;
    }
  }
  return gain > kLeastGain * static_cast<double>(values) ? units : Vector();
}

Scaling fit_scaling(const Matrix& spectra, ScalingRule rule, const std::vector<int>& labels, const Vector& units) {
  if (units.size() > 0) {
    Scaling scaling = fit_scaling(compressed_by(units, spectra), rule, labels);
    scaling.units = units;
    return scaling;
  }
  const Index d = spectra.cols();
  if (rule == ScalingRule::none) {
    return {Vector::Zero(d), Vector::Ones(d)};
  }
  Scaling scaling{band_medians(spectra), Vector::Ones(d)};
  // One constant for all bands keeps the relations between them; the median distance from the centre is robust
  // against bad values.
  if (rule == ScalingRule::global) {
    scaling.scale.setConstant(usual_distance((spectra.rowwise() - scaling.offset.transpose()).rowwise().norm()));
    return scaling;
  }
  std::vector<Indices> classes;
  if (rule == ScalingRule::within_classes && !labels.empty()) {
    const auto count = static_cast<std::size_t>(std::ranges::max(labels)) + 1;
    classes = filtered(rows_by_class(labels, count), [](const Indices& rows) { return !rows.empty(); });
  }
  for (Index band = 0; band < d; ++band) {
    const Vector of_all = spectra.col(band).array() - scaling.offset(band);
    Vector deviations = of_all;
    for (const Indices& rows : classes) {
      deviations(rows).array() -= median(deviations(rows));
    }
    // A band that is constant in every class separates the classes as it is.
    scaling.scale(band) = usual_distance((deviations.isZero(0) ? of_all : deviations).cwiseAbs(), kDeviationsPerMedian);
  }
  return scaling;
}

std::vector<Outlier> outlying_samples(const SampleSet& samples) {
  std::vector<Outlier> outliers = find_outliers(samples.spectra);
  std::vector<Index> left = class_counts(samples);
  const auto label = [&](const Outlier& outlier) {
    return static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(outlier.sample)]);
  };
  // A class that consists of outliers only keeps them: its spectra are far from all others, but they are all it has.
  for (const Outlier& outlier : outliers) {
    --left[label(outlier)];
  }
  std::erase_if(outliers, [&](const Outlier& outlier) { return left[label(outlier)] == 0; });
  return outliers;
}

SampleSet without_outliers(const SampleSet& samples, const std::vector<Outlier>& outliers) {
  // Outliers are sorted by their distance, rows of samples by their number.
  const Indices dropped = distinct(mapped<Index>(outliers, &Outlier::sample));
  return subset(samples,
                indices_where(samples.size(), [&](Index i) { return !std::ranges::binary_search(dropped, i); }));
}

}  // namespace parsimap
