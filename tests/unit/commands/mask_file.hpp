// Masks over the rows of SmallScene.
#pragma once

#include <string>

#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

// A mask of `width` columns over the rows of SmallScene that hides the columns below `shown`.
inline std::string write_mask(const TemporaryFolder& folder, int width, int shown) {
  fill_band(*create_raster(folder.file("mask.tif"), width, 24, 1, GDT_Byte), 1,
            [&](int column, int) { return column < shown ? 0 : 1; });
  return folder.file("mask.tif");
}

}  // namespace parsimap::test
