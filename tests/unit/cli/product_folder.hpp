// A product of two classes, a part of which is under clouds, with polygons of both.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "unit/product/product_fixture.hpp"

namespace parsimap::test {

inline constexpr int kProductWidth = 30;
inline constexpr int kProductHeight = 24;
inline constexpr int kCloudRows = 4;  // the first of the scene
inline constexpr int kBorder = 15;    // the first column of the second class

// A number from -40 to 40 that looks random.
inline int noise(int band, int column, int row) {
  auto state = static_cast<std::uint32_t>(band * 7919 + column * 104729 + row * 1299709 + 1);
  for (int i = 0; i < 3; ++i) {
    state = (state ^ (state >> 15U)) * 0x2c1b3c6dU;
  }
  return static_cast<int>((state >> 8U) % 81) - 40;
}

inline ProductSpec two_classes_under_clouds() {
  ProductSpec spec;
  spec.grid = utm_grid(kProductWidth, kProductHeight);
  spec.bands = 8;
  spec.stored = [](int band, int column, int row) {
    const int signal = row < kCloudRows ? 9000 : column < kBorder ? 1000 + 100 * band : 2000 - 50 * band;
    return signal + noise(band, column, row);
  };
  spec.quality = [](const std::string& layer, int, int row) { return layer == "CLOUD" && row < kCloudRows ? 1 : 0; };
  return spec;
}

// Rectangles of both classes by their columns, in rows 2 to 22: the first rows are under clouds.
inline std::string polygons() {
  std::string features;
  for (const auto& [name, first, last] :
       {std::tuple("meadow", 1, 5), std::tuple("meadow", 7, 10), std::tuple("meadow", 11, 14),
        std::tuple("forest", 16, 20), std::tuple("forest", 21, 24), std::tuple("forest", 25, 29)}) {
    const std::string left = std::to_string(500000 + first);
    const std::string right = std::to_string(500000 + last);
    const auto corner = [](const std::string& x, const char* y) { return "[" + x + "," + y + "]"; };
    features += std::string(features.empty() ? "" : ",") + R"({"type":"Feature","properties":{"class":")" + name +
                R"("},"geometry":{"type":"Polygon","coordinates":[[)" + corner(left, "3999978") + "," +
                corner(right, "3999978") + "," + corner(right, "3999998") + "," + corner(left, "3999998") + "," +
                corner(left, "3999978") + "]]}}";
  }
  return R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32617"}},)"
         R"("features":[)" +
         features + "]}";
}

class ProductFolder {
 public:
  explicit ProductFolder(const ProductSpec& spec = two_classes_under_clouds())
      : metadata_(write_enmap(product(), spec)) {
    write_file(labels(), polygons());
  }
  [[nodiscard]] std::string product() const { return folder_.file("product"); }
  [[nodiscard]] std::string image() const { return folder_.file("product/" + kEnmapStem + "-SPECTRAL_IMAGE.TIF"); }
  [[nodiscard]] const std::string& metadata() const { return metadata_; }
  [[nodiscard]] std::string labels() const { return folder_.file("labels.geojson"); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
  std::string metadata_;
};

}  // namespace parsimap::test
