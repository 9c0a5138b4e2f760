#include "parsimap/classifier/early_stages.hpp"

#include <Eigen/Cholesky>

#include <array>
#include <utility>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"

#include "shared_coordinates.hpp"

namespace parsimap {

constexpr Index kCoordinates = 16;
constexpr Index kFewestSupport = 64;
constexpr Index kMostSupport = 512;
// Of the support spectra: where more are needed, maps would hardly be faster.
constexpr Index kLargestPart = 3;
constexpr double kLeastSpeedup = 2;
// Of the mean square of the kernel values, where some of the support spectra are nearly equal.
constexpr double kRidge = 1e-8;
// Of the mean variance of the columns, which may depend on each other.
constexpr double kLeastVariance = 1e-9;
// Where probabilities of decided pixels matter, they may differ by so much.
constexpr double kProbabilityError = 0.05;
// Of the largest lead of a wrong label: the stages that are kept are those that decide most, which prefers leads that
// are too small by chance. Leads above which probabilities are right as well are larger anyway.
constexpr double kLeadFactor = 1.1;
// Pixels at which slopes of decision values are taken.
constexpr Index kSlopes = 500;
// Of n pixels, each group of classes with a lead of its own adds at most 1/n to the expected share of wrong labels: so
// many pixels to a group keep it below 0.025 % in a stage.
constexpr Index kPixelsOfGroup = 4000;

static const Names<SupportRule>& rule_names() {
  static const Names<SupportRule> names = {{SupportRule::reduced, "reduced"}, {SupportRule::all, "all"}};
  return names;
}

SupportRule parse_support_rule(const std::string& text) { return parse_name("support rule", text, rule_names()); }

std::string to_string(SupportRule rule) { return name_among(rule, rule_names()); }

Matrix stage_coordinates(const Model& model, const EarlyStages& stages, const Matrix& columns) {
  return (columns.rowwise() - model.support_spectra.colwise().mean()) * stages.directions;
}

// About how many operations a pixel takes with all support spectra: products of all columns, where the classes share
// them, then what each metric adds to them and the exponential.
constexpr double kExponential = 12;
static double exact_work(const Model& model) {
  double work = share_product(model.classifiers) ? static_cast<double>(model.support_spectra.size()) : 0;
  for (const BinaryClassifier& classifier : model.classifiers) {
    const auto directions = static_cast<double>(classifier.metric.weights.size());
    work += static_cast<double>(classifier.support.size()) * (directions + kExponential);
  }
  return work;
}

// The same in an early stage: the coordinates, kernel values that all classes share, and their sums.
static double stage_work(const Model& model, Index coordinates, Index support) {
  const double of_support = static_cast<double>(coordinates) + kExponential;
  return static_cast<double>(model.support_spectra.cols() * coordinates) + static_cast<double>(support) * of_support +
         static_cast<double>((support + coordinates) * std::ssize(model.classifiers));
}

double pixel_operations(const Model& model, bool early) {
  double operations = 0;
  double left = 1;  // share of the pixels that no stage before decides
  for (const EarlyStage& stage : early&& model.early_stages ? model.early_stages->stages : std::vector<EarlyStage>()) {
    operations += left * stage_work(model, model.early_stages->directions.cols(), std::ssize(stage.support));
    left = 1 - stage.decided;
  }
  return operations + left * exact_work(model);
}

// Slopes of sum_i a_i k(x, s_i) at each x (n x d), for a kernel of spectra alone: sum_i a_i k(x, s_i) W (s_i - x), W
// the matrix of the metric.
static Matrix slopes(const ClassMetric& metric, const Vector& coefficients, const Matrix& x, const Matrix& support) {
  const Matrix terms = MahalanobisKernel(metric).block(x, support) * coefficients.asDiagonal();
  const Matrix towards = terms * support - terms.rowwise().sum().asDiagonal() * x;
  const Vector more = metric.weights.array() - metric.rest_weight;
  return metric.rest_weight * towards + towards * metric.directions * more.asDiagonal() * metric.directions.transpose();
}

// The mean of the products of the slopes of all decision functions, over some pixels: D x D. Its main directions are
// those along which the values vary (Constantine, Active subspaces, 2015).
static Matrix slope_products(const Model& model, const Matrix& pixels, int threads) {
  const Index bands = model.scaling.offset.size();
  const Matrix some = pixels(Eigen::seq(0, pixels.rows() - 1, std::max<Index>(1, pixels.rows() / kSlopes)), Eigen::all);
  std::vector<Matrix> found(model.classifiers.size());
  parallel_for(std::ssize(found), threads, [&](Index c) {
    const auto at = static_cast<std::size_t>(c);
    const BinaryClassifier& classifier = model.classifiers[at];
    const ProfileTerm& term = classifier.metric.profile;
    const Matrix support = model.support_spectra(classifier.support, Eigen::all);
    const ClassMetric of_bands = with_profile(classifier.metric, {});
    const ClassMetric of_profile{Matrix(term.features, 0), {}, term.weight};
    Matrix all(some.rows(), some.cols());
    all << slopes(of_bands, (1 - term.share) * classifier.coefficients, some.leftCols(bands), support.leftCols(bands)),
        slopes(of_profile, term.share * classifier.coefficients, some.rightCols(term.features),
               support.rightCols(term.features));
    found[at] = all.transpose() * all;
  });
  Matrix sum = Matrix::Zero(pixels.cols(), pixels.cols());
  for (const Matrix& one : found) {
    sum += one;
  }
  return sum;
}

// D x r. With S = L L' the covariance of the pixels, the eigenvectors of L' P L, P the products of slopes, are the
// directions of most variation of the values; coordinates along them have variance 1, and are weighed by the fourth
// root of the eigenvalues. 0 columns where nothing varies.
static Matrix stage_directions(const Model& model, const Matrix& pixels, int threads) {
  const Matrix centred = pixels.rowwise() - pixels.colwise().mean();
  Matrix covariance = Matrix::Zero(pixels.cols(), pixels.cols());
  add_self_product(covariance, centred.transpose(), 1.0 / static_cast<double>(pixels.rows()), threads);
  covariance.diagonal().array() += kLeastVariance * covariance.diagonal().mean();
  const Eigen::LLT<Matrix> factors(covariance);
  const Matrix lower = factors.matrixL();
  const Matrix products = lower.transpose() * slope_products(model, pixels, threads) * lower;
  if (factors.info() != Eigen::Success || !products.allFinite() || !(products.trace() > 0)) {
    return Matrix(pixels.cols(), 0);
  }
  const auto [values, vectors] = eigendecomposition(products);
  const Index kept = std::min({kCoordinates, values.size(), (values.array() > 0).count()});
  const Vector weights = (values.head(kept) / values(0)).array().pow(1.0 / 3);
  return lower.transpose().triangularView<Eigen::Upper>().solve(vectors.leftCols(kept)) * weights.asDiagonal();
}

namespace {

// Of the least squares of decision values by what a stage computes of a pixel.
struct NormalEquations {
  Matrix system;  // its lower triangle
  Matrix targets;

