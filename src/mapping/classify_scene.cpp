#include "parsimap/mapping/classify_scene.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/morphology/extended_profile.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/spatial/regularisation_choice.hpp"
#include "parsimap/spatial/segment_means.hpp"

#include "own_decisions.hpp"
#include "window_plan.hpp"
#include "windows.hpp"

namespace parsimap {
namespace {

// What the memory allowed leaves beside the tables of decision values.
std::int64_t window_memory(const MappingOptions& options, const Predictor& predictor, int threads) {
  return options.ram_bytes - static_cast<std::int64_t>(predictor.decision_bytes(threads));
}

// The rows of the scene that are classified.
ItemRange rows_of(const SceneSource& scene, const MappingOptions& options) {
  return options.rows.value_or(ItemRange{0, scene.grid().height});
}

// What of the window lies in the rows; of height 0 where nothing does.
Window within(const ItemRange& rows, const Window& window) {
  return overlap(window, {window.column, rows.first, window.width, rows.size()});
}

// Maps a scene in three steps for each window: evaluate the spectra of its pixels, ask the neighbours where the map is
// regularised, and decide which class each pixel gets. The first step knows OwnDecisions, the last FinalDecisions.
class WindowClassifier {
 public:
  WindowClassifier(const Model& model, const Predictor& predictor, const MapOutputs& outputs,
                   const MappingOptions& options, const ItemRange& rows, int threads, SegmentSource* segments,
                   MaskedScene* masked, MappingSummary& summary)
      : model_(model),
        predictor_(predictor),
        outputs_(outputs),
        options_(options),
        rows_(rows),
        threads_(threads),
        own_(model, predictor, outputs.layers, options, threads, segments != nullptr),
        segments_(segments),
        masked_(masked),
        segment_means_(class_count() + own_.limits()),
        summary_(summary) {}

  [[nodiscard]] std::int64_t working_bytes() const {
    return static_cast<std::int64_t>(predictor_.decision_bytes(threads_)) + own_.working_bytes();
  }

  void prepare(SceneSource& scene) { own_.prepare(scene, window_memory(options_, predictor_, threads_), summary_); }

  // The windows in the order in which they are classified. `bytes` hold one in work and one that is read ahead.
  std::vector<Window> plan(const SceneSource& scene, std::int64_t bytes) {
    const Regularisation& regularisation = summary_.regularisation;
    // A pixel is labelled when its neighbours are known, which is later than it is evaluated. So what may reject it is
    // kept with its probabilities.
    const Index values = class_count() + own_.limits();
    WindowPlan plan = window_plan(scene, rows_, model_, regularisation, values, bytes, threads_);
    if (plan.neighbours) {
      rolling_.emplace(*plan.neighbours, values, gaussian_reach(regularisation.sigma));
    }
    return std::move(plan.windows);
  }

  // The first of two passes where there are segments: gathers what their pixels say.
  void gather_segments(const ValidSpectra& input) {
    if (input.spectra.rows() == 0) {
      return;
    }
    segments_->read(input.window, segment_numbers_);
    const OwnDecisions own = evaluate(input.spectra);
    segment_means_.add(input, segment_numbers_, with_limited(own));
  }

  // To be called between the two passes.
  void judge_segments() {
    std::vector<float> means(static_cast<std::size_t>(class_count() + own_.limits()));
    FinalDecisions decided;
    for (const std::int64_t number : segment_means_.numbers()) {
      segment_means_.means(number, means.data());
      decided.probabilities = Spectra::Map(means.data(), 1, class_count());
      decided.limited = Spectra::Map(means.data() + class_count(), 1, own_.limits());
      decided.confidence.resize(1, 1);
      ClassifiedSegment segment{
          .number = number, .pixels = segment_means_.pixels(number), .window = segment_means_.window(number)};
      Index label = 0;
      segment.confidence = decided.probabilities.row(0).maxCoeff(&label);
      segment.label = static_cast<int>(label);
      decided.confidence(0, 0) = segment.confidence;
      segment.rejected = rejected(decided, 0);
      summary_.segments.push_back(segment);
    }
  }

