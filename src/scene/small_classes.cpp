#include "parsimap/scene/small_classes.hpp"

#include <utility>

namespace parsimap {

std::vector<Index> class_sizes(const LabelledPixels& labels) {
  std::vector<Index> sizes(labels.classes.size(), 0);
  for (const LabelledPixel& pixel : labels.pixels) {
    ++sizes[static_cast<std::size_t>(pixel.label)];
  }
  return sizes;
}

std::vector<SmallClass> drop_small_classes(LabelledPixels& labels, const std::vector<Index>& sizes, Index least) {
  std::vector<SmallClass> dropped;
  std::vector<int> label_of(labels.classes.size(), -1);
  ClassTable kept;
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    if (sizes[c] < least) {
      dropped.push_back({labels.classes[c].name, sizes[c]});
    } else {
      label_of[c] = static_cast<int>(kept.size());
      kept.push_back(labels.classes[c]);
    }
  }
  labels.classes = std::move(kept);
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = label_of[static_cast<std::size_t>(pixel.label)];
  }
  std::erase_if(labels.pixels, [](const LabelledPixel& pixel) { return pixel.label < 0; });
  return dropped;
}

}  // namespace parsimap