  [[nodiscard]] Matrix solved() const {
    Matrix ridged = system;
    ridged.diagonal().array() += kRidge * system.diagonal().mean();
    return ridged.selfadjointView<Eigen::Lower>().ldlt().solve(targets);
  }
};

// A stage on the pixels of a comparison.
struct ComparedStage {
  EarlyStage stage;
  std::vector<bool> decided;  // each pixel
  double error = 0;           // sum of squares, each half by coefficients of the other
};

// The half of the support spectra that weigh most, by the sum of their absolute coefficients in all classifiers.
Indices heavy_support(const Model& model) {
  Vector weights = Vector::Zero(model.support_spectra.rows());
  for (const BinaryClassifier& classifier : model.classifiers) {
    weights(classifier.support) += classifier.coefficients.cwiseAbs();
  }
  Indices order = consecutive(weights.size());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return weights(a) > weights(b); });
  order.resize(order.size() / 2);
  std::sort(order.begin(), order.end());
  return order;
}

// Pixels on which decision values are approximated and compared, as two halves.
class Comparison {
 public:
  Comparison(const Model& model, const EarlyStages& stages, const Matrix& pixels, const Matrix& decisions, int threads)
      : support_(stage_coordinates(model, stages, model.support_spectra)),
        heavy_(heavy_support(model)),
        slope_(stages.probabilities ? model.softmax_slope : 0),
        threads_(threads) {
    const Matrix coordinates = stage_coordinates(model, stages, pixels);
    for (std::size_t half : {0, 1}) {
      const auto every_second = Eigen::seq(static_cast<Index>(half), Eigen::last, 2);
      coordinates_[half] = coordinates(every_second, Eigen::all);
      decisions_[half] = decisions(every_second, Eigen::all);
    }
  }