  void classify(const ValidSpectra& input) {
    // Layers of the pixel's own spectrum are complete at once; the map and the layers that follow it wait for the
    // neighbours where it is regularised.
    OwnDecisions own = evaluate(input.spectra);
    write_layers(input, own, input.spectra.rows());
    count_own(input, own);
    if (segments_ != nullptr && input.spectra.rows() > 0) {
      take_segment_means(input, own);
    }
    if (!rolling_) {
      finish(input, std::move(own.probabilities), std::move(own.limited));
      return;
    }
    ValidPixels pixels;
    Spectra probabilities;
    Spectra limited;
    if (regularise_complete(input, own, pixels, probabilities, limited)) {
      finish(pixels, std::move(probabilities), std::move(limited));
    }
  }

 private:
  // What the spectra of the window's valid pixels say, each by itself.
  OwnDecisions evaluate(const Spectra& spectra) {
    const Stopwatch compute;
    OwnDecisions own = own_.evaluate(spectra, rolling_.has_value());
    summary_.compute_seconds += compute.seconds();
    return own;
  }

  [[nodiscard]] Index class_count() const { return static_cast<Index>(model_.classes.size()); }

  // The probabilities, and behind them what limits apply to: all that decides about a pixel.
  [[nodiscard]] Spectra with_limited(const OwnDecisions& own) const {
    Spectra values(own.probabilities.rows(), class_count() + own_.limits());
    values.leftCols(class_count()) = own.probabilities;
    values.rightCols(own_.limits()) = own.limited;
    return values;
  }

  // Pixels in segments take what their segment says in place of their own.
  void take_segment_means(const ValidSpectra& input, OwnDecisions& own) {
    const Stopwatch compute;
    segments_->read(input.window, segment_numbers_);
    std::vector<float> means(static_cast<std::size_t>(class_count() + own_.limits()));
    for (Index i = 0; i < input.spectra.rows(); ++i) {
      const std::int64_t number = segment_numbers_[static_cast<std::size_t>(input.position(i))];
      if (number == 0) {
        continue;
      }
      segment_means_.means(number, means.data());
      own.probabilities.row(i) = Spectra::Map(means.data(), 1, class_count());
      own.limited.row(i) = Spectra::Map(means.data() + class_count(), 1, own_.limits());
    }
    summary_.compute_seconds += compute.seconds();
  }

  // Adds the window's pixels to those that wait for their neighbours, and hands out the pixels whose neighbours are now
  // all known, with regularised probabilities and what limits apply to. False without any.
  bool regularise_complete(const ValidSpectra& input, const OwnDecisions& own, ValidPixels& pixels,
                           Spectra& probabilities, Spectra& limited) {
    const Stopwatch compute;
    const Index classes = own.probabilities.cols();
    Spectra values = with_limited(own);
    if (!rolling_->add(input, values)) {
      return false;
    }
    // Pixels beyond the rows asked for were evaluated as neighbours only.
    const Window complete = within(rows_, rolling_->complete());
    if (complete.height == 0) {
      return false;
    }
    // The block holds all neighbours of the complete pixels, so that the outcome is that of the whole scene at once.
    regularise(rolling_->block(), complete, classes, summary_.regularisation, threads_, pixels, values);
    probabilities = values.leftCols(classes);
    calibrate(probabilities, options_.exponent);
    limited = values.rightCols(values.cols() - classes);
    summary_.compute_seconds += compute.seconds();
    return values.rows() > 0;
  }

  // Labels the pixels, and writes the map and the layers that follow from the labels.
  void finish(const ValidPixels& pixels, Spectra probabilities, Spectra limited) {
    if (probabilities.rows() == 0) {
      return;
    }
    const Stopwatch compute;
    FinalDecisions decided{std::move(probabilities), {}, std::move(limited)};
    label_pixels(pixels, decided);
    summary_.compute_seconds += compute.seconds();
    const Stopwatch write;
    outputs_.map->write(pixels.window, codes_);
    summary_.write_seconds += write.seconds();
    write_layers(pixels, decided, decided.probabilities.rows());
  }

