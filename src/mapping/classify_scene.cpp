#include "parsimap/mapping/classify_scene.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <utility>

#include "parsimap/classifier/decision_function.hpp"
#include "parsimap/classifier/novelty_function.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/mapping/band_match.hpp"
#include "parsimap/mapping/block_plan.hpp"
#include "parsimap/mapping/window_reader.hpp"

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

// Pixels of a window such that two windows of spectra (one read, one computed) and the outcome of one fit.
Index window_pixels(const Model& model, std::int64_t working_bytes, std::int64_t ram_bytes) {
  constexpr Index kFewest = 256;
  constexpr Index kMost = Index{1} << 20U;
  const auto value_bytes = static_cast<Index>(sizeof(float));
  const auto spectrum = static_cast<Index>(model.bands.size()) * value_bytes + static_cast<Index>(sizeof(Index));
  // Decision values and probabilities of the valid pixels, either of the whole window, confidence, novelty, codes.
  const Index outcome = 3 * static_cast<Index>(model.classes.size()) * value_bytes + 2 * value_bytes +
                        static_cast<Index>(sizeof(std::uint16_t));
  return std::clamp((ram_bytes - working_bytes) / (2 * spectrum + outcome), kFewest, kMost);
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

  void classify(const ValidSpectra& input, MappingSummary& summary) {
    const Stopwatch compute;
    decision_.evaluate(input.spectra, threads_, probabilities_);
    if (outputs_.decision_values != nullptr) {
      decision_values_ = probabilities_;
    }
    softmax_rows(model_.softmax_slope, probabilities_);
    if (needs_novelty_) {
      novelty_function_.evaluate(input.spectra, threads_, novelty_);
    }
    label_pixels(input, summary);
    summary.compute_seconds += compute.seconds();
    const Stopwatch write;
    outputs_.map->write(input.box, codes_);
    write_field(input, probabilities_, outputs_.probabilities);
    write_field(input, confidence_, outputs_.confidence);
    write_field(input, decision_values_, outputs_.decision_values);
    write_field(input, novelty_, outputs_.novelty);
    summary.write_seconds += write.seconds();
  }

 private:
  // The limits are compared as the numbers that fields hold.
  [[nodiscard]] bool rejected(Index i) const {
    return (options_.reject && confidence_(i, 0) < static_cast<float>(*options_.reject)) ||
           (options_.reject_novelty && novelty_(i, 0) > static_cast<float>(*options_.reject_novelty));
  }

  void label_pixels(const ValidSpectra& input, MappingSummary& summary) {
    codes_.assign(static_cast<std::size_t>(input.box.pixels()), 0);
    confidence_.resize(probabilities_.rows(), 1);
    for (Index i = 0; i < probabilities_.rows(); ++i) {
      Index label = 0;
      confidence_(i, 0) = probabilities_.row(i).maxCoeff(&label);
      if (rejected(i)) {
        ++summary.rejected;
        continue;
      }
      const auto c = static_cast<std::size_t>(label);
      codes_[static_cast<std::size_t>(input.position(i))] = static_cast<std::uint16_t>(model_.classes[c].code);
      ++summary.class_pixels[c];
      ++summary.classified;
    }
  }

  void write_field(const ValidSpectra& input, const Spectra& values, FieldSink* sink) {
    if (sink == nullptr) {
      return;
    }
    field_.setConstant(input.box.pixels(), values.cols(), std::numeric_limits<float>::quiet_NaN());
    for (Index i = 0; i < values.rows(); ++i) {
      field_.row(input.position(i)) = values.row(i);
    }
    sink->write(input.box, field_);
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
};

}  // namespace

MappingSummary classify_scene(SceneSource& scene, const Model& model, const MapOutputs& outputs,
                              const MappingOptions& options, const Progress& progress) {
  const Indices bands = match_bands(scene, model);
  const DecisionFunction decision(model);
  const int threads = resolve_threads(options.threads);
  WindowClassifier classifier(model, decision, outputs, options, threads);
  const std::vector<Window> windows = plan_blocks(scene.grid(), scene.block_width(), scene.block_height(),
                                                  window_pixels(model, classifier.working_bytes(), options.ram_bytes));
  MappingSummary summary;
  summary.pixels = scene.grid().pixels();
  summary.class_pixels.assign(model.classes.size(), 0);

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
    if (input.spectra.rows() > 0) {
      classifier.classify(input, summary);
    }
    done += windows[i].pixels();
    if (progress) {
      progress(static_cast<double>(done) / static_cast<double>(summary.pixels));
    }
  }
  return summary;
}

}  // namespace parsimap
