#include "parsimap/mapping/kept_scene.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {

// Tiles consist of whole storage blocks, of so many rows and columns about.
constexpr Index kTileRows = 64;
constexpr Index kTileColumns = 1024;

// The number that stands for a missing value.
template <typename Stored>
constexpr Stored kMissing = std::is_signed_v<Stored> ? std::numeric_limits<Stored>::min()
                                                     : std::numeric_limits<Stored>::max();

static Index multiple(Index block, Index size, Index most) { return std::min(most, part_count(size, block) * block); }

KeptScene::KeptScene(std::shared_ptr<SceneSource> scene, Indices bands, std::int64_t bytes, int threads)
    : SceneDecorator(std::move(scene)),
      bands_(std::move(bands)),
      most_(bytes),
      threads_(threads),
      tile_width_(multiple(std::min(block_width(), kTileColumns), std::min(kTileColumns, grid().width), grid().width)),
      tile_height_(multiple(std::min(block_height(), kTileColumns), kTileRows, grid().height)) {
  for (const Index band : bands_) {
    scales_.push_back(this->bands()[static_cast<std::size_t>(band)].scale);
    offsets_.push_back(this->bands()[static_cast<std::size_t>(band)].offset);
  }
}

Window KeptScene::tile_window(const Place& place) const {
  return overlap({place.second * tile_width_, place.first * tile_height_, tile_width_, tile_height_},
                 {0, 0, grid().width, grid().height});
}

Indices KeptScene::columns_of(const Indices& bands) const {
  Indices columns;
  for (const Index band : bands) {
    const auto found = std::lower_bound(bands_.begin(), bands_.end(), band);
    if (found == bands_.end() || *found != band) {
      return {};
    }
    columns.push_back(found - bands_.begin());
  }
  return columns;
}

// False where a value is no such number.
template <typename Stored>
bool KeptScene::store(const Spectra& values, Tile& tile) const {
  std::vector<Stored> stored(static_cast<std::size_t>(values.size()));
  std::atomic<bool> fits = true;
  const Index width = tile.window.width;
  parallel_for(tile.window.height, threads_, [&](Index row) {
    for (Index i = row * width; i < (row + 1) * width && fits; ++i) {
      Stored* const target = stored.data() + i * values.cols();
      bool fit = true;
      for (Index b = 0; b < values.cols(); ++b) {
        const float value = values(i, b);
        const auto band = static_cast<std::size_t>(b);
        if (std::isnan(value)) {
          target[b] = kMissing<Stored>;
          continue;
        }
        const double number = std::round((static_cast<double>(value) - offsets_[band]) / scales_[band]);
        const bool inside =
            number >= std::numeric_limits<Stored>::min() && number <= std::numeric_limits<Stored>::max();
        target[b] = inside ? static_cast<Stored>(number) : kMissing<Stored>;
        fit = fit && inside && target[b] != kMissing<Stored> &&
              static_cast<float>(number * scales_[band] + offsets_[band]) == value;
      }
      if (!fit) {
        fits = false;
      }
    }
  });
  if (fits) {
    tile.bytes = static_cast<std::int64_t>(stored.size() * sizeof(Stored));
    tile.values = std::move(stored);
  }
  return fits;
}

KeptScene::Tile KeptScene::compacted(const Window& window, Spectra values) const {
  Tile tile{window, {}, 0, 0};
  if (!store<std::int16_t>(values, tile) && !store<std::uint16_t>(values, tile)) {
    tile.bytes = static_cast<std::int64_t>(sizeof(float)) * values.size();
    tile.values = std::move(values);
  }
  return tile;
}

const KeptScene::Tile& KeptScene::tile(const Place& place) {
  const auto found = tiles_.find(place);
  if (found != tiles_.end()) {
    found->second.used = ++clock_;
    return found->second;
  }
  Spectra values;
  const Window window = tile_window(place);
  behind().read(window, bands_, values);
  Tile fresh = compacted(window, std::move(values));
  // The tile that is read is kept in any case, until the next one is.
  while (!tiles_.empty() && bytes_ + fresh.bytes > most_) {
    const auto oldest = std::ranges::min_element(tiles_, {}, [](const auto& entry) { return entry.second.used; });
    bytes_ -= oldest->second.bytes;
    tiles_.erase(oldest);
  }
  fresh.used = ++clock_;
  bytes_ += fresh.bytes;
  return tiles_.emplace(place, std::move(fresh)).first->second;
}

// Rows and columns of the result that a range of the scene holds: the first one and the one after the last.
static ItemRange steps_inside(Index first, Index length, Index start, Index size, Index step) {
  const Index from = std::max(first, start) - start;
  const Index to = std::min(first + length, start + size) - start;
  return {part_count(from, step), part_count(to, step)};
}

void KeptScene::copy(const Tile& tile, const Window& window, Index step, const Indices& columns,
                     Spectra& values) const {
  const ItemRange rows = steps_inside(tile.window.row, tile.window.height, window.row, window.height, step);
  const ItemRange along = steps_inside(tile.window.column, tile.window.width, window.column, window.width, step);
  const Index width = part_count(window.width, step);
  const auto count = std::ssize(bands_);
  parallel_for(rows.size(), threads_, [&](Index i) {
    const Index row = window.row + (rows.first + i) * step - tile.window.row;
    for (Index k = along.first; k < along.last; ++k) {
      const Index pixel = row * tile.window.width + window.column + k * step - tile.window.column;
      float* const target = values.row((rows.first + i) * width + k).data();
      const auto take = [&](const auto* source, auto value) {
        for (std::size_t b = 0; b < columns.size(); ++b) {
          target[b] = value(source[columns[b]], static_cast<std::size_t>(columns[b]));
        }
      };
      if (const auto* const spectra = std::get_if<Spectra>(&tile.values)) {
        take(spectra->row(pixel).data(), [](float value, std::size_t) { return value; });
        continue;
      }
      const auto scaled = [&](auto stored, std::size_t band) {
        return stored == kMissing<decltype(stored)>
                   ? kMissingValue
                   : static_cast<float>(static_cast<double>(stored) * scales_[band] + offsets_[band]);
      };
      if (const auto* const whole = std::get_if<std::vector<std::int16_t>>(&tile.values)) {
        take(whole->data() + pixel * count, scaled);
      } else {
        take(std::get<std::vector<std::uint16_t>>(tile.values).data() + pixel * count, scaled);
      }
    }
  });
}

void KeptScene::read(const Window& window, Index step, const Indices& bands, Spectra& values) {
  const Indices columns = columns_of(bands);
  const Index width = part_count(window.width, step);
  values.resize(part_count(window.height, step) * width, std::ssize(bands));
  if (columns.empty()) {
    Spectra whole;
    behind().read(window, bands, whole);
    for (Index i = 0; i < values.rows(); ++i) {
      values.row(i) = whole.row(i / width * step * window.width + i % width * step);
    }
    return;
  }
  for_tiles(window, tile_width_, tile_height_, [&](const Window& part) {
    copy(tile({part.row / tile_height_, part.column / tile_width_}), window, step, columns, values);
  });
}

void KeptScene::peek(const Window& window, const Indices& bands, Spectra& values) {
  bool known = true;
  for_tiles(window, tile_width_, tile_height_, [&](const Window& part) {
    known = known && tiles_.contains({part.row / tile_height_, part.column / tile_width_});
  });
  if (known) {
    read(window, 1, bands, values);
  } else {
    behind().read(window, bands, values);
  }
}

}  // namespace parsimap
