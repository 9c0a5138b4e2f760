#include "parsimap/mapping/mosaic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace parsimap {
namespace {

constexpr Index kBlock = 512;  // pixels, along each side

// The block in the making: the class of every pixel so far, and which part it is from.
struct Block {
  explicit Block(const Window& covered)
      : window(covered),
        codes(static_cast<std::size_t>(covered.pixels()), 0),
        confidence(codes.size(), -std::numeric_limits<float>::infinity()),
        part(codes.size(), 0),
        contested(codes.size(), false) {}

  Window window;
  std::vector<std::uint16_t> codes;
  std::vector<float> confidence;
  std::vector<std::size_t> part;
  std::vector<bool> contested;
};

class Mosaic {
 public:
  Mosaic(const RasterGrid& grid, const std::vector<MosaicPart>& parts)
      : grid_(grid), parts_(parts), open_(parts.size()) {
    summary_.part_pixels.assign(parts.size(), 0);
    summary_.code_pixels.assign(std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1, 0);
  }

  MosaicSummary write(ClassMapSink& map, const Progress& progress) {
    // The mosaic is made in blocks, each from all parts that touch it: memory depends neither on the number of maps nor
    // on their size.
    for (Index row = 0; row < grid_.height; row += kBlock) {
      close_parts_above(row);
      for (Index column = 0; column < grid_.width; column += kBlock) {
        write_block({column, row, std::min(kBlock, grid_.width - column), std::min(kBlock, grid_.height - row)}, map);
      }
      report_done(progress, std::min(row + kBlock, grid_.height), grid_.height);
    }
    return std::move(summary_);
  }

 private:
  // Blocks go from the top to the bottom: a part that ends above this row is not needed again, and its files are
  // closed.
  void close_parts_above(Index row) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (parts_[p].window.row + parts_[p].window.height <= row) {
        open_[p].reset();
      }
    }
  }

  void write_block(const Window& window, ClassMapSink& map) {
    // A block in which no part lies is not made: the map has nothing there.
    std::optional<Block> block;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Window shared = overlap(window, parts_[p].window);
      if (shared.pixels() > 0) {
        if (!block) {
          block.emplace(window);
        }
        add(p, shared, *block);
      }
    }
    if (block) {
      count(*block);
      map.write(window, block->codes);
    }
  }

  void add(std::size_t p, const Window& shared, Block& block) {
    if (!open_[p]) {
      open_[p] = parts_[p].open();
    }
    // Only what lies in the block is read of the part.
    open_[p]->codes->read(shared, {0}, codes_);
    open_[p]->confidence->read(shared, {0}, confidence_);
    for (Index i = 0; i < shared.pixels(); ++i) {
      const float code = codes_(i, 0);
      if (!(code > 0)) {
        continue;
      }
      const Index row = shared.row + i / shared.width - block.window.row;
      const Index column = shared.column + i % shared.width - block.window.column;
      take(static_cast<std::size_t>(row * block.window.width + column), static_cast<std::uint16_t>(code),
           confidence_(i, 0), p, block);
    }
  }

  static void take(std::size_t pixel, std::uint16_t code, float confidence, std::size_t part, Block& block) {
    // A pixel goes to the part of the largest confidence; of equal ones the first keeps it, since a later one must be
    // larger.
    const float known = std::isnan(confidence) ? -std::numeric_limits<float>::infinity() : confidence;
    const bool is_first = block.codes[pixel] == 0;
    block.contested[pixel] = !is_first;
    if (is_first || known > block.confidence[pixel]) {
      block.codes[pixel] = code;
      block.confidence[pixel] = known;
      block.part[pixel] = part;
    }
  }

  void count(const Block& block) {
    for (std::size_t pixel = 0; pixel < block.codes.size(); ++pixel) {
      if (block.codes[pixel] > 0) {
        ++summary_.classified;
        ++summary_.part_pixels[block.part[pixel]];
        ++summary_.code_pixels[block.codes[pixel]];
        summary_.contested += block.contested[pixel] ? 1 : 0;
      }
    }
  }

  const RasterGrid& grid_;
  const std::vector<MosaicPart>& parts_;
  std::vector<std::optional<MosaicLayers>> open_;
  MosaicSummary summary_;
  Spectra codes_;
  Spectra confidence_;
};

}  // namespace

MosaicSummary mosaic_maps(const RasterGrid& grid, const std::vector<MosaicPart>& parts, ClassMapSink& map,
                          const Progress& progress) {
  return Mosaic(grid, parts).write(map, progress);
}

}  // namespace parsimap
