#include "parsimap/mapping/view_scene.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"

namespace parsimap {

ViewScene::ViewScene(std::shared_ptr<KeptScene> scene, const Window& window, Index step)
    : SceneDecorator(scene,
                     RasterGrid{part_count(window.width, step), part_count(window.height, step), std::nullopt, ""}),
      kept_(std::move(scene)),
      window_(window),
      step_(step) {}

void ViewScene::read(const Window& window, const Indices& bands, Spectra& values) {
  // The last column of the view may be nearer to the edge of the window than a step.
  const Index column = window.column * step_;
  const Index row = window.row * step_;
  kept_->read({window_.column + column, window_.row + row, std::min(window.width * step_, window_.width - column),
               std::min(window.height * step_, window_.height - row)},
              step_, bands, values);
}

std::int64_t ViewScene::pixel_of_scene(std::int64_t pixel) const {
  const std::int64_t row = window_.row + pixel / grid().width * step_;
  return row * kept_->grid().width + window_.column + pixel % grid().width * step_;
}

std::int64_t ViewScene::pixel_of_view(std::int64_t pixel) const {
  const Index row = pixel / kept_->grid().width - window_.row;
  const Index column = pixel % kept_->grid().width - window_.column;
  const bool inside = row >= 0 && row < window_.height && column >= 0 && column < window_.width && row % step_ == 0 &&
                      column % step_ == 0;
  return inside ? row / step_ * grid().width + column / step_ : -1;
}

LabelledScene::LabelledScene(std::shared_ptr<KeptScene> scene, Indices bands)
    : SceneDecorator(scene), kept_(std::move(scene)), bands_(std::move(bands)) {}

void LabelledScene::add(const std::vector<LabelledPixel>& pixels, const Progress& progress) {
  const Index width = grid().width;
  std::map<std::pair<Index, Index>, std::vector<std::int64_t>> blocks;
  for (const LabelledPixel& labelled : pixels) {
    if (!spectra_.contains(labelled.pixel)) {
      blocks[{labelled.pixel / width / kBlock, labelled.pixel % width / kBlock}].push_back(labelled.pixel);
    }
  }
  std::size_t done = 0;
  Spectra values;
  for (const auto& [block, members] : blocks) {
    const Window window = bounds_of(members, width).window();
    kept_->peek(window, bands_, values);
    for (const std::int64_t pixel : members) {
      spectra_[pixel] = values.row((pixel / width - window.row) * window.width + pixel % width - window.column);
    }
    report_done(progress, ++done, blocks.size());
  }
}

void LabelledScene::read(const Window& window, const Indices& bands, Spectra& values) {
  const auto columns =
      mapped<Index>(bands, [&](Index band) { return std::ranges::lower_bound(bands_, band) - bands_.begin(); });
  values.setConstant(window.pixels(), std::ssize(bands), kMissingValue);
  for (Index i = 0; i < window.pixels(); ++i) {
    const std::int64_t row = window.row + i / window.width;
    const auto found = spectra_.find(row * grid().width + window.column + i % window.width);
    if (found != spectra_.end()) {
      values.row(i) = found->second(columns);
    }
  }
}

}  // namespace parsimap
