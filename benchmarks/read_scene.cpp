// read_scene SCENE: reads all bands of a scene as floats, band next to band, 64 rows at a time into the same memory, by
// GDAL alone. What a map takes beside it is the program's own. With no argument: starts, with GDAL linked, and ends.
#include <gdal_priv.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kRows = 64;

bool read(GDALDataset& scene) {
  const int width = scene.GetRasterXSize();
  const int height = scene.GetRasterYSize();
  const int bands = scene.GetRasterCount();
  std::vector<float> values(static_cast<std::size_t>(width) * kRows * static_cast<std::size_t>(bands));
  const auto bytes = static_cast<GSpacing>(sizeof(float));
  for (int row = 0; row < height; row += kRows) {
    const int rows = std::min(kRows, height - row);
    if (scene.RasterIO(GF_Read, 0, row, width, rows, values.data(), width, rows, GDT_Float32, bands, nullptr,
                       bytes * bands, bytes * bands * width, bytes, nullptr) != CE_None) {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    return 0;
  }
  GDALAllRegister();
  const GDALDatasetUniquePtr scene(GDALDataset::Open(argv[1], GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR));
  if (scene == nullptr || !read(*scene)) {
    std::fprintf(stderr, "read_scene: %s cannot be read\n", argv[1]);
    return 1;
  }
  return 0;
}
