// Several scenes as one raster, below each other with nothing between them, and their labels as those of that raster.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

struct StackedScene {
  SceneSource* source = nullptr;
  Indices bands;  // of the scene, for every band of the stack; kNoBand where it has none
};

// Each scene begins at a storage block of its own, at column 0, with a row at least between it and the one above, so
// that pixels of different scenes are never neighbours. What belongs to no scene has no value, nor have bands that a
// scene does not have. The grid is as wide as the widest scene and lies nowhere.
class SceneStack final : public DescribedScene {
 public:
  // A pixel in a scene of the stack.
  struct Place {
    std::size_t scene = 0;
    std::int64_t pixel = 0;  // row * width + column there
    Index column = 0;
    Index row = 0;
  };

  // The scenes, one at least, must outlive the stack. Its name: "a.tif and b.tif", "a.tif and 3 more scenes".
  SceneStack(std::vector<StackedScene> scenes, BandTable bands);

  [[nodiscard]] std::size_t scenes() const { return scenes_.size(); }
  [[nodiscard]] const SceneSource& scene(std::size_t i) const { return *scenes_[i].source; }
  // Numbers of a pixel: of the stack from that in a scene, and back. A pixel between scenes has no place.
  [[nodiscard]] std::int64_t pixel_of(std::size_t scene, std::int64_t pixel) const;
  [[nodiscard]] Place place_of(std::int64_t pixel) const;

  [[nodiscard]] bool known_empty(const Window& window) const override;
  void read(const Window& window, const Indices& bands, Spectra& values) override;
  void check_unchanged() const override;

 private:
  // What of a window lies in a scene, in the columns and rows of that scene; empty where nothing does.
  [[nodiscard]] Window part_in(std::size_t scene, const Window& window) const;

  std::vector<StackedScene> scenes_;
  std::vector<Index> tops_;  // first row of each
  Spectra part_;
};

struct SceneLabels {
  LabelledPixels labels;               // on the grid of the scene, with regions
  std::string name;                    // for messages
  std::string source;                  // equal for labels of the same files, so that the same features are known again
  std::vector<GroundCell> cells = {};  // that the labelled pixels show; empty where that is not known
};

struct StackedLabels : LabelledPixels {
  // Of the pixels that show the same place as one of another scene: the first of these pixels.
  std::unordered_map<std::int64_t, std::int64_t> places = {};
  std::set<std::size_t> overlapping = {};  // the scenes with such pixels
};

// Classes that text names are the same where their names are, and have codes in alphabetical order; others are the same
// where their codes are. Regions stay apart. Groups of a field are the same where its values are; regions of one
// feature in several scenes form a group, too, as do those that show the same place in several scenes. The lists must
// be as many as the scenes. DataError: some labels name their classes and others have codes, a code with two names, a
// name with two codes.
StackedLabels stack_labels(const std::vector<SceneLabels>& scenes, const SceneStack& stack);

}  // namespace parsimap
