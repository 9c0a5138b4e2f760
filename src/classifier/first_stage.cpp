#include "parsimap/classifier/first_stage.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/validation/combination.hpp"

namespace parsimap {

constexpr Index kFewestSupport = 32;
// Kernel values of all pixels with so many of them, and copies, take 160 MB for each class in work.
constexpr Index kMostSupport = 256;
constexpr int kClassesAtOnce = 4;
// Of the support spectra: where more are needed, maps would hardly be faster.
constexpr Index kLargestPart = 4;
constexpr double kLeastSpeedup = 2;
// Of the mean square of the kernel values, where some of the support spectra are nearly equal.
constexpr double kRidge = 1e-8;

static const Names<SupportRule>& rule_names() {
  static const Names<SupportRule> names = {{SupportRule::reduced, "reduced"}, {SupportRule::all, "all"}};
  return names;
}

SupportRule parse_support_rule(const std::string& text) {
  return parse_name("support rule", text, rule_names(), "is unknown; it must be");
}

std::string to_string(SupportRule rule) { return name_among(rule, rule_names()); }

double lead(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& values) {
  // The two largest values in one pass: a value below the largest one competes for the second place, and a new largest
  // value pushes the former one there.
  double first = -std::numeric_limits<double>::infinity();
  double second = first;
  for (const double value : values) {
    second = std::max(second, std::min(first, value));
    first = std::max(first, value);
  }
  return first - second;
}

// About how many operations a pixel takes where each class has so many support spectra out of `shared` ones: products
// of all bands that the classes share, then what each metric adds to them and the exponential.
static double pixel_work(const Model& model, Index shared, const std::vector<Index>& of_classes) {
  constexpr double kExponential = 12;
  double work = static_cast<double>(shared * model.support_spectra.cols());
  for (std::size_t c = 0; c < of_classes.size(); ++c) {
    const auto directions = static_cast<double>(model.classifiers[c].metric.weights.size());
    work += static_cast<double>(of_classes[c]) * (directions + kExponential);
  }
  return work;
}

namespace {

// Of the least squares of decision values by kernel values and a constant.
struct NormalEquations {
  Matrix system;
  Vector targets;

  [[nodiscard]] Vector solved() const {
    Matrix ridged = system;
    ridged.diagonal().array() += kRidge * system.diagonal().mean();
    return ridged.ldlt().solve(targets);
  }
};

// Pixels on which decision values are approximated and compared.
class Comparison {
 public:
  Comparison(const Model& model, const Spectra& pixels, const Matrix& decisions, int threads)
      : model_(model),
        decisions_(decisions),
        // f of g = M f.
        targets_(model.combination.size() > 0
                     ? Matrix(model.combination.partialPivLu().solve(decisions.transpose()).transpose())
                     : decisions),
        threads_(threads),
        spectra_(pixels.cast<double>()) {
    const Index bands = model.scaling.offset.size();
    spectra_.leftCols(bands) = model.scaling.apply(spectra_.leftCols(bands));
  }

  // With so many of the support spectra, evenly spaced among them.
  [[nodiscard]] FirstStage stage(Index size) const {
    FirstStage stage;
    for (Index i = 0; i < size; ++i) {
      stage.support.push_back(i * model_.support_spectra.rows() / size);
    }
    stage.coefficients.resize(size, decisions_.cols());
    stage.biases.resize(decisions_.cols());
    Matrix values(spectra_.rows(), decisions_.cols());
    const Matrix support = model_.support_spectra(stage.support, Eigen::all);
    parallel_for(values.cols(), threads_, kClassesAtOnce,
                 [&](Index c) { values.col(c) = approximate(support, c, stage); });
    judge(combined(model_.combination, values), stage);
    return stage;
  }

