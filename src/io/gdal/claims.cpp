#include "claims.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap::gdal {

void Claims::begin_file() { first_region_ = next_region_; }

int Claims::key_of(const std::string& text) {
  return text_keys_.emplace(text, static_cast<int>(text_keys_.size())).first->second;
}

void Claims::add(const std::vector<std::int64_t>& pixels, int key, std::int64_t region) {
  const std::int64_t number = first_region_ + region;
  next_region_ = std::max(next_region_, number + 1);
  for (const std::int64_t pixel : pixels) {
    claims_.push_back({pixel, key, number});
  }
}

void Claims::add_to_group(std::int64_t region, const std::string& group) {
  const auto number = -1 - static_cast<std::int64_t>(group_of_.size());
  region_groups_[first_region_ + region] = group_of_.emplace(group, number).first->second;
}

std::map<int, int> Claims::build_classes(ClassTable& classes) const {
  std::map<int, int> label_of;
  const auto append = [&](int key, int code, const std::string& name) {
    label_of.emplace(key, static_cast<int>(classes.size()));
    classes.push_back({code, name, std::nullopt});
  };
  if (!text_) {
    for (const int code : keys_) {
      append(code, code, std::to_string(code));
    }
    return label_of;
  }
  // std::map orders names by their bytes.
  for (const auto& [name, key] : text_keys_) {
    if (keys_.contains(key)) {
      append(key, static_cast<int>(classes.size()) + 1, name);
    }
  }
  constexpr std::size_t most_classes = 65535;
  if (classes.size() > most_classes) {
    throw DataError("the labels have " + std::to_string(classes.size()) +
                    " different texts; a map holds 65535 classes.");
  }
  return label_of;
}

LabelledPixels Claims::settle() {
  LabelledPixels labels;
  labels.named_by_text = text_;
  labels.has_regions = true;
  labels.region_groups = region_groups_;
  const std::map<int, int> label_of = build_classes(labels.classes);
  std::stable_sort(claims_.begin(), claims_.end(), [](const Claim& a, const Claim& b) { return a.pixel < b.pixel; });
  for (std::size_t first = 0; first < claims_.size();) {
    std::size_t next = first;
    bool agreed = true;
    for (; next < claims_.size() && claims_[next].pixel == claims_[first].pixel; ++next) {
      agreed = agreed && claims_[next].key == claims_[first].key;
    }
    if (agreed) {
      labels.pixels.push_back({claims_[first].pixel, label_of.at(claims_[first].key), claims_[first].region});
    } else {
      ++labels.conflicting;
    }
    first = next;
  }
  return labels;
}

}  // namespace parsimap::gdal
