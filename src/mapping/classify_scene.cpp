#include "parsimap/mapping/classify_scene.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <optional>
#include <utility>

#include "parsimap/classifier/decision_function.hpp"
#include "parsimap/classifier/novelty_function.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/mapping/band_match.hpp"

#include "block_plan.hpp"
#include "regularisation_choice.hpp"
#include "rolling_blocks.hpp"
#include "window_reader.hpp"

namespace parsimap {
namespace {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

constexpr Index kFewestPixels = 256;  // of a window

// Bytes for a pixel of a window: two spectra (one read, one computed) and the outcome of one.
Index pixel_bytes(const Model& model) {
  const auto value_bytes = static_cast<Index>(sizeof(float));
  const auto spectrum = static_cast<Index>(model.bands.size()) * value_bytes + static_cast<Index>(sizeof(Index));
  // Decision values and probabilities of the valid pixels, either of the whole window, confidence, novelty, codes.
  const Index outcome = 3 * static_cast<Index>(model.classes.size()) * value_bytes + 2 * value_bytes +
                        static_cast<Index>(sizeof(std::uint16_t));
  return 2 * spectrum + outcome;
}

Index window_pixels(const Model& model, std::int64_t bytes) {
  constexpr Index kMost = Index{1} << 20U;
  return std::clamp(bytes / pixel_bytes(model), kFewestPixels, kMost);
}

// Cells such that they and what is kept between them, `values` numbers of a pixel, fit.
CellGrid regularised_cells(const SceneSource& scene, const Model& model, const Regularisation& regularisation,
                           Index values, std::int64_t bytes) {
  const Index reach = gaussian_reach(regularisation.sigma);
  const std::int64_t least = RollingBlocks::bytes({scene.grid().width, scene.grid().height, 1, 1}, values, reach);
  if (2 * least > bytes) {
    throw ConfigError("regularisation '" + to_string(regularisation) + "' of " + scene.name() + " keeps " +
                      std::to_string((least >> 20U) + 1) + " MB of probabilities, which may be half of the " +
                      std::to_string(std::max<std::int64_t>(bytes, 0) >> 20U) +
                      " MB for windows at most; give it more memory or a smaller sigma");
  }
  for (Index pixels = window_pixels(model, bytes);; pixels = std::max(kFewestPixels, pixels / 4 * 3)) {
    const CellGrid cells = plan_cells(scene.grid(), scene.block_width(), scene.block_height(), pixels);
    const std::int64_t needed = cells.width * cells.height * pixel_bytes(model);
    if (pixels == kFewestPixels || needed + RollingBlocks::bytes(cells, values, reach) <= bytes) {
      return cells;
    }
  }
}

// Turns the valid spectra of a window into labels and fields, and writes them.
class WindowClassifier {
 public:
  WindowClassifier(const Model& model, const DecisionFunction& decision, const MapOutputs& outputs,
                   const MappingOptions& options, int threads)
      : model_(model),
        decision_(decision),
        novelty_function_(model),
        outputs_(outputs),
        options_(options),
        threads_(threads),
        needs_novelty_(outputs.novelty != nullptr || options.reject_novelty) {}

  [[nodiscard]] std::int64_t working_bytes() const {
    return static_cast<std::int64_t>(decision_.working_bytes(threads_) +
                                     (needs_novelty_ ? novelty_function_.working_bytes(threads_) : 0));
  }

  // The windows in their order, of which `bytes` hold one in work and one read ahead.
  std::vector<Window> plan(const SceneSource& scene, const Regularisation& regularisation, std::int64_t bytes) {
    if (regularisation.method == RegularisationMethod::none) {
      return plan_blocks(scene.grid(), scene.block_width(), scene.block_height(), window_pixels(model_, bytes));
    }
    // Pixels are labelled later than they are evaluated, so the novelty that may reject them is kept, too.
    const Index values = static_cast<Index>(model_.classes.size()) + (options_.reject_novelty ? 1 : 0);
    const CellGrid cells = regularised_cells(scene, model_, regularisation, values, bytes);
    options_.regularisation = regularisation;
    rolling_.emplace(cells, values, gaussian_reach(regularisation.sigma));
    std::vector<Window> windows;
    for (Index i = 0; i < cells.rows() * cells.columns(); ++i) {
      windows.push_back(cells.cell(i % cells.columns(), i / cells.columns()));
    }
    return windows;
  }

  void classify(const ValidSpectra& input, MappingSummary& summary) {
    const Stopwatch compute;
    evaluate(input);
    summary.compute_seconds += compute.seconds();
    const Stopwatch write;
    write_field(input, decision_values_, outputs_.decision_values);
    write_field(input, novelty_, outputs_.novelty);
    summary.write_seconds += write.seconds();
    if (!rolling_) {
      label(input, summary);
    } else if (ValidPixels pixels; regularise_complete(input, pixels, summary)) {
      label(pixels, summary);
    }
  }

 private:
  void evaluate(const ValidSpectra& input) {
    const Index count = input.spectra.rows();
    probabilities_.resize(count, static_cast<Index>(model_.classes.size()));
    decision_values_.resize(0, probabilities_.cols());
    novelty_.resize(0, 1);
    if (count == 0) {
      return;
    }
    decision_.evaluate(input.spectra, threads_, probabilities_);
    if (outputs_.decision_values != nullptr) {
      decision_values_ = probabilities_;
    }
    softmax_rows(model_.softmax_slope, probabilities_);
    if (needs_novelty_) {
      novelty_function_.evaluate(input.spectra, threads_, novelty_);
    }
  }

