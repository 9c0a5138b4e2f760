// Where two class maps of one place agree and where they differ, as a class map: which of two maps is better, only
// pixels say where they differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The name of the class of the pixels that both maps classify, and do differently.
inline constexpr const char* kMapsDiffer = "the maps differ";

// Classes "the maps agree" (code 1), kMapsDiffer (2) and "the second map is unclassified" (3); 0 where the first map
// is. Classes are the same as pair_classes() says. The maps lie on one grid, and must outlive the object.
class AgreementMap final : public ClassMapSource {
 public:
  // DataError as pair_classes().
  AgreementMap(ClassMapSource& first, ClassMapSource& second);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return first_.grid(); }
  [[nodiscard]] const ClassTable& classes() const override { return classes_; }
  [[nodiscard]] bool has_names() const override { return true; }
  void read(const Window& window, std::vector<std::uint16_t>& codes) override;
  void check_unchanged() const override;

 private:
  ClassMapSource& first_;
  ClassMapSource& second_;
  std::string name_;
  ClassTable classes_;
  std::vector<int> same_;  // by code of the first map, the code of the second that is the same class; 0 for none
  std::vector<std::uint16_t> others_;  // of a window
};

}  // namespace parsimap