  // The limits are rounded to the numbers that the layers hold, so that a user who applies a limit to a layer gets the
  // same map.
  [[nodiscard]] bool rejected(const FinalDecisions& decided, Index i) const {
    return (options_.reject && decided.confidence(i, 0) < static_cast<float>(*options_.reject)) ||
           own_.exceeds(decided.limited, i);
  }

  // Which pixels of the window get a class and layers; empty where all do.
  [[nodiscard]] std::vector<bool> shown(const Window& window) const {
    return masked_ != nullptr ? masked_->shown(window) : std::vector<bool>();
  }

  void label_pixels(const ValidPixels& pixels, FinalDecisions& decided) {
    const std::vector<bool> shows = shown(pixels.window);
    // Pixels without a value keep the code 0, and so do those that are rejected.
    codes_.assign(static_cast<std::size_t>(pixels.window.pixels()), 0);
    decided.confidence.resize(decided.probabilities.rows(), 1);
    for (Index i = 0; i < decided.probabilities.rows(); ++i) {
      Index label = 0;
      decided.confidence(i, 0) = decided.probabilities.row(i).maxCoeff(&label);
      if (!shows.empty() && !shows[static_cast<std::size_t>(pixels.position(i))]) {
        continue;
      }
      if (rejected(decided, i)) {
        ++summary_.rejected;
        continue;
      }
      const auto c = static_cast<std::size_t>(label);
      codes_[static_cast<std::size_t>(pixels.position(i))] = static_cast<std::uint16_t>(model_.classes[c].code);
      ++summary_.class_pixels[c];
      ++summary_.classified;
    }
  }

  // Writes the layers that show such decisions, about `count` pixels.
  template <typename Decisions>
  void write_layers(const ValidPixels& pixels, const Decisions& decisions, Index count) {
    const Stopwatch write;
    const std::vector<bool> shows = outputs_.layers.empty() ? std::vector<bool>() : shown(pixels.window);
    for (const auto& [layer, sink] : outputs_.layers) {
      const MapLayerDescription& description = map_layer(layer);
      const auto* const values = std::get_if<LayerValues<Decisions>>(&description.values);
      if (values == nullptr || count == 0) {
        continue;
      }
      const auto bands = static_cast<Index>(description.bands(model_.classes).size());
      // A layer has NaN where a pixel has no value. Its values are computed for the valid pixels, and put where they
      // lie in the window.
      field_.setConstant(pixels.window.pixels(), bands, std::numeric_limits<float>::quiet_NaN());
      for (Index i = 0; i < count; ++i) {
        if (shows.empty() || shows[static_cast<std::size_t>(pixels.position(i))]) {
          (*values)(decisions, i, field_.row(pixels.position(i)).data());
        }
      }
      // Neighbours beyond the rows have been evaluated, but are not written.
      const Window written = within(rows_, pixels.window);
      if (written == pixels.window) {
        sink->write(written, field_);
      } else if (written.height > 0) {
        sink->write(written, field_.middleRows((written.row - pixels.window.row) * written.width, written.pixels()));
      }
    }
    summary_.write_seconds += write.seconds();
  }

  // What layers of the pixels' own spectra say, of the pixels that are written.
  void count_own(const ValidSpectra& pixels, const OwnDecisions& own) {
    const std::vector<bool> shows = shown(pixels.window);
    const Window written = within(rows_, pixels.window);
    const auto is_written = [&](Index position) {
      const Index row = pixels.window.row + position / pixels.window.width;
      return (shows.empty() || shows[static_cast<std::size_t>(position)]) && row >= written.row &&
             row < written.row + written.height;
    };
    own_.count(pixels, own, is_written, summary_);
  }

