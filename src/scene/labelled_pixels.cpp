#include "parsimap/scene/labelled_pixels.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace parsimap {
namespace {

// Sets of pixels, by their positions in the list; each is named by its first pixel.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t find(std::size_t i) {
    // Path halving (Tarjan, van Leeuwen 1984): every second pixel on the way is linked to its grandparent, which keeps
    // later searches short.
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = find(a);
    const std::size_t second = find(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::size_t> parent_;
};

// Gives the pixels of every class its new label, and takes those away whose new label is negative.
void relabel(const std::vector<int>& label_of, LabelledPixels& labels) {
  for (LabelledPixel& pixel : labels.pixels) {
    pixel.label = label_of[static_cast<std::size_t>(pixel.label)];
  }
  std::erase_if(labels.pixels, [](const LabelledPixel& pixel) { return pixel.label < 0; });
}

}  // namespace

// Claims are ascending by pixel. A pixel is kept if all of its claims agree on the class, with the region of the first
// claim; otherwise it is dropped and counted.
void settle_claims(const std::vector<LabelledPixel>& claims, LabelledPixels& labels) {
  for (auto first = claims.begin(); first != claims.end();) {
    const auto next = std::find_if(first, claims.end(), [&](const auto& claim) { return claim.pixel != first->pixel; });
    if (std::all_of(first, next, [&](const auto& claim) { return claim.label == first->label; })) {
      labels.pixels.push_back(*first);
    } else {
      ++labels.conflicting;
    }
    first = next;
  }
}

// Connected areas of equal labels, over edges. One pass over the ascending pixels joins each with its upper and its
// left neighbour; a second pass numbers the sets from 1, in the order of their first pixels.
void find_regions(LabelledPixels& labels, Index width) {
  std::vector<LabelledPixel>& pixels = labels.pixels;
  DisjointSets sets(pixels.size());
  // The first pixel that is not before the upper neighbour of the current one: it only moves on.
  std::size_t above = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    while (pixels[above].pixel < pixels[i].pixel - width) {
      ++above;
    }
    // The pixel at a place is a neighbour only if it is labelled, and with the same class.
    const auto join_at = [&](std::size_t other, std::int64_t pixel) {
      if (pixels[other].pixel == pixel && pixels[other].label == pixels[i].label) {
        sets.join(i, other);
      }
    };
    join_at(above, pixels[i].pixel - width);
    if (i > 0 && pixels[i].pixel % width > 0) {
      join_at(i - 1, pixels[i].pixel - 1);
    }
  }
  std::int64_t regions = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const std::size_t first = sets.find(i);
    pixels[i].region = first == i ? ++regions : pixels[first].region;
  }
  labels.has_regions = true;
}

// Counts the pixels of every class, also of those that have none.
std::vector<Index> class_sizes(const LabelledPixels& labels) {
  std::vector<Index> sizes(labels.classes.size(), 0);
  for (const LabelledPixel& pixel : labels.pixels) {
    ++sizes[static_cast<std::size_t>(pixel.label)];
  }
  return sizes;
}

namespace {

std::map<std::string, std::int64_t> outside_by_class(const LabelledPixels& labels) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [feature, name] : labels.outside_features) {
    counts[name] += name.empty() ? 0 : 1;  // empty: unlabelled by a rule
  }
  counts.erase("");
  return counts;
}

}  // namespace

std::string outside_text(const LabelledPixels& labels) {
  std::string text;
  for (const auto& [name, count] : outside_by_class(labels)) {
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
  }
  return std::to_string(labels.outside) + (text.empty() ? "" : " (" + text + ")");
}

std::vector<std::string> classes_outside(const LabelledPixels& labels) {
  const std::vector<Index> sizes = class_sizes(labels);
  std::vector<std::string> names;
  for (const auto& [name, count] : outside_by_class(labels)) {
    const int index = find_class(labels.classes, name, true);
    if (index < 0 || sizes[static_cast<std::size_t>(index)] == 0) {
      names.push_back(name);
    }
  }
  return names;
}

void apply_class_rules(LabelledPixels& labels, const ClassRules& rules, const std::string& name) {
  RenamedClasses renamed = rename_classes(labels.classes, rules, labels.named_by_text, name);
  labels.classes = std::move(renamed.classes);
  labels.notes.insert(labels.notes.end(), renamed.notes.begin(), renamed.notes.end());
  relabel(renamed.label_of, labels);
}

std::vector<SmallClass> drop_small_classes(LabelledPixels& labels, const std::vector<Index>& sizes, Index least) {
  std::vector<SmallClass> dropped;
  // Classes that stay are numbered anew, in their old order.
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
  relabel(label_of, labels);
  return dropped;
}

}  // namespace parsimap
