#include "parsimap/gdal/png.hpp"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <doctest/doctest.h>
#include <gdal_priv.h>

namespace parsimap {

TEST_CASE("a picture comes back pixel by pixel") {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 5 * 3 * 4; ++i) {
    rgba.push_back(static_cast<std::uint8_t>(7 * i));
  }
  const std::string head = "data:image/png;base64,";
  std::string text = png_data_uri(5, 3, rgba);
  CHECK(text == png_data_uri(5, 3, rgba));
  REQUIRE(text.starts_with(head));
  text.erase(0, head.size());
  const int bytes = CPLBase64DecodeInPlace(reinterpret_cast<GByte*>(text.data()));
  const char* name = "/vsimem/png_test.png";
  VSIFCloseL(
      VSIFileFromMemBuffer(name, reinterpret_cast<GByte*>(text.data()), static_cast<vsi_l_offset>(bytes), FALSE));
  auto* dataset = GDALDataset::Open(name);
  REQUIRE(dataset != nullptr);
  CHECK(dataset->GetRasterCount() == 4);
  std::vector<std::uint8_t> found(rgba.size());
  CHECK(dataset->RasterIO(GF_Read, 0, 0, 5, 3, found.data(), 5, 3, GDT_Byte, 4, nullptr, 4, 20, 1, nullptr) == CE_None);
  GDALClose(dataset);
  VSIUnlink(name);
  CHECK(found == rgba);
}

}  // namespace parsimap
