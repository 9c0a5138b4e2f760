// What a product says of the quality of its pixels, such as clouds, and leaving out the pixels that it marks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// One kind of mark, on the scene's grid.
struct QualityLayer {
  std::string name;                     // as people ask for it: "cloud", "shadow", "snow"
  std::string meaning;                  // a few words with the product's own name of it, for descriptions
  std::shared_ptr<SceneSource> source;  // may hold the layers of other names, too
  Index band = 0;                       // of `source`
  std::vector<float> marks;             // the values that mark a pixel; a pixel without a value is not marked
};

// The layers of these names, in the order of `layers`. Unset: "cloud" where there is such a layer. A list of "none"
// alone gives none. ConfigError: a name that no layer has (with those that there are); "none" among other names.
std::vector<QualityLayer> choose_quality(const std::vector<QualityLayer>& layers,
                                         const std::optional<std::vector<std::string>>& names,
                                         const std::string& scene_name);

// The scene with all bands NaN where any of the layers marks the pixel. Name, grid, bands and storage blocks are those
// of `scene`. Without layers it is returned as it is. DataError: a layer of another size than the scene.
std::unique_ptr<SceneSource> leave_out_marked(std::unique_ptr<SceneSource> scene,
                                              const std::vector<QualityLayer>& layers);

}  // namespace parsimap
