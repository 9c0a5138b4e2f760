// How QGIS shows points that are to be labelled one after the other.
#pragma once

#include <cstdint>
#include <string>

#include "parsimap/gdal/vector/vector_output.hpp"

namespace parsimap {

// Colours from the first points to the last, by quarters of their numbers in `field`, which run from 1 to `count`.
// `one` is what a point is called, as in "Place".
GradedStyle order_style(const std::string& name, const std::string& field, const std::string& one, std::int64_t count);

}  // namespace parsimap
