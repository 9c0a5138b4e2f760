#include "parsimap/mapping/model_scene.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

ModelScene::ModelScene(SceneSource& scene, const Model& model, std::optional<double> pixel_metres,
                       std::int64_t ram_bytes, int threads, const std::optional<ItemRange>& rows)
    : scene_(scene), bands_(match_bands(scene, model)) {
  if (!model.profile) {
    return;
  }
  // Profiles need memory for the tile that is computed, and are faster the more components around it are kept: these
  // get up to half of what is left, but no more than is useful.
  const std::int64_t working = ProfiledScene::working_bytes(*model.profile, pixel_metres, threads);
  const std::int64_t kept = std::clamp<std::int64_t>(
      (ram_bytes - working) / 2, 0,
      ProfiledScene::useful_bytes(scene, *model.profile, pixel_metres, ProfiledScene::kMostRows));
  profiled_.emplace(scene, bands_, *model.profile, pixel_metres, kept, threads, rows);
  bands_ = profiled_->with_features(bands_);
  bytes_ = working + kept;
}

DrawnPixels drawn_pixels(ModelScene& scene, Index read, Index most) {
  std::vector<ValidSpectra> windows;
  Index valid = 0;
  const auto keep = [&](ValidSpectra&& input) {
    valid += input.spectra.rows();
    windows.push_back(std::move(input));
  };
  for_sampled_windows(scene.source(), scene.bands(), keep, read);
  // An odd step visits all columns of windows whose width is a power of two.
  const Index step = part_count(valid, most) / 2 * 2 + 1;
  DrawnPixels drawn;
  drawn.spectra.resize(part_count(valid, step), windows.empty() ? 0 : windows.front().spectra.cols());
  Index next = 0;
  for (const ValidSpectra& window : windows) {
    for (; next < window.spectra.rows(); next += step) {
      drawn.spectra.row(std::ssize(drawn.pixels)) = window.spectra.row(next);
      drawn.pixels.push_back(window.pixel(next, scene.source().grid().width));
    }
    next -= window.spectra.rows();
  }
  return drawn;
}

Matrix usual_terms(ModelScene& scene, const Model& model, const Predictor& predictor, int threads) {
  constexpr Index kRead = 16384;
  constexpr Index kDrawn = 2000;
  constexpr Index kBlock = 240;
  const Index features = model.origins->features();
  const Spectra drawn = drawn_pixels(scene, kRead, kDrawn).spectra;
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(std::ssize(model.classes) * features);
  for (Index first = 0; first < drawn.rows(); first += kBlock) {
    const Index count = std::min(kBlock, drawn.rows() - first);
    sum += predictor.feature_terms(drawn.middleRows(first, count), threads).colwise().sum();
  }
  sum /= static_cast<double>(std::max<Index>(1, drawn.rows()));
  return sum.reshaped(features, std::ssize(model.classes)).transpose();
}

Index values_of_pixel(const Model& model) {
  return static_cast<Index>(model.bands.size()) + (model.profile ? model.profile->features() : 0);
}

WantedBands wanted_bands(const Model& model) {
  return {model.band_table, model.bands, model.scene_bands, "that the model uses", "the training scene"};
}

BandTable bands_by_place(const BandTable& bands, const Model& model) {
  BandTable named(bands.size());
  for (std::size_t i = 0; i < model.bands.size(); ++i) {
    named[static_cast<std::size_t>(model.bands[i])] = model.band_table[i];
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    named[i].bad = false;
    named[i].scale = bands[i].scale;
    named[i].offset = bands[i].offset;
  }
  return named;
}

Indices match_bands(const SceneSource& scene, const Model& model) {
  BandMatch match = match_bands(wanted_bands(model), scene.bands(), scene.name());
  if (!match.complete()) {
    throw DataError(match.misfit);
  }
  return std::move(match.found);
}

// The spectra of the model as they were before they were scaled.
static Matrix learnt_spectra(const Model& model) {
  return model.scaling.undo(model.support_spectra.leftCols(model.scaling.scale.size()));
}

double learnt_size(const Model& model) {
  return model.support_spectra.rows() == 0 ? 0 : usual_size(learnt_spectra(model));
}

SceneValues check_units(SceneSource& scene, const Model& model, const Indices& bands, double most_ratio) {
  if (model.support_spectra.rows() == 0) {
    return {};
  }
  const Matrix learnt = learnt_spectra(model);
  // Support spectra need not be the darkest and brightest ones.
  constexpr double kMargin = 0.1;
  const Eigen::RowVectorXd middle = (learnt.colwise().maxCoeff() + learnt.colwise().minCoeff()) / 2;
  Eigen::RowVectorXd reach = (1 + 2 * kMargin) * (learnt.colwise().maxCoeff() - middle);
  reach = (reach.array() > 0).select(reach, std::numeric_limits<double>::infinity());  // a constant band says nothing
  Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(learnt.cols());
  std::vector<double> sizes;  // of windows
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  Index pixels = 0;
  Index outside = 0;
  const auto add = [&](ValidSpectra&& input) {
    sizes.push_back(usual_size(input.spectra.cast<double>()));
    least = std::min<double>(least, input.spectra.minCoeff());
    most = std::max<double>(most, input.spectra.maxCoeff());
    pixels += input.spectra.rows();
    for (const auto& spectrum : input.spectra.rowwise()) {
      const Eigen::RowVectorXd values = spectrum.cast<double>();
      outside += 2 * ((values - middle).array().abs() > reach.array()).count() > values.size() ? 1 : 0;
      sums += values.cwiseAbs();
    }
  };
  constexpr Index kEnough = 4096;
  for_sampled_windows(scene, bands, add, kEnough);
  if (pixels == 0) {
    return {};
  }
  const double own = usual_size(learnt);
  const double found = usual_size(Vector::Map(sizes.data(), std::ssize(sizes)));
  check_units(own, "the training data of the model", found, scene.name(), most_ratio);
  check_signs(learnt, "the training data of the model", least, most, scene.name());
  constexpr double kFar = 50;
  const Indices far = indices_where(sums.size(), [&](Index j) {
    const double mean = sums(j) / static_cast<double>(pixels);
    const auto known = learnt.col(j).cwiseAbs();
    return mean > kFar * known.maxCoeff() || (mean > 0 && kFar * mean < known.minCoeff());
  });
  return {own > 0 && found > 0 ? found / own : 1, static_cast<double>(outside) / static_cast<double>(pixels),
          values_at(bands, far)};
}

}  // namespace parsimap