  const Model& model_;
  const Predictor& predictor_;
  const MapOutputs& outputs_;
  const MappingOptions& options_;
  ItemRange rows_;
  int threads_;
  OwnEvaluator own_;
  SegmentSource* segments_;  // may be null
  MaskedScene* masked_;      // null where only pixels that get a class are evaluated
  SegmentMeans segment_means_;
  std::vector<std::int64_t> segment_numbers_;  // of the whole window
  MappingSummary& summary_;
  Spectra field_;                     // the values of a layer in the whole window
  std::vector<std::uint16_t> codes_;  // of the whole window
  std::optional<RollingBlocks> rolling_;
};

// The rule that is asked for, or the one that suits the scene.
Regularisation chosen_rule(SceneSource& scene, const Model& model, const Predictor& predictor,
                           const MappingOptions& options, int threads) {
  if (options.regularisation.method != RegularisationMethod::automatic) {
    return options.regularisation;
  }
  // Pixels that a mask leaves out are neighbours like others: the map is that of the whole scene, where it is shown.
  ModelScene seen(whole_scene(scene), model, options.pixel_metres, window_memory(options, predictor, threads), threads);
  return choose_regularisation(seen.source(), seen.bands(), predictor, threads, options.strongest);
}

}  // namespace

MappingSummary classify_scene(SceneSource& scene, const Model& model, const MapOutputs& outputs,
                              const MappingOptions& options, const Progress& progress, SegmentSource* segments) {
  // Find the model's bands, choose how to regularise, plan the windows within the memory, and go through them.
  if (segments != nullptr && options.regularisation.method != RegularisationMethod::none) {
    throw ConfigError(
        "a map by segments is not regularised, too: the pixels of a segment are classified together already");
  }
  if (segments != nullptr && options.rows) {
    throw ConfigError("a map by segments is not made by rows: a segment may go beyond them");
  }
  std::map<MapLayer, std::string> asked;
  for (const auto& [layer, sink] : outputs.layers) {
    asked[layer];
  }
  check_layers(model, asked);
  const int threads = resolve_threads(options.threads);
  const Predictor predictor(model);
  const ItemRange rows = rows_of(scene, options);
  MappingSummary summary;
  summary.pixels = rows.size() * scene.grid().width;
  summary.class_pixels.assign(model.classes.size(), 0);
  const Stopwatch choice;
  summary.regularisation = chosen_rule(scene, model, predictor, options, threads);
  summary.choice_seconds = options.regularisation.method == RegularisationMethod::automatic ? choice.seconds() : 0;
  // Neighbours are evaluated behind a mask, too, and get no class there.
  MaskedScene* const masked = summary.regularisation.method != RegularisationMethod::none ? scene.masked() : nullptr;
  const std::unique_ptr<SceneSource> around =
      masked != nullptr ? masked->around_shown(gaussian_reach(summary.regularisation.sigma)) : nullptr;
  ModelScene seen(around ? *around : scene, model, options.pixel_metres, window_memory(options, predictor, threads),
                  threads, evaluated_rows(scene.grid(), rows, summary.regularisation));
  WindowClassifier classifier(model, predictor, outputs, options, rows, threads, segments, masked, summary);
  classifier.prepare(scene);
  if (options.begin) {
    options.begin();
  }
  const std::vector<Window> windows =
      classifier.plan(seen.source(), options.ram_bytes - classifier.working_bytes() - seen.bytes());
  // A map by segments goes through the scene twice: first all pixels of a segment are gathered, then they are written.
  // Progress takes both passes for equally long.
  const double passes = segments != nullptr ? 2 : 1;
  const auto share = [&](double before) -> Progress {
    return progress ? [&progress, passes, before](double done) { progress((before + done) / passes); } : Progress();
  };
  if (segments != nullptr) {
    const auto gather = [&](const ValidSpectra& input) { classifier.gather_segments(input); };
    summary.read_seconds += for_each_window(seen.source(), seen.bands(), windows, gather, share(0));
    classifier.judge_segments();
  }
  const auto classify = [&](const ValidSpectra& input) { classifier.classify(input); };
  summary.read_seconds += for_each_window(seen.source(), seen.bands(), windows, classify, share(passes - 1));
  scene.check_unchanged();
  if (segments != nullptr) {
    segments->check_unchanged();
  }
  return summary;
}

MappingPlan plan_mapping(SceneSource& scene, const Model& model, const std::map<MapLayer, std::string>& layers,
                         const MappingOptions& options, bool segments) {
  const int threads = resolve_threads(options.threads);
  const Predictor predictor(model);
  // Which rule an automatic choice takes is only known when it has looked at the scene.
  const bool automatic = options.regularisation.method == RegularisationMethod::automatic;
  const Regularisation rule = automatic ? regularisation_candidates(1).front() : options.regularisation;
  const OwnEvaluator own(model, predictor, layers, options, threads, segments);
  const std::int64_t tables = static_cast<std::int64_t>(predictor.decision_bytes(threads)) + own.working_bytes();
  ModelScene seen(scene, model, options.pixel_metres, window_memory(options, predictor, threads), threads);
  const WindowPlan planned =
      window_plan(seen.source(), rows_of(scene, options), model, rule, std::ssize(model.classes) + own.limits(),
                  options.ram_bytes - tables - seen.bytes(), threads);
  const bool neighbours = rule.method != RegularisationMethod::none;
  const bool early = own.decides_early(neighbours);
  MappingPlan plan;
  plan.windows = std::ssize(planned.windows);
  plan.bytes = tables + seen.bytes() + planned.bytes;
  for (const Window& window : planned.windows) {
    plan.window_pixels = std::max(plan.window_pixels, window.pixels());
    plan.operations += static_cast<double>(window.pixels()) * pixel_operations(model, early) * (segments ? 2 : 1);
  }
  return plan;
}

void check_layers(const Model& model, const std::map<MapLayer, std::string>& layers) {
  if (layers.contains(MapLayer::deciding) && !model.origins) {
    throw DataError(
        "the layer 'deciding' needs to know from which labelled features the support spectra of the model come, which "
        "the model does not say: it was trained by an earlier version, on samples without regions, or with centres "
        "that the classes share (--centres, the rule for more than 50000 pixels); train it again, with --centres 0 or "
        "fewer pixels (--sampling) in the last case");
  }
  if (layers.contains(MapLayer::sets) && model.own_probabilities.empty()) {
    throw DataError(
        "prediction sets (--sets-out) need the probabilities of left-out pixels, which the model does not have: it was "
        "trained by an earlier version; train it again");
  }
}

void set_regularisation(const Model& model, const std::optional<Regularisation>& asked, MappingOptions& options) {
  const bool judged = model.spatial && !model.spatial->rule.empty();
  if (asked) {
    options.regularisation = *asked;
  } else if (judged) {
    options.regularisation = parse_regularisation(model.spatial->rule);
  } else if (model.spatial && model.spatial->steps.neighbours) {
    options.regularisation = {RegularisationMethod::automatic};
    options.strongest = model.spatial->strongest;
  }
  if (judged && to_string(options.regularisation) == model.spatial->rule) {
    options.exponent = model.spatial->exponent;
  }
}

bool is_calibrated(const Model& model, const MappingOptions& options) {
  return options.regularisation.method == RegularisationMethod::none ||
         (model.spatial && model.spatial->rule == to_string(options.regularisation));
}

Regularisation resolve_regularisation(SceneSource& scene, const Model& model, const MappingOptions& options) {
  return options.regularisation.method != RegularisationMethod::automatic
             ? options.regularisation
             : chosen_rule(scene, model, Predictor(model), options, resolve_threads(options.threads));
}

Index map_reach(const Model& model, const Regularisation& regularisation, std::optional<double> pixel_metres) {
  if (regularisation.method == RegularisationMethod::automatic) {
    throw ConfigError(
        "regularisation 'auto' is chosen from the whole scene, and cannot be for pieces of it; name one, such as "
        "'neighbours:1'");
  }
  Index reach = 0;
  if (model.profile) {
    const Indices radii = pixel_radii(*model.profile, pixel_metres ? &*pixel_metres : nullptr);
    reach = profile_reach(radii, model.profile->steps);
  }
  if (regularisation.method != RegularisationMethod::none) {
    reach += gaussian_reach(regularisation.sigma);
  }
  return reach;
}

}  // namespace parsimap
