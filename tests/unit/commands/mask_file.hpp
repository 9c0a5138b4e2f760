// Masks over the rows of SmallScene.
#pragma once

#include <doctest/doctest.h>
#include <gdal_priv.h>

#include <string>
#include <vector>

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

// A mask of `width` columns over the rows of SmallScene that hides the columns below `shown`.
inline std::string write_mask(const TemporaryFolder& folder, int width, int shown) {
  const std::string path = folder.file("mask.tif");
  GDALDataset* mask =
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), width, 24, 1, GDT_Byte, nullptr);
  std::vector<std::uint8_t> values(static_cast<std::size_t>(width) * 24);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i) % width < shown ? 0 : 1;
  }
  CHECK(mask->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, width, 24, values.data(), width, 24, GDT_Byte, 0, 0,
                                         nullptr) == CE_None);
  GDALClose(mask);
  return path;
}

}  // namespace parsimap::test
