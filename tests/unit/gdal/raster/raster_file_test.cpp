#include "gdal/raster/raster_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"
#include "support/single_output.hpp"
#include "support/write_limit.hpp"

using namespace parsimap;
using namespace parsimap::test;

using NameList = std::vector<std::string>;

namespace {

std::vector<double> read_band(const std::string& path, int band) {
  const DatasetPtr dataset(GDALDataset::Open(path.c_str()));
  REQUIRE(dataset != nullptr);
  std::vector<double> values(static_cast<std::size_t>(dataset->GetRasterXSize()) * dataset->GetRasterYSize());
  REQUIRE(dataset->GetRasterBand(band)->RasterIO(GF_Read, 0, 0, dataset->GetRasterXSize(), dataset->GetRasterYSize(),
                                                 values.data(), dataset->GetRasterXSize(), dataset->GetRasterYSize(),
                                                 GDT_Float64, 0, 0, nullptr) == CE_None);
  return values;
}

void write_noise(const std::string& path, const OutputOptions& options) {
  SingleRaster single(path, options);
  RasterFile file(single.staged, utm_grid(512, 512), {2, GDT_Float32, 0}, options);
  std::vector<float> noise(512 * 512 * 2);
  std::uint32_t state = 1;
  for (float& value : noise) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state);
  }
  file.write({0, 0, 512, 512}, noise.data(), GDT_Float32);
  file.close({});
  single.outputs.publish();
}

}  // namespace

TEST_CASE("windows land where they belong and the rest holds the fill value, in every kind of format") {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "b.img", "c.rst"}) {
    const std::string path = folder.file(name);
    {
      SingleRaster single(path, {});
      RasterFile file(single.staged, utm_grid(300, 200), {1, GDT_Byte, 0}, {});
      const std::vector<std::uint16_t> codes{1, 2, 3, 4, 5, 6};
      file.write({290, 190, 3, 2}, codes.data(), GDT_UInt16);
      CHECK_FALSE(std::filesystem::exists(path));
      file.close({});
      single.outputs.publish();
    }
    std::vector<double> expected(300 * 200, 0);
    for (std::size_t i = 0; i < 6; ++i) {
      expected[(190 + i / 3) * 300 + 290 + i % 3] = static_cast<double>(i + 1);
    }
    CAPTURE(path);
    CHECK(read_band(path, 1) == expected);
    const DatasetPtr dataset(GDALDataset::Open(path.c_str()));
    CHECK(grid_of(*dataset).geotransform == utm_grid(1, 1).geotransform);
  }
}

TEST_CASE("a fill of NaN holds where nothing is written, also in formats without sparse files") {
  const TemporaryFolder folder;
  for (const char* name : {"a.tif", "b.img"}) {
    {
      SingleRaster single(folder.file(name), {});
      RasterFile file(single.staged, utm_grid(300, 200), {2, GDT_Float32, std::nan("")}, {});
      file.dataset().GetRasterBand(1)->SetNoDataValue(std::nan(""));
      file.dataset().GetRasterBand(2)->SetNoDataValue(std::nan(""));
      const std::vector<float> values{0.25F, 0.75F};
      file.write({0, 0, 1, 1}, values.data(), GDT_Float32);
      file.close({});
      single.outputs.publish();
    }
    const std::vector<double> values = read_band(folder.file(name), 2);
    CAPTURE(name);
    CHECK(values[0] == 0.75);
    CHECK(std::all_of(values.begin() + 1, values.end(), [](double value) { return std::isnan(value); }));
  }
}

TEST_CASE("an abandoned raster leaves nothing") {
  const TemporaryFolder folder;
  {
    SingleRaster single(folder.file("a.tif"), {});
    RasterFile file(single.staged, utm_grid(30, 20), {1, GDT_Byte, 0}, {});
    const std::vector<std::uint16_t> codes(600, 7);
    file.write({0, 0, 30, 20}, codes.data(), GDT_UInt16);
  }
  CHECK(folder.names().empty());
}

TEST_CASE("a full disk is an IoError and leaves nothing behind") {
  const TemporaryFolder folder;
  for (const auto& [name, format] : std::vector<std::pair<std::string, std::string>>{
           {"a.tif", "GTiff"}, {"b.img", "ENVI"}, {"c.rst", "RST"}, {"d.tif", "COG"}}) {
    // From the first byte to the last of about two million.
    for (const rlim_t bytes : {100U, 5000U, 300000U, 1000000U, 1800000U}) {
      const std::string path = folder.file(name);
      CAPTURE(path);
      CAPTURE(bytes);
      const OutputOptions options{format, {}};
      CHECK(with_limit(path, bytes, [&] { write_noise(path, options); }) == 0);
      CHECK(folder.names().empty());
    }
  }
}

TEST_CASE("a disk too full for the legend alone is an IoError and leaves nothing behind") {
  const TemporaryFolder folder;
  for (const bool style : {false, true}) {
    for (const char* name : {"a.tif", "b.img"}) {
      CAPTURE(name);
      CAPTURE(style);
      const std::string path = folder.file(name);
      const auto write = [&] {
        SingleRaster single(path, {});
        RasterFile file(single.staged, utm_grid(3, 2), {1, GDT_Byte, 0}, {});
        RasterLegend legend;
        if (style) {
          legend.style = std::string(9000, 'x');
        } else {
          auto table = std::make_unique<GDALDefaultRasterAttributeTable>();
          table->CreateColumn("Value", GFT_Integer, GFU_MinMax);
          table->SetRowCount(200);
          legend.attributes = std::move(table);
        }
        file.close(legend);
        single.outputs.publish();
      };
      CHECK(with_limit(path, 5000, write) == 0);
      CHECK(folder.names().empty());
      write();
      CHECK(folder.names().size() == (name[0] == 'a' ? 2 : 3));
      for (const std::string& file : folder.names()) {
        std::filesystem::remove(folder.file(file));
      }
    }
  }
}

