#include "parsimap/scene/stacked_scenes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "parsimap/samples/band_match.hpp"

namespace parsimap {

SceneStack::SceneStack(std::vector<StackedScene> scenes, BandTable bands)
    : scenes_(std::move(scenes)), bands_(std::move(bands)) {
  for (const StackedScene& scene : scenes_) {
    grid_.width = std::max(grid_.width, scene.source->grid().width);
    block_width_ = std::max(block_width_, scene.source->block_width());
    block_height_ = std::max(block_height_, scene.source->block_height());
  }
  for (const StackedScene& scene : scenes_) {
    const Index next = tops_.empty() ? 0 : grid_.height + 1;
    tops_.push_back((next + block_height_ - 1) / block_height_ * block_height_);
    grid_.height = tops_.back() + scene.source->grid().height;
  }
  name_ = scenes_.front().source->name();
  if (scenes_.size() == 2) {
    name_ += " and " + scenes_.back().source->name();
  } else if (scenes_.size() > 2) {
    name_ += " and " + std::to_string(scenes_.size() - 1) + " more scenes";
  }
}

std::int64_t SceneStack::pixel_of(std::size_t scene, std::int64_t pixel) const {
  const Index width = scenes_[scene].source->grid().width;
  return (tops_[scene] + pixel / width) * grid_.width + pixel % width;
}

SceneStack::Place SceneStack::place_of(std::int64_t pixel) const {
  const Index row = pixel / grid_.width;
  const auto scene = static_cast<std::size_t>(std::upper_bound(tops_.begin(), tops_.end(), row) - tops_.begin()) - 1;
  Place place{scene, 0, pixel % grid_.width, row - tops_[scene]};
  place.pixel = place.row * scenes_[scene].source->grid().width + place.column;
  return place;
}

Window SceneStack::part_in(std::size_t scene, const Window& window) const {
  const RasterGrid& grid = scenes_[scene].source->grid();
  const Index top = std::max(window.row, tops_[scene]);
  const Index bottom = std::min(window.row + window.height, tops_[scene] + grid.height);
  const Index right = std::min(window.column + window.width, grid.width);
  if (top >= bottom || window.column >= right) {
    return {};
  }
  return {window.column, top - tops_[scene], right - window.column, bottom - top};
}

bool SceneStack::known_empty(const Window& window) const {
  for (std::size_t k = 0; k < scenes_.size(); ++k) {
    const Window part = part_in(k, window);
    if (part.pixels() > 0 && !scenes_[k].source->known_empty(part)) {
      return false;
    }
  }
  return true;
}

void SceneStack::read(const Window& window, const Indices& bands, Spectra& values) {
  values.setConstant(window.pixels(), static_cast<Index>(bands.size()), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t k = 0; k < scenes_.size(); ++k) {
    const Window part = part_in(k, window);
    if (part.pixels() == 0) {
      continue;
    }
    Indices read;     // bands of the scene
    Indices columns;  // where they go
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const Index band = scenes_[k].bands[static_cast<std::size_t>(bands[i])];
      if (band != kNoBand) {
        read.push_back(band);
        columns.push_back(static_cast<Index>(i));
      }
    }
    if (read.empty()) {
      continue;
    }
    scenes_[k].source->read(part, read, part_);
    const Index first = (tops_[k] + part.row - window.row) * window.width;
    for (Index row = 0; row < part.height; ++row) {
      values(Eigen::seqN(first + row * window.width, part.width), columns) =
          part_.middleRows(row * part.width, part.width);
    }
  }
}

void SceneStack::check_unchanged() const {
  for (const StackedScene& scene : scenes_) {
    scene.source->check_unchanged();
  }
}

}  // namespace parsimap
