#include "session_findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/inspection/label_inspection.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sample_place.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

#include "../inspected_samples.hpp"

namespace parsimap {

namespace {

// The samples that classifiers without each fold are trained on, at most.
constexpr Index kLeftOutSamples = 1000;
// Pixels of a view that places are chosen among, about.
constexpr Index kPlacePixels = 65536;

// The labelled pixels, as a view numbers them.
class LabelledInView final : public SegmentSource {
 public:
  LabelledInView(const LabelledPixels& labelled, const ViewScene& view, Index width) : width_(width) {
    for (const LabelledPixel& one : labelled.pixels) {
      if (const std::int64_t pixel = view.pixel_of_view(one.pixel); pixel >= 0) {
        pixels_.push_back(pixel);
      }
    }
    std::ranges::sort(pixels_);
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  void read(const Window& window, std::vector<std::int64_t>& numbers) override {
    numbers.assign(static_cast<std::size_t>(window.pixels()), 0);
    for (Index i = 0; i < window.pixels(); ++i) {
      const std::int64_t row = window.row + i / window.width;
      const std::int64_t pixel = row * width_ + window.column + i % window.width;
      numbers[static_cast<std::size_t>(i)] = std::ranges::binary_search(pixels_, pixel) ? 1 : 0;
    }
  }

 private:
  std::string name_ = "labels";
  Index width_;
  std::vector<std::int64_t> pixels_;
};

Answer point_of(const RasterGrid& grid, double column, double row) {
  const auto [x, y] = map_point(grid, column, row);
  return {x, y};
}

}  // namespace

Matrix left_out_values(const TrainedSession& now, std::uint64_t seed, int threads, const Progress& progress) {
  const Model& model = now.judged();
  const Matrix spectra = scaled_columns(model, now.samples);
  const LabelledSpectra labelled{spectra, now.samples.labels, now.samples.places, model.classes.size()};
  const LeftOutOptions options{1, kLeftOutSamples, seed, threads, progress};
  const std::vector<FoldRows> folds = left_out_folds(labelled, {}, options);
  if (folds.empty()) {
    throw DataError("all labels are one feature; a feature is judged by classifiers that are trained on other ones");
  }
  return left_out_decisions(labelled, folds, {design_of(model)}, options);
}

Answer accuracy_of(const TrainedSession& now, const Matrix& decisions) {
  const LabelInspection found =
      inspect_labels({decisions, now.samples.labels, regions_of(now.samples.places), now.judged().softmax_slope});
  const ConfusionMatrix confusion(class_names(now.judged().classes), found.confusion);
  Answer list = Answer::array();
  for (Index c = 0; c < confusion.size(); ++c) {
    list.push_back({{"name", confusion.names()[static_cast<std::size_t>(c)]},
                    {"pixels", confusion.class_accuracy(c).reference_pixels},
                    {"right", found.confusion(c, c)}});
  }
  const auto share = [](const std::optional<double>& known) { return known ? Answer(*known) : Answer(); };
  Answer answer = {{"pixels", confusion.pixels()}};
  answer["overall"] = share(confusion.overall_accuracy());
  answer["average"] = share(confusion.average_accuracy());
  answer["classes"] = list;
  const std::optional<ExpectedAccuracy>& expected = now.model.provenance.expected;
  answer["expected"] = share(expected ? expected->overall : std::nullopt);
  return answer;
}

Answer suspects_of(const TrainedSession& now, const Matrix& decisions, const RasterGrid& grid, Index count) {
  const LabelInspection found =
      inspect_labels({decisions, now.samples.labels, regions_of(now.samples.places), now.judged().softmax_slope});
  const auto name_of = [&](int c) { return now.judged().classes[static_cast<std::size_t>(c)].name; };
  Answer list = Answer::array();
  for (const RegionEvidence& region : found.regions) {
    const LabelEvidence& evidence = region.evidence;
    if (std::ssize(list) == count || evidence.margin >= 0) {
      break;
    }
    const std::array<double, 2> centre = centre_of(region, now.samples.places, grid.width);
    list.push_back({{"feature", now.labels.name(now.labelled.feature_of(region.region))},
                    {"label", name_of(evidence.label)},
                    {"likely", name_of(evidence.likely)},
                    {"margin", evidence.margin},
                    {"label_probability", evidence.label_probability},
                    {"likely_probability", evidence.likely_probability},
                    {"pixels", region.pixels.size()},
                    {"point", point_of(grid, centre[0], centre[1])}});
  }
  return {{"suspects", list}};
}

Answer places_in(const TrainedSession& now, const std::shared_ptr<KeptScene>& scene, const Window& window, Index count,
                 const PlaceOptions& wanted, const Progress& progress) {
  const Model& model = now.judged();
  const RasterGrid& grid = scene->grid();
  const auto step = static_cast<Index>(
      std::ceil(std::sqrt(static_cast<double>(window.pixels()) / static_cast<double>(kPlacePixels))));
  ViewScene view(scene, window, std::max<Index>(1, step));
  LabelledInView labelled(now.labelled, view, view.grid().width);
  PlaceOptions options = wanted;
  options.count = count;
  const LabelPlaces found = choose_label_places(view, model, &labelled, options, progress);
  Answer list = Answer::array();
  for (const LabelPlace& place : found.places) {
    const std::int64_t pixel = view.pixel_of_scene(place.pixel);
    const std::int64_t column = pixel % grid.width;
    const std::int64_t row = pixel / grid.width;
    list.push_back({{"column", column},
                    {"row", row},
                    {"point", point_of(grid, static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5)},
                    {"class", model.classes[static_cast<std::size_t>(place.label)].name},
                    {"second", model.classes[static_cast<std::size_t>(place.second)].name},
                    {"probability", place.probability},
                    {"second_probability", place.second_probability},
                    {"novelty", place.novelty}});
  }
  return {{"places", list}};
}

// Null for a model that does not know the features of its support spectra.
static Answer deciding_of(const TrainedSession& now, const Spectra& spectrum, int threads) {
  const Model& model = now.model;
  if (!model.origins) {
    return {};
  }
  const auto name_of = [&](Index c) { return model.classes[static_cast<std::size_t>(c)].name; };
  const auto feature = [&](float number) -> Answer {
    const auto f = static_cast<std::size_t>(number) - 1;
    return {{"feature", now.labels.name(model.origins->number[f])},
            {"part", model.origins->part[f]},
            {"class", name_of(model.origins->label[f])}};
  };
  Spectra values;
  Spectra found;
  now.tables->deciding(spectrum, threads, now.usual, values, found);
  const Leader first = leader(values.row(0));
  values(0, first.label) = -std::numeric_limits<float>::infinity();
  return {{"for", feature(found(0, 0))},
          {"against", feature(found(0, 1))},
          {"second", name_of(leader(values.row(0)).label)},
          {"lead", first.lead},
          {"lead_without", found(0, 2)}};
}

Answer pixel_of(const TrainedSession& now, const Spectra& spectrum, int threads) {
  const Model& model = now.model;
  Answer answer;
  const auto row_text = [](const auto& row) { return std::vector<double>(row.begin(), row.end()); };
  answer["bands"] = now.judged().bands;
  answer["spectrum"] = Answer();
  answer["class"] = Answer();
  answer["deciding"] = Answer();
  Spectra probabilities;
  const bool valid = spectrum.row(0).allFinite();
  if (valid) {
    const Eigen::RowVectorXd values = spectrum.row(0).head(std::ssize(now.judged().bands)).cast<double>();
    answer["spectrum"] = row_text(values);
    now.tables->probabilities(spectrum, threads, probabilities);
    Index label = 0;
    probabilities.row(0).maxCoeff(&label);
    answer["class"] = model.classes[static_cast<std::size_t>(label)].name;
    answer["deciding"] = deciding_of(now, spectrum, threads);
  }
  Answer list = Answer::array();
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    const Indices rows = class_rows(now.samples, static_cast<int>(c));
    const Eigen::RowVectorXd mean = rows.empty()
                                        ? Eigen::RowVectorXd()
                                        : Eigen::RowVectorXd(now.samples.spectra(rows, Eigen::all).colwise().mean());
    Answer one = {{"name", model.classes[c].name}};
    one["probability"] = valid ? Answer(probabilities(0, static_cast<Index>(c))) : Answer();
    one["mean"] = row_text(mean);
    list.push_back(one);
  }
  answer["classes"] = list;
  return answer;
}

}  // namespace parsimap
