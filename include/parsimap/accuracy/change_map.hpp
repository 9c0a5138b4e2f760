// The changes between two class maps of one place, as a class map whose classes are pairs of classes: samples of it are
// planned, and it is assessed, as any other map (Olofsson et al., Good practices for estimating area and assessing
// accuracy of land change, 2014).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

// What a pixel was, and what it is; the same where nothing has changed.
struct ChangeClass {
  std::string earlier;
  std::string later;
  // "forest -> water"
  [[nodiscard]] std::string name() const { return earlier + " -> " + later; }
};

// The pairs that occur, ordered by their earlier and then by their later class; 0 where one of the maps is.
class ChangeMap final : public ClassMapSource {
 public:
  // Reads both maps, which lie on one grid. DataError: no pixel has a class in both, or more pairs occur than codes
  // exist.
  ChangeMap(std::unique_ptr<ClassMapSource> earlier, std::unique_ptr<ClassMapSource> later);

  // The classes that a reference of `map` may have: those of the map, and of changes all pairs of the classes of both
  // maps, as long as codes suffice for them.
  static ClassTable reference_classes(const ClassMapSource& map);

  [[nodiscard]] const std::vector<ChangeClass>& changes() const { return changes_; }  // by class

  [[nodiscard]] const std::string& name() const override { return later_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return later_->grid(); }
  [[nodiscard]] const ClassTable& classes() const override { return classes_; }
  [[nodiscard]] std::vector<std::string> notes() const override;
  [[nodiscard]] bool has_names() const override { return true; }
  void read(const Window& window, std::vector<std::uint16_t>& codes) override;
  void check_unchanged() const override;

 private:
  // The place of a pair in pairs_, of codes that are not 0.
  [[nodiscard]] std::size_t place(std::uint16_t earlier, std::uint16_t later) const;

  std::unique_ptr<ClassMapSource> earlier_;
  std::unique_ptr<ClassMapSource> later_;
  Indices earlier_index_;             // of codes
  Indices later_index_;               // likewise
  std::vector<std::uint16_t> pairs_;  // by earlier and later class, the code of the pair; 0 where it does not occur
  std::vector<ChangeClass> changes_;
  ClassTable classes_;
  std::vector<std::uint16_t> before_;  // of a window
};

}  // namespace parsimap