  // Turns probabilities and novelty of the window into those of the pixels that it completes; false without any.
  bool regularise_complete(const ValidSpectra& input, ValidPixels& pixels, MappingSummary& summary) {
    const Stopwatch compute;
    const Index classes = probabilities_.cols();
    Spectra values = probabilities_;
    if (options_.reject_novelty) {
      values.conservativeResize(Eigen::NoChange, classes + 1);
      values.rightCols(1) = novelty_;
    }
    if (!rolling_->add(input, values)) {
      return false;
    }
    regularise(rolling_->block(), rolling_->complete(), classes, options_.regularisation, threads_, pixels, values);
    probabilities_ = values.leftCols(classes);
    if (options_.reject_novelty) {
      novelty_ = values.rightCols(1);
    }
    summary.compute_seconds += compute.seconds();
    return values.rows() > 0;
  }

  // Labels pixels by probabilities_ and novelty_, and writes what follows from the labels.
  void label(const ValidPixels& pixels, MappingSummary& summary) {
    if (probabilities_.rows() == 0) {
      return;
    }
    const Stopwatch compute;
    label_pixels(pixels, summary);
    summary.compute_seconds += compute.seconds();
    const Stopwatch write;
    outputs_.map->write(pixels.box, codes_);
    write_field(pixels, probabilities_, outputs_.probabilities);
    write_field(pixels, confidence_, outputs_.confidence);
    summary.write_seconds += write.seconds();
  }

  // The limits are compared as the numbers that fields hold.
  [[nodiscard]] bool rejected(Index i) const {
    return (options_.reject && confidence_(i, 0) < static_cast<float>(*options_.reject)) ||
           (options_.reject_novelty && novelty_(i, 0) > static_cast<float>(*options_.reject_novelty));
  }

  void label_pixels(const ValidPixels& pixels, MappingSummary& summary) {
    codes_.assign(static_cast<std::size_t>(pixels.box.pixels()), 0);
    confidence_.resize(probabilities_.rows(), 1);
    for (Index i = 0; i < probabilities_.rows(); ++i) {
      Index label = 0;
      confidence_(i, 0) = probabilities_.row(i).maxCoeff(&label);
      if (rejected(i)) {
        ++summary.rejected;
        continue;
      }
      const auto c = static_cast<std::size_t>(label);
      codes_[static_cast<std::size_t>(pixels.position(i))] = static_cast<std::uint16_t>(model_.classes[c].code);
      ++summary.class_pixels[c];
      ++summary.classified;
    }
  }

  void write_field(const ValidPixels& pixels, const Spectra& values, FieldSink* sink) {
    if (sink == nullptr || values.rows() == 0) {
      return;
    }
    field_.setConstant(pixels.box.pixels(), values.cols(), std::numeric_limits<float>::quiet_NaN());
    for (Index i = 0; i < values.rows(); ++i) {
      field_.row(pixels.position(i)) = values.row(i);
    }
    sink->write(pixels.box, field_);
  }

  const Model& model_;
  const DecisionFunction& decision_;
  NoveltyFunction novelty_function_;
  MapOutputs outputs_;
  MappingOptions options_;
  int threads_;
  bool needs_novelty_;
  Spectra probabilities_;  // of the valid pixels, as the three that follow
  Spectra confidence_;
  Spectra decision_values_;
  Spectra novelty_;
  Spectra field_;  // of the window
  std::vector<std::uint16_t> codes_;
  std::optional<RollingBlocks> rolling_;
};

}  // namespace

MappingSummary classify_scene(SceneSource& scene, const Model& model, const MapOutputs& outputs,
                              const MappingOptions& options, const Progress& progress) {
  const Indices bands = match_bands(scene, model);
  const DecisionFunction decision(model);
  const int threads = resolve_threads(options.threads);
  WindowClassifier classifier(model, decision, outputs, options, threads);
  MappingSummary summary;
  summary.pixels = scene.grid().pixels();
  summary.class_pixels.assign(model.classes.size(), 0);
  summary.regularisation = options.regularisation;
  if (options.regularisation.method == RegularisationMethod::automatic) {
    const Stopwatch choice;
    summary.regularisation = choose_regularisation(scene, bands, model, decision, threads);
    summary.choice_seconds = choice.seconds();
  }
  const std::vector<Window> windows =
      classifier.plan(scene, summary.regularisation, options.ram_bytes - classifier.working_bytes());

  WindowReader reader(scene, bands);
  const auto read = [&](std::size_t i) {
    const Stopwatch stopwatch;
    ValidSpectra input = reader.read(windows[i]);
    return std::pair(std::move(input), stopwatch.seconds());
  };
  // One reader at a time: a window is asked for only when the one before has been received.
  std::future<std::pair<ValidSpectra, double>> next = std::async(std::launch::async, read, std::size_t{0});
  std::int64_t done = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto [input, seconds] = next.get();
    summary.read_seconds += seconds;
    if (i + 1 < windows.size()) {
      next = std::async(std::launch::async, read, i + 1);
    }
    classifier.classify(input, summary);
    done += windows[i].pixels();
    if (progress) {
      progress(static_cast<double>(done) / static_cast<double>(summary.pixels));
    }
  }
  return summary;
}

}  // namespace parsimap
