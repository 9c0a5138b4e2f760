// The classes on which what all classes share is compared, where there are many (docs/method.md, "Many classes").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/validation/left_out.hpp"

namespace parsimap {

// The samples of the classes that are compared: all of up to kComparedClasses, else so many.
class ComparedClasses {
 public:
  // `all` is kept by the caller. Without spectra, of which only the number is planned then, it is not known which
  // classes are alike, and others are drawn.
  ComparedClasses(const LabelledSpectra& all, std::uint64_t seed);
  ComparedClasses(const ComparedClasses&) = delete;
  ComparedClasses& operator=(const ComparedClasses&) = delete;

  [[nodiscard]] const LabelledSpectra& samples() const { return drawn_ ? *drawn_ : all_; }
  [[nodiscard]] bool fewer() const { return drawn_.has_value(); }

 private:
  const LabelledSpectra& all_;
  Matrix spectra_;
  std::vector<int> labels_;
  std::vector<SamplePlace> places_;
  std::optional<LabelledSpectra> drawn_;  // of the three
};

// `count` of the classes, ascending: some at random, and with each those that are most like it, which a choice has to
// tell apart. Classes are alike whose means are near, in deviations of the bands within classes.
std::vector<int> neighbouring_classes(const LabelledSpectra& samples, std::size_t count, std::uint64_t seed);

}  // namespace parsimap