TEST_CASE("the bytes of a GeoTIFF do not depend on the order of writing, nor on when the block cache is emptied") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, bool upwards) {
    SingleRaster single(folder.file(name), {});
    RasterFile file(single.staged, utm_grid(700, 600), {2, GDT_UInt16, 0}, {});
    for (int step = 0; step < 6; ++step) {
      const int row = 100 * (upwards ? 5 - step : step);
      std::vector<std::uint16_t> values(700 * 100 * 2);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<std::uint16_t>((i % 97) * static_cast<std::size_t>(row));
      }
      file.write({0, row, 700, 100}, values.data(), GDT_UInt16);
      if (upwards) {
        file.dataset().FlushCache();
      }
    }
    file.close({});
    single.outputs.publish();
    return file_content(folder.file(name));
  };
  const std::string downwards = write("a.tif", false);
  CHECK(downwards == write("b.tif", true));
  CHECK(read_band(folder.file("b.tif"), 2)[700 * 599 + 1] == (2 * (700 * 99 + 1) + 1) % 97 * 500);
}

TEST_CASE("formats that only copy are written through a temporary GeoTIFF") {
  const TemporaryFolder folder;
  for (const auto& [name, format] : {std::pair{"a.tif", "COG"}, std::pair{"b.png", "PNG"}}) {
    const std::string path = folder.file(name);
    CAPTURE(path);
    SingleRaster single(path, {format, {}});
    RasterFile file(single.staged, utm_grid(30, 20), {1, GDT_Byte, 0}, {format, {}});
    const std::vector<std::uint16_t> codes(600, 7);
    file.write({0, 0, 30, 20}, codes.data(), GDT_UInt16);
    file.close({});
    single.outputs.publish();
    CHECK(read_band(path, 1) == std::vector<double>(600, 7));
  }
  for (const std::string& name : folder.names()) {
    CHECK((name.starts_with("a.tif") || name.starts_with("b.png")));
  }
  CHECK(contains(message_of<ConfigError>([&] {
                   const SingleRaster single(folder.file("c.png"));
                   RasterFile(single.staged, utm_grid(3, 2), {1, GDT_Float32, 0}, {});
                 }),
                 "cannot hold values of type Float32"));
}

TEST_CASE("a copy tells of its progress, and what that throws stops it") {
  const TemporaryFolder folder;
  const auto write = [&](const Progress& progress) {
    SingleRaster single(folder.file("a.tif"), {"COG", {}, progress});
    RasterFile file(single.staged, utm_grid(1500, 900), {1, GDT_Byte, 0}, {"COG", {}, progress});
    const std::vector<std::uint16_t> codes(1500 * 900, 7);
    file.write({0, 0, 1500, 900}, codes.data(), GDT_UInt16);
    file.close({});
    single.outputs.publish();
  };
  CHECK(message_of<std::logic_error>([&] {
          write([](double fraction) {
            if (fraction > 0.5) {
              throw std::logic_error("enough");
            }
          });
        }) == "enough");
  CHECK(folder.names().empty());
  std::vector<double> fractions;
  write([&](double fraction) { fractions.push_back(fraction); });
  CHECK(fractions.size() > 3);
  CHECK(std::adjacent_find(fractions.begin(), fractions.end(), std::greater_equal<>()) == fractions.end());
  CHECK(fractions.back() == 1.0);
  CHECK(folder.names() == NameList{"a.tif"});
}

TEST_CASE("overwriting an output of the same name removes its old sidecars") {
  const TemporaryFolder folder;
  write_file(folder.file("a.tif"), "old");
  write_file(folder.file("a.tif.aux.xml"), "old");
  const auto write = [&](bool overwrite) {
    SingleRaster single(folder.file("a.tif"), {}, overwrite);
    RasterFile(single.staged, utm_grid(3, 2), {1, GDT_Byte, 0}, {}).close({});
    single.outputs.publish();
  };
  CHECK_FALSE(message_of<ConfigError>([&] { write(false); }).empty());
  write(true);
  CHECK(folder.names() == NameList{"a.tif"});
}

TEST_CASE("a format of a single band is refused for several, and leaves nothing") {
  const TemporaryFolder folder;
  const OutputOptions options{"GSBG", {}};
  const auto refusal = [&](int bands) {
    return message_of<IoError>([&] {
      const SingleRaster single(folder.file("a.grd"), options);
      RasterFile(single.staged, utm_grid(32, 32), {bands, GDT_Float32, 0}, options);
    });
  };
  CHECK(contains(refusal(5), "a.grd cannot be created as GSBG: of 5 bands the format holds 1"));
  CHECK(refusal(1).empty());
  CHECK(folder.names().empty());
}

TEST_CASE("a name may have a backslash") {
  const TemporaryFolder folder;
  write_noise(folder.file("a\\b.tif"), {});
  CHECK(folder.names() == NameList{"a\\b.tif"});
}

TEST_CASE("creation options that contradict the data are the user's mistake") {
  const TemporaryFolder folder;
  const OutputOptions options{{}, {"BLOCKXSIZE=5"}};
  CHECK(contains(message_of<ConfigError>([&] {
                   const SingleRaster single(folder.file("a.tif"), options);
                   RasterFile(single.staged, utm_grid(32, 32), {1, GDT_Float32, 0}, options);
                 }),
                 "cannot be created as GTiff"));
  CHECK(folder.names().empty());
}