  // 1 over the mean squared distance of two support spectra.
  [[nodiscard]] double usual_weight() const {
    const Matrix around = support_.rowwise() - support_.colwise().mean();
    return static_cast<double>(around.rows()) / (2 * around.squaredNorm());
  }

  // With so many of the heavy support spectra, evenly spaced among them, where the kernel is exp(-weight/2 |a - b|^2).
  [[nodiscard]] ComparedStage compared(Index size, double weight) const {
    ComparedStage result;
    for (Index i = 0; i < size; ++i) {
      result.stage.support.push_back(heavy_[static_cast<std::size_t>(i * std::ssize(heavy_) / size)]);
    }
    std::array<Matrix, 2> features;
    std::array<NormalEquations, 2> equations;
    for (const std::size_t half : {0, 1}) {
      features[half] = stage_features(half, support_(result.stage.support, Eigen::all), weight);
      const Index columns = features[half].cols();
      equations[half] = {Matrix::Zero(columns, columns), features[half].transpose() * decisions_[half]};
      add_self_product(equations[half].system, features[half].transpose(), 1, threads_);
    }
    std::array<Matrix, 2> values;
    for (const std::size_t half : {0, 1}) {
      values[half] = features[half] * equations[1 - half].solved();
      result.error += (values[half] - decisions_[half]).squaredNorm();
    }
    judge(values, result);
    equations[0] = {equations[0].system + equations[1].system, equations[0].targets + equations[1].targets};
    result.stage.coefficients = equations[0].solved();
    return result;
  }

 private:
  // Kernel values, coordinates and 1.
  [[nodiscard]] Matrix stage_features(std::size_t half, const Matrix& support, double weight) const {
    const Matrix& x = coordinates_[half];
    const MahalanobisKernel kernel(ClassMetric{Matrix(x.cols(), 0), {}, weight});
    Matrix features(x.rows(), support.rows() + x.cols() + 1);
    features << kernel.block(x, support), x, Vector::Ones(x.rows());
    return features;
  }

  // The largest difference of a probability, of two rows of decision values.
  [[nodiscard]] double farthest_probability(Eigen::RowVectorXd one, Eigen::RowVectorXd other) const {
    softmax(slope_, one.data(), one.size());
    softmax(slope_, other.data(), other.size());
    return (one - other).cwiseAbs().maxCoeff();
  }

  // Above which lead all labels of a class are right, and probabilities where they matter, and which pixels that
  // decides.
  void judge(const std::array<Matrix, 2>& values, ComparedStage& result) const {
    std::vector<Leader> found;
    Indices pixels(static_cast<std::size_t>(values[0].cols()), 0);
    Vector leads = Vector::Zero(values[0].cols());
    for (const std::size_t half : {0, 1}) {
      for (Index i = 0; i < values[half].rows(); ++i) {
        found.push_back(leader(values[half].row(i)));
        const auto& [label, lead] = found.back();
        ++pixels[static_cast<std::size_t>(label)];
        if (label != leader(decisions_[half].row(i)).label ||
            (slope_ > 0 && farthest_probability(values[half].row(i), decisions_[half].row(i)) > kProbabilityError)) {
          leads(label) = std::max(leads(label), lead);
        }
      }
    }
    // The classes with most pixels have a lead of their own, and the others the largest of theirs.
    Indices classes = consecutive(leads.size());
    std::stable_sort(classes.begin(), classes.end(), [&](Index a, Index b) {
      return pixels[static_cast<std::size_t>(a)] > pixels[static_cast<std::size_t>(b)];
    });
    const Index own = std::min(std::max<Index>(std::ssize(found) / kPixelsOfGroup - 1, 0), leads.size() - 1);
    const Indices others(classes.begin() + own, classes.end());
    leads(others).setConstant(leads(others).maxCoeff());
    leads *= slope_ > 0 ? 1 : kLeadFactor;
    for (const auto& [label, lead] : found) {
      result.decided.push_back(lead > leads(label));
    }
    result.stage.leads = leads;
  }

