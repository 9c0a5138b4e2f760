// What the class probabilities of a map are worth at the reference pixels.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "parsimap/accuracy/reliability.hpp"
#include "parsimap/assessment/comparison.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// Called with the position of a reference pixel and its probabilities, one for each band; they are empty where a band
// has no value.
using ProbabilityVisitor = std::function<void(std::size_t, const std::vector<double>&)>;

// Visits all reference pixels in their order. `probabilities` lie on the grid of the reference. What is held in memory
// does not grow with the number of pixels. Throws IoError.
void visit_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const Progress& progress,
                         const ProbabilityVisitor& visit);

// `probabilities` have a band for each class of the map, named like it, as `classify --probabilities` writes them. A
// pixel counts as right where the class of its largest probability is that of the reference, whatever the map says
// there; pixels without probabilities are left out. DataError when no band has the name of a class.
Reliability assess_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const ClassMatch& match,
                                 const Progress& progress);

}  // namespace parsimap
