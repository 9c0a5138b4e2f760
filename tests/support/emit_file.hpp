// A file of the layout of EMIT L2A reflectance, of known content: a sensor's view that is turned on the map.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/hdf5_file.hpp"

namespace parsimap::test {

struct EmitLayout {
  bool bands_first = false;  // axes as band x row x column
  bool named = true;         // dimensions have names
  std::vector<hsize_t> chunk = {};
};

class EmitFile {
 public:
  static constexpr int kWidth = 24;
  static constexpr int kHeight = 30;
  static constexpr int kBands = 6;
  static constexpr int kMapWidth = 40;
  static constexpr int kMapHeight = 44;
  static constexpr std::array<double, 6> kTransform{11.0, 0.001, 0, 48.0, 0, -0.001};
  // Of the sensor: a pixel without values.
  static constexpr int kMissing = 5 * kWidth + 3;

  // Two classes, the left and the right half of the sensor's view, with some noise.
  static float value(int row, int column, int band) {
    if (row * kWidth + column == kMissing) {
      return -9999;
    }
    const int noise = (row * 131 + column * 197 + band * 71 + row * column * 13) % 97;
    // Sums of whole numbers, which no processor rounds.
    return static_cast<float>(2 * (column < kWidth / 2 ? 205 + 51 * band : 614 - 41 * band) + noise) / 2048;
  }
  // Where the place (column, row) of the sensor's view lies on the map.
  static std::array<double, 2> place(double column, double row) {
    const double x = kMapWidth / 2.0 + kCosine * (column - kWidth / 2.0) - kSine * (row - kHeight / 2.0);
    const double y = kMapHeight / 2.0 + kSine * (column - kWidth / 2.0) + kCosine * (row - kHeight / 2.0);
    return {kTransform[0] + x * kTransform[1], kTransform[3] + y * kTransform[5]};
  }
  // The pixel of the sensor that a pixel of the map shows, -1 for none.
  static int shown(int map_column, int map_row) {
    const double x = map_column + 0.5 - kMapWidth / 2.0;
    const double y = map_row + 0.5 - kMapHeight / 2.0;
    const double column = std::floor(kWidth / 2.0 + kCosine * x + kSine * y);
    const double row = std::floor(kHeight / 2.0 - kSine * x + kCosine * y);
    return column >= 0 && row >= 0 && column < kWidth && row < kHeight
               ? static_cast<int>(row) * kWidth + static_cast<int>(column)
               : -1;
  }

  static void write(const std::string& path, const EmitLayout& layout = {}) {
    Hdf5Writer file(path);
    write_cube(file, layout);
    write_bands(file);
    write_location(file);
    file.text("/", "instrument", "EMIT");
    file.text("/", "spatial_ref",
              "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0]"
              ",UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]");
    file.numbers("/", "geotransform", std::vector<double>(kTransform.begin(), kTransform.end()));
  }

  // The masks of V001. Row 0 is cloudy, row 1 has cirrus, row 2 is water.
  static void write_mask(const std::string& path) {
    Hdf5Writer file(path);
    const std::vector<std::string> names = {"Cloud flag",         "Cirrus flag", "Water flag",   "Spacecraft Flag",
                                            "Dilated Cloud Flag", "AOD550",      "H2O (g cm-2)", "Aggregate Flag"};
    std::vector<float> values;
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        for (int band = 0; band < 8; ++band) {
          values.push_back(row == band && band < 3 ? 1.0F : 0.0F);
        }
      }
    }
    file.array<float>("mask", {kHeight, kWidth, 8}, values);
    file.numbers("mask", "_FillValue", {-9999});
    file.texts("sensor_band_parameters/mask_bands", names);
    file.text("/", "instrument", "EMIT");
  }

 private:
  // Turned by 30 degrees.
  static constexpr double kCosine = 0.8660254037844386;
  static constexpr double kSine = 0.5;

  static void write_cube(Hdf5Writer& file, const EmitLayout& layout) {
    std::vector<float> values(static_cast<std::size_t>(kWidth * kHeight * kBands));
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        for (int band = 0; band < kBands; ++band) {
          const int at =
              layout.bands_first ? (band * kHeight + row) * kWidth + column : (row * kWidth + column) * kBands + band;
          values[static_cast<std::size_t>(at)] = value(row, column, band);
        }
      }
    }
    file.array("reflectance",
               layout.bands_first ? std::vector<hsize_t>{kBands, kHeight, kWidth}
                                  : std::vector<hsize_t>{kHeight, kWidth, kBands},
               values, layout.chunk);
    file.numbers("reflectance", "_FillValue", {-9999});
    if (layout.named) {
      file.dimensions("reflectance", layout.bands_first ? std::vector<std::string>{"bands", "downtrack", "crosstrack"}
                                                        : std::vector<std::string>{"downtrack", "crosstrack", "bands"});
    }
  }

  static void write_bands(Hdf5Writer& file) {
    file.array<float>("sensor_band_parameters/wavelengths", {kBands}, {400, 500, 600, 700, 800, 900});
    file.array<float>("sensor_band_parameters/fwhm", {kBands}, {8, 8.5, 9, 8, 8, 8});
    file.array<std::uint8_t>("sensor_band_parameters/good_wavelengths", {kBands}, {1, 1, 1, 1, 1, 0});
  }

  static void write_location(Hdf5Writer& file) {
    std::vector<double> longitudes;
    std::vector<double> latitudes;
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        const auto [x, y] = place(column + 0.5, row + 0.5);
        longitudes.push_back(x);
        latitudes.push_back(y);
      }
    }
    file.array("location/lon", {kHeight, kWidth}, longitudes);
    file.array("location/lat", {kHeight, kWidth}, latitudes);
    std::vector<std::int32_t> columns;
    std::vector<std::int32_t> rows;
    for (int row = 0; row < kMapHeight; ++row) {
      for (int column = 0; column < kMapWidth; ++column) {
        const int pixel = shown(column, row);
        // Every other one as if it filled a gap.
        const int sign = (row + column) % 2 == 0 ? 1 : -1;
        columns.push_back(pixel < 0 ? 0 : sign * (pixel % kWidth + 1));
        rows.push_back(pixel < 0 ? 0 : sign * (pixel / kWidth + 1));
      }
    }
    file.array("location/glt_x", {kMapHeight, kMapWidth}, columns);
    file.array("location/glt_y", {kMapHeight, kMapWidth}, rows);
    file.numbers("location/glt_x", "_FillValue", {-9999});
    file.numbers("location/glt_y", "_FillValue", {-9999});
  }
};

}  // namespace parsimap::test
