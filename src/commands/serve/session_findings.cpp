#include "session_findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/inspection/label_inspection.hpp"
#include "parsimap/mapping/label_places.hpp"
#include "parsimap/samples/sample_place.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

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
  LeftOutOptions options;
  options.repeats = 1;
  options.samples = kLeftOutSamples;
  options.seed = seed;
  options.threads = threads;
  options.progress = progress;
  const std::vector<FoldRows> folds = left_out_folds(labelled, {}, options);
  if (folds.empty()) {
    throw DataError("all labels are one feature; a feature is judged by classifiers that are trained on other ones");
  }
  return left_out_decisions(labelled, folds, design_of(model), options);
}

Answer accuracy_of(const TrainedSession& now, const Matrix& decisions) {
  const ClassTable& classes = now.judged().classes;
  const LabelInspection found =
      inspect_labels({decisions, now.samples.labels, regions_of(now.samples.places), now.judged().softmax_slope});
  Answer list = Answer::array();
  Index right = 0;
  Index all = 0;
  double shares = 0;
  Index judged = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto row = static_cast<Index>(c);
    const Index own = found.confusion(row, row);
    const Index pixels = found.confusion.row(row).sum();
    right += own;
    all += pixels;
    shares += pixels > 0 ? static_cast<double>(own) / static_cast<double>(pixels) : 0;
    judged += pixels > 0 ? 1 : 0;
    list.push_back({{"name", classes[c].name}, {"pixels", pixels}, {"right", own}});
  }
  Answer answer = {{"pixels", all}};
  answer["overall"] = all > 0 ? Answer(static_cast<double>(right) / static_cast<double>(all)) : Answer();
  answer["average"] = judged > 0 ? Answer(shares / static_cast<double>(judged)) : Answer();
  answer["classes"] = list;
  const std::optional<ExpectedAccuracy>& expected = now.model.provenance.expected;
  answer["expected"] = expected && expected->overall ? Answer(*expected->overall) : Answer();
  return answer;
}

Answer suspects_of(const TrainedSession& now, const Matrix& decisions, const RasterGrid& grid, Index count) {
  const ClassTable& classes = now.judged().classes;
  const LabelInspection found =
      inspect_labels({decisions, now.samples.labels, regions_of(now.samples.places), now.judged().softmax_slope});
  const auto name_of = [&](int c) { return classes[static_cast<std::size_t>(c)].name; };
  Answer list = Answer::array();
  for (const RegionEvidence& region : found.regions) {
    const LabelEvidence& evidence = region.evidence;
    if (std::ssize(list) == count || evidence.margin >= 0) {
      break;
    }
    double column = 0;
    double row = 0;
    for (const Index i : region.pixels) {
      const std::int64_t pixel = now.samples.places[static_cast<std::size_t>(i)].pixel;
      column += static_cast<double>(pixel % grid.width) + 0.5;
      row += static_cast<double>(pixel / grid.width) + 0.5;
    }
    const auto pixels = static_cast<double>(region.pixels.size());
    list.push_back({{"feature", now.labels.name(now.labelled.feature_of(region.region))},
                    {"label", name_of(evidence.label)},
                    {"likely", name_of(evidence.likely)},
                    {"margin", evidence.margin},
                    {"label_probability", evidence.label_probability},
                    {"likely_probability", evidence.likely_probability},
                    {"pixels", region.pixels.size()},
                    {"point", point_of(grid, column / pixels, row / pixels)}});
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

Answer pixel_of(const TrainedSession& now, const Spectra& spectrum, int threads) {
  const Model& model = now.model;
  Answer answer;
  const auto row_text = [](const auto& row) { return std::vector<double>(row.begin(), row.end()); };
  answer["bands"] = now.judged().bands;
  answer["spectrum"] = Answer();
  answer["class"] = Answer();
  Spectra probabilities;
  const bool valid = spectrum.row(0).allFinite();
  if (valid) {
    const Eigen::RowVectorXd values = spectrum.row(0).head(std::ssize(now.judged().bands)).cast<double>();
    answer["spectrum"] = row_text(values);
    now.tables->probabilities(spectrum, threads, probabilities);
    Index label = 0;
    probabilities.row(0).maxCoeff(&label);
    answer["class"] = model.classes[static_cast<std::size_t>(label)].name;
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
