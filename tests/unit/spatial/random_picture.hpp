// Random probabilities with holes, for tests of what looks at neighbours.
#pragma once

#include "parsimap/core/random.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap::test {

class Picture {
 public:
  // width x height pixels of K probabilities; about the share `holes` of the pixels has no value.
  Picture(Index width, Index height, Index classes, double holes) : width_(width), height_(height) {
    Random random(3);
    values_.resize(width * height, classes);
    for (Index i = 0; i < values_.rows(); ++i) {
      for (Index c = 0; c < classes; ++c) {
        values_(i, c) = static_cast<float>(0.01 + random.uniform());
      }
      values_.row(i) /= values_.row(i).sum();
      valid_.push_back(random.uniform() >= holes);
    }
  }

  [[nodiscard]] Index width() const { return width_; }
  [[nodiscard]] Index height() const { return height_; }
  [[nodiscard]] Index classes() const { return values_.cols(); }
  [[nodiscard]] bool valid(Index column, Index row) const {
    return valid_[static_cast<std::size_t>(row * width_ + column)];
  }
  [[nodiscard]] Vector probabilities(Index column, Index row) const {
    return values_.row(row * width_ + column).transpose().cast<double>();
  }
  [[nodiscard]] Vector value_and_one(Index column, Index row) const {
    Vector channels(classes() + 1);
    channels << probabilities(column, row), 1;
    return channels;
  }

  // The pixels of a window that have a value, and their probabilities.
  void read(const Window& window, ValidPixels& pixels, Spectra& probabilities) const {
    pixels = {window, {}};
    for (Index position = 0; position < window.pixels(); ++position) {
      if (valid(window.column + position % window.width, window.row + position / window.width)) {
        pixels.positions.push_back(position);
      }
    }
    probabilities.resize(static_cast<Index>(pixels.positions.size()), classes());
    for (Index i = 0; i < probabilities.rows(); ++i) {
      const Index position = pixels.position(i);
      probabilities.row(i) =
          values_.row((window.row + position / window.width) * width_ + window.column + position % window.width);
    }
    if (probabilities.rows() == window.pixels()) {
      pixels.positions.clear();
    }
  }

  // The whole picture.
  [[nodiscard]] PixelBlock block(Index reach) const {
    PixelBlock block(width_, height_, classes(), reach);
    block.reset({0, 0, width_, height_});
    ValidPixels pixels;
    Spectra probabilities;
    read(block.window(), pixels, probabilities);
    block.fill(pixels, probabilities);
    return block;
  }

 private:
  Index width_;
  Index height_;
  Spectra values_;
  std::vector<bool> valid_;
};

}  // namespace parsimap::test
