// Labels that lie on the map, brought to the pixels of a scene in the sensor's own geometry.
#pragma once

#include "parsimap/scene/geometry_lookup.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

// The labels of the pixels of a scene, from `labels` on the map grid of the lookup: a pixel of the scene has the label
// of the map's pixels that show it. Where these differ it is dropped and counted as conflicting; where they agree it
// belongs to the region of the first of them. Regions of which the map shows nothing count as outside, and classes keep
// their entries. DataError as the lookup's read(), and where no label is left.
LabelledPixels carry_labels(LabelledPixels labels, GeometryLookup& lookup);

}  // namespace parsimap