 private:
  // Fits the coefficients of a class to all pixels; returns decision values of each half of the pixels by coefficients
  // that were fitted to the other half.
  Vector approximate(const Matrix& support, Index c, FirstStage& stage) const {
    const MahalanobisKernel kernel(model_.classifiers[static_cast<std::size_t>(c)].metric);
    Matrix columns(spectra_.rows(), support.rows() + 1);
    columns << kernel.block(spectra_, support), Vector::Ones(spectra_.rows());
    const auto every_second = [](Index first) { return Eigen::seq(first, Eigen::last, 2); };
    std::array<NormalEquations, 2> equations;
    for (const Index half : {0, 1}) {
      const Matrix some = columns(every_second(half), Eigen::all);
      const Vector known = targets_.col(c)(every_second(half));
      equations[static_cast<std::size_t>(half)] = {some.transpose() * some, some.transpose() * known};
    }
    Vector values(columns.rows());
    for (const Index half : {0, 1}) {
      const Vector fitted = columns * equations[static_cast<std::size_t>(1 - half)].solved();
      values(every_second(half)) = fitted(every_second(half));
    }
    equations[0] = {equations[0].system + equations[1].system, equations[0].targets + equations[1].targets};
    const Vector fitted = equations[0].solved();
    stage.coefficients.col(c) = fitted.head(support.rows());
    stage.biases(c) = fitted(support.rows());
    return values;
  }

  // Above which lead it gets all labels right.
  void judge(const Matrix& values, FirstStage& stage) const {
    Vector leads(values.rows());
    for (Index i = 0; i < values.rows(); ++i) {
      Index label = 0;
      Index wanted = 0;
      values.row(i).maxCoeff(&label);
      decisions_.row(i).maxCoeff(&wanted);
      leads(i) = lead(values.row(i));
      stage.lead = label == wanted ? stage.lead : std::max(stage.lead, leads(i));
    }
    stage.pixels = values.rows();
    stage.decided = (leads.array() > stage.lead).cast<double>().mean();
  }

  const Model& model_;
  const Matrix& decisions_;
  Matrix targets_;
  int threads_;
  Matrix spectra_;
};

}  // namespace

std::optional<FirstStage> first_stage(const Model& model, const Spectra& pixels, const Spectra& decisions,
                                      int threads) {
  const Index all = model.support_spectra.rows();
  if (pixels.rows() < kFewestStagePixels || all < kLargestPart * kFewestSupport) {
    return std::nullopt;
  }
  const auto supports = mapped<Index>(
      model.classifiers, [](const BinaryClassifier& classifier) { return std::ssize(classifier.support); });
  const double exact = pixel_work(model, all, supports);
  const Matrix exact_values = decisions.cast<double>();
  const Comparison comparison(model, pixels, exact_values, threads);
  // More support spectra take longer and decide more pixels: their number doubles until that does not pay any more.
  std::optional<FirstStage> best;
  double least = exact / kLeastSpeedup;
  double before = std::numeric_limits<double>::infinity();
  for (Index size = kFewestSupport; size <= std::min(kMostSupport, all / kLargestPart); size *= 2) {
    FirstStage stage = comparison.stage(size);
    const double first = pixel_work(model, size, std::vector<Index>(supports.size(), size));
    const double work = first + (1 - stage.decided) * exact;
    if (work <= least && stage.coefficients.allFinite() && stage.biases.allFinite()) {
      least = work;
      best = std::move(stage);
    }
    if (first >= least || (best && work > before)) {
      break;
    }
    before = work;
  }
  return best;
}

Model first_stage_model(const Model& model) {
  const FirstStage& stage = *model.first_stage;
  Model first;
  first.scaling = model.scaling;
  first.support_spectra = model.support_spectra(stage.support, Eigen::all);
  first.combination = model.combination;
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    BinaryClassifier classifier;
    classifier.metric = model.classifiers[c].metric;
    classifier.support = consecutive(std::ssize(stage.support));
    classifier.coefficients = stage.coefficients.col(static_cast<Index>(c));
    classifier.bias = stage.biases(static_cast<Index>(c));
    first.classifiers.push_back(std::move(classifier));
  }
  return first;
}

}  // namespace parsimap