  Matrix support_;
  Indices heavy_;
  std::array<Matrix, 2> coordinates_;
  std::array<Matrix, 2> decisions_;
  double slope_;  // of probabilities; 0 where they do not matter
  int threads_;
};

// The share of the pixels that any of the stages decides.
double share_decided(const std::vector<const ComparedStage*>& stages) {
  const std::size_t pixels = stages.front()->decided.size();
  Index decided = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    decided += std::any_of(stages.begin(), stages.end(), [&](const auto* stage) { return stage->decided[i]; }) ? 1 : 0;
  }
  return static_cast<double>(decided) / static_cast<double>(pixels);
}

}  // namespace

// The weight of the kernel by the least error of a small stage: coordinates are multiplied by its root.
static double best_weight(const Comparison& comparison) {
  double best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const double times : {1.0, 2.0, 4.0, 8.0}) {
    const double weight = times * comparison.usual_weight();
    const double error = comparison.compared(kFewestSupport, weight).error;
    if (error < least) {
      least = error;
      best = weight;
    }
  }
  return best;
}

// One stage, or two of which the second has more support spectra: those of the least expected work.
static std::vector<EarlyStage> cheapest(const Model& model, Index coordinates, std::vector<ComparedStage>& compared) {
  const double exact = exact_work(model);
  double least = exact / kLeastSpeedup;
  std::vector<EarlyStage> best;
  const auto work_of = [&](const ComparedStage& one) {
    return stage_work(model, coordinates, std::ssize(one.stage.support));
  };
  for (ComparedStage& second : compared) {
    second.stage.decided = share_decided({&second});
    const double alone = work_of(second) + (1 - second.stage.decided) * exact;
    if (alone <= least) {
      least = alone;
      best = {second.stage};
    }
    for (const ComparedStage& first : compared) {
      if (&first == &second) {
        break;
      }
      const double decided = share_decided({&first, &second});
      const double work = work_of(first) + (1 - first.stage.decided) * work_of(second) + (1 - decided) * exact;
      if (work < least) {
        least = work;
        best = {first.stage, second.stage};
        best.back().decided = decided;
      }
    }
  }
  return best;
}

std::optional<EarlyStages> early_stages(const Model& model, const Spectra& pixels, const Spectra& decisions,
                                        int threads) {
  const Index all = model.support_spectra.rows();
  if (pixels.rows() < kFewestStagePixels || all < kLargestPart * kFewestSupport) {
    return std::nullopt;
  }
  Matrix columns = pixels.cast<double>();
  const Index bands = model.scaling.offset.size();
  columns.leftCols(bands) = model.scaling.apply(columns.leftCols(bands));
  EarlyStages stages;
  stages.pixels = pixels.rows();
  stages.probabilities = model.spatial && model.spatial->steps.neighbours;
  stages.directions = stage_directions(model, columns, threads);
  if (stages.directions.cols() == 0) {
    return std::nullopt;
  }
  const Matrix exact = decisions.cast<double>();
  const double weight = best_weight(Comparison(model, stages, columns, exact, threads));
  stages.directions *= std::sqrt(weight);
  const Comparison comparison(model, stages, columns, exact, threads);
  std::vector<ComparedStage> compared;
  for (Index size = kFewestSupport; size <= std::min(kMostSupport, all / kLargestPart); size *= 2) {
    compared.push_back(comparison.compared(size, 1));
    if (!compared.back().stage.coefficients.allFinite()) {
      return std::nullopt;
    }
  }
  stages.stages = cheapest(model, stages.directions.cols(), compared);
  return stages.stages.empty() ? std::nullopt : std::optional(std::move(stages));
}

}  // namespace parsimap
