#include "component_cells.hpp"

#include <cmath>

namespace parsimap {

// Pixels along the sides of a cell: narrow storage blocks are joined, because each cell takes some memory and a search.
constexpr Index kLeastWidth = 64;
constexpr Index kLeastHeight = 8;
constexpr auto kValueBytes = static_cast<std::int64_t>(sizeof(float));

// Whole storage blocks where they are small, and parts of large ones: cells are what is read too much around a window.
static Index cell_side(Index block, Index least, Index extent) {
  const Index side = block > 4 * least ? 4 * least : block * std::max<Index>(1, least / block);
  return std::clamp<Index>(side, 1, extent);
}

static Index cell_height(const SceneSource& scene) {
  return cell_side(scene.block_height(), kLeastHeight, scene.grid().height);
}

static Window clip(const Window& window, const RasterGrid& grid) {
  return overlap(window, {0, 0, grid.width, grid.height});
}

ComponentCells::ComponentCells(SceneSource& scene, const Indices& bands, const ProfileDesign& design,
                               std::int64_t keep_bytes, std::int64_t read_bytes)
    : scene_(scene),
      components_(design),
      reader_(scene, bands),
      bands_(static_cast<Index>(bands.size())),
      keep_bytes_(keep_bytes),
      read_pixels_(std::max<Index>(1, read_bytes / (bands_ * kValueBytes))),
      width_(cell_side(scene.block_width(), kLeastWidth, scene.grid().width)),
      height_(cell_height(scene)),
      columns_((scene.grid().width + width_ - 1) / width_),
      pixel_(static_cast<std::size_t>(components_.count())) {}

std::int64_t ComponentCells::row_bytes(const SceneSource& scene, Index rows, Index components) {
  return (rows + 2 * (cell_height(scene) - 1)) * scene.grid().width * components * kValueBytes;
}

ComponentCells::Range ComponentCells::range_of(const Window& window) const {
  const Window inside = clip(window, scene_.grid());
  return {inside.column / width_, inside.row / height_, (inside.column + inside.width + width_ - 1) / width_,
          (inside.row + inside.height + height_ - 1) / height_};
}

Window ComponentCells::window_of(Index column, Index row) const {
  return clip({column * width_, row * height_, width_, height_}, scene_.grid());
}

bool ComponentCells::fits(const Window& window) const {
  const Range range = range_of(window);
  return (range.last_column - range.first_column) * (range.last_row - range.first_row) * width_ * height_ *
             components_.count() * kValueBytes <=
         keep_bytes_;
}

ComponentCells::Cell& ComponentCells::add(Index number) {
  // A cell is kept as planes, one for each component, all without a value at first. Cells are ordered by their last
  // use, the latest in front.
  Cell& cell = cells_[number];
  const Window window = window_of(number % columns_, number / columns_);
  cell.values.assign(static_cast<std::size_t>(window.pixels() * components_.count()), kMissingValue);
  recent_.push_front(number);
  cell.recency = recent_.begin();
  kept_bytes_ += static_cast<std::int64_t>(cell.values.size()) * kValueBytes;
  return cell;
}

// The components of a pixel of a cell that is there.
void ComponentCells::put(Index column, Index row, const float* spectrum) {
  components_.of(spectrum, pixel_.data());
  const Index cell_column = column / width_;
  const Index cell_row = row / height_;
  // Neighbouring pixels mostly lie in one cell, which is looked up once for all of them.
  if (const Index cell = number(cell_column, cell_row); cell != put_number_) {
    put_cell_ = &cells_.at(cell);
    put_number_ = cell;
  }
  const Window window = window_of(cell_column, cell_row);
  // The components of a cell are stored one after the other, each as an image of the cell.
  float* value =
      &put_cell_->values[static_cast<std::size_t>((row - window.row) * window.width + column - window.column)];
  // From one plane to the next it is as far as the cell has pixels.
  for (const float component : pixel_) {
    *value = component;
    value += window.pixels();
  }
}

// Cells without any value take no memory.
void ComponentCells::settle(const Range& cells) {
  for (Index row = cells.first_row; row < cells.last_row; ++row) {
    for (Index column = cells.first_column; column < cells.last_column; ++column) {
      std::vector<float>& values = cells_.at(number(column, row)).values;
      const auto first = static_cast<std::ptrdiff_t>(window_of(column, row).pixels());
      if (std::all_of(values.begin(), values.begin() + first, [](float value) { return std::isnan(value); })) {
        kept_bytes_ -= static_cast<std::int64_t>(values.size()) * kValueBytes;
        std::vector<float>().swap(values);
      }
    }
  }
}

void ComponentCells::offer(const Window& window, const Spectra& values, const Window& wanted) {
  const Range range = range_of(wanted);
  for (Index row = range.first_row; row < range.last_row; ++row) {
    for (Index column = range.first_column; column < range.last_column; ++column) {
      const Window cell = window_of(column, row);
      // Only cells that lie in the window as a whole are filled from it. One that the window holds in part would have
      // to be read again for its rest, and is left to fetch(). Cells that are there already stay.
      if (!(overlap(cell, window) == cell) || cells_.count(number(column, row)) > 0) {
        continue;
      }
      add(number(column, row));
      for (Index y = cell.row; y < cell.row + cell.height; ++y) {
        for (Index x = cell.column; x < cell.column + cell.width; ++x) {
          const auto spectrum = values.row((y - window.row) * window.width + x - window.column).head(bands_);
          if (spectrum.allFinite()) {
            put(x, y, spectrum.data());
          }
        }
      }
      settle({column, row, column + 1, row + 1});
    }
  }
}

// Reads cells of which none is there, in pieces that fit into the memory for spectra.
void ComponentCells::read(const Range& cells) {
  // The cells of the range are neighbours: one window covers them all, and is read in pieces of whole storage blocks.
  const Window first = window_of(cells.first_column, cells.first_row);
  const Window last = window_of(cells.last_column - 1, cells.last_row - 1);
  const Window whole{first.column, first.row, last.column + last.width - first.column,
                     last.row + last.height - first.row};
  for (Index row = cells.first_row; row < cells.last_row; ++row) {
    for (Index column = cells.first_column; column < cells.last_column; ++column) {
      add(number(column, row));
    }
  }
  for_pieces(whole, scene_.block_width(), scene_.block_height(), read_pixels_, [&](const Window& piece) {
    const ValidSpectra input = reader_.read(piece);
    for (Index i = 0; i < input.spectra.rows(); ++i) {
      const Index position = input.position(i);
      put(input.window.column + position % input.window.width, input.window.row + position / input.window.width,
          input.spectra.row(i).data());
    }
  });
  settle(cells);
}

void ComponentCells::fetch(const Window& window) {
  // Missing cells are joined along rows of cells, and such runs with the same one above.
  const Range range = range_of(window);
  std::vector<Range> missing;
  for (Index row = range.first_row; row < range.last_row; ++row) {
    for (Index column = range.first_column; column < range.last_column; ++column) {
      const Index cell = number(column, row);
      if (const auto found = cells_.find(cell); found != cells_.end()) {
        recent_.splice(recent_.begin(), recent_, found->second.recency);
      } else if (scene_.known_empty(window_of(column, row))) {
        add(cell);
        settle({column, row, column + 1, row + 1});
      } else if (!missing.empty() && missing.back().last_row == row + 1 && missing.back().last_column == column) {
        ++missing.back().last_column;
      } else {
        missing.push_back({column, row, column + 1, row + 1});
      }
    }
  }
  for (std::size_t i = 0; i < missing.size();) {
    Range joined = missing[i++];
    // One read of a large window costs less than several of small ones: each window is decoded in whole storage
    // blocks.
    while (i < missing.size() && missing[i].first_row == joined.last_row &&
           missing[i].first_column == joined.first_column && missing[i].last_column == joined.last_column) {
      joined.last_row = missing[i++].last_row;
    }
    read(joined);
  }
}

bool ComponentCells::components(const Window& window, std::vector<Image>& images) {
  const Range range = range_of(window);
  bool any = false;
  // Where no cell has a value, nothing is computed for the window.
  for (Index row = range.first_row; row < range.last_row; ++row) {
    for (Index column = range.first_column; column < range.last_column; ++column) {
      any = any || !cells_.at(number(column, row)).values.empty();
    }
  }
  if (!any) {
    return false;
  }
  // The image of each component is put together from the parts of the cells that lie in the window; cells without
  // values leave NaN.
  images.resize(static_cast<std::size_t>(components_.count()));
  for (Image& image : images) {
    image.setConstant(window.height, window.width, kMissingValue);
  }
  for (Index row = range.first_row; row < range.last_row; ++row) {
    for (Index column = range.first_column; column < range.last_column; ++column) {
      const std::vector<float>& values = cells_.at(number(column, row)).values;
      const Window cell = window_of(column, row);
      const Window part = overlap(cell, window);
      for (std::size_t p = 0; p < images.size() && !values.empty(); ++p) {
        // The part of the window in this cell, copied plane by plane; what lies outside of the grid stays NaN.
        const Eigen::Map<const Image> plane(&values[p * static_cast<std::size_t>(cell.pixels())], cell.height,
                                            cell.width);
        images[p].block(part.row - window.row, part.column - window.column, part.height, part.width) =
            plane.block(part.row - cell.row, part.column - cell.column, part.height, part.width);
      }
    }
  }
  return true;
}

void ComponentCells::trim() {
  // A cell without values counts for little, but it counts, so that their number stays bounded.
  constexpr std::int64_t kCellBytes = 128;
  while (kept_bytes_ + static_cast<std::int64_t>(cells_.size()) * kCellBytes > keep_bytes_ && !recent_.empty()) {
    // The cell that was used the longest ago is at the end of the list.
    const auto oldest = cells_.find(recent_.back());
    kept_bytes_ -= static_cast<std::int64_t>(oldest->second.values.size()) * kValueBytes;
    cells_.erase(oldest);
    recent_.pop_back();
    put_number_ = -1;
  }
}

}  // namespace parsimap
