#include "parsimap/accuracy/change_map.hpp"

#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {

ChangeMap::ChangeMap(std::unique_ptr<ClassMapSource> earlier, std::unique_ptr<ClassMapSource> later)
    : earlier_(std::move(earlier)),
      later_(std::move(later)),
      earlier_index_(index_of_codes(earlier_->classes())),
      later_index_(index_of_codes(later_->classes())),
      pairs_(earlier_->classes().size() * later_->classes().size(), 0) {
  // Pairs that occur are marked first, and then numbered in their order.
  std::vector<std::uint16_t> after;
  for (const Window& window : row_strips(grid())) {
    earlier_->read(window, before_);
    later_->read(window, after);
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (before_[i] != 0 && after[i] != 0) {
        pairs_[place(before_[i], after[i])] = 1;
      }
    }
  }
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (pairs_[pair] != 0) {
      const std::size_t columns = later_->classes().size();
      changes_.push_back({earlier_->classes()[pair / columns].name, later_->classes()[pair % columns].name});
      if (changes_.size() > kLargestCode) {
        throw DataError(earlier_->name() + " and " + later_->name() + " have more than " +
                        std::to_string(kLargestCode) + " different pairs of classes");
      }
      classes_.push_back({static_cast<int>(changes_.size()), changes_.back().name(), {}});
      pairs_[pair] = static_cast<std::uint16_t>(changes_.size());
    }
  }
  if (changes_.empty()) {
    throw DataError("no pixel has a class both in " + earlier_->name() + " and in " + later_->name());
  }
}

ClassTable ChangeMap::reference_classes(const ClassMapSource& map) {
  const auto* changes = dynamic_cast<const ChangeMap*>(&map);
  if (changes == nullptr) {
    return map.classes();
  }
  std::vector<std::string> names = class_names(changes->earlier_->classes());
  add_all(names, class_names(changes->later_->classes()));
  names = distinct(std::move(names));
  if (names.size() * names.size() > kLargestCode) {
    return map.classes();
  }
  ClassTable classes;
  for (const std::string& earlier : names) {
    for (const std::string& later : names) {
      classes.push_back({static_cast<int>(classes.size()) + 1, ChangeClass{earlier, later}.name(), {}});
    }
  }
  return classes;
}

std::size_t ChangeMap::place(std::uint16_t earlier, std::uint16_t later) const {
  return static_cast<std::size_t>(earlier_index_[earlier]) * later_->classes().size() +
         static_cast<std::size_t>(later_index_[later]);
}

std::vector<std::string> ChangeMap::notes() const {
  std::vector<std::string> notes = earlier_->notes();
  add_all(notes, later_->notes());
  return notes;
}

void ChangeMap::read(const Window& window, std::vector<std::uint16_t>& codes) {
  earlier_->read(window, before_);
  later_->read(window, codes);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = before_[i] != 0 && codes[i] != 0 ? pairs_[place(before_[i], codes[i])] : std::uint16_t{0};
  }
}

void ChangeMap::check_unchanged() const {
  earlier_->check_unchanged();
  later_->check_unchanged();
}

}  // namespace parsimap
