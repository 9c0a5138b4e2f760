// The style of a layer in the language of QGIS (QML).
#pragma once

#include <string>

#include "parsimap/gdal/pixel_layers.hpp"

namespace parsimap {

// The document of a graduated renderer: filled areas or round markers, a symbol for each step.
std::string graded_style_document(const GradedStyle& style, PixelGeometry geometry);

}  // namespace parsimap
