// The labels of several scenes as those of their stack.
#pragma once

#include <string>
#include <vector>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/stacked_scenes.hpp"

namespace parsimap {

struct SceneLabels {
  LabelledPixels labels;  // on the grid of the scene, with regions
  std::string name;       // for messages
  std::string source;     // the files that they are from, so that the same features are known again
};

// Classes that text names are the same where their names are, and have codes in alphabetical order; others are the same
// where their codes are. Regions stay apart. Groups of a field are the same where its values are; the regions of a
// feature that lies in several scenes form a group, too, since they may show the same ground. The lists must be as many
// as the scenes. DataError: some labels name their classes and others have codes, a code with two names, a name with
// two codes.
LabelledPixels stack_labels(const std::vector<SceneLabels>& scenes, const SceneStack& stack);

}  // namespace parsimap
