#include "parsimap/io/gdal/map_output.hpp"

#include <cpl_string.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "band_table.hpp"
#include "output_format.hpp"
#include "palette.hpp"
#include "raster_file.hpp"
#include "staging_folder.hpp"

namespace parsimap {

namespace {

// ENVI lists are separated by commas and end at a brace or line.
std::string envi_text(std::string text) {
  for (char& c : text) {
    switch (c) {
      case ',':
        c = ';';
        break;
      case '{':
        c = '(';
        break;
      case '}':
        c = ')';
        break;
      case '\n':
      case '\r':
        c = ' ';
        break;
      default:
        break;
    }
  }
  return text;
}

class GdalClassMapSink final : public ClassMapSink {
 public:
  GdalClassMapSink(const std::string& path, const RasterGrid& grid, const ClassTable& classes,
                   const OutputOptions& options)
      : file_(path, grid, 1, largest(classes) > 255 ? GDT_UInt16 : GDT_Byte, 0, options) {
    describe(classes);
  }

  void write(const Window& window, const std::vector<std::uint16_t>& codes) override {
    // Pixels that are never written read as 0: a sparse map takes neither time nor room.
    if (std::any_of(codes.begin(), codes.end(), [](std::uint16_t code) { return code != 0; })) {
      file_.write(window, codes.data(), GDT_UInt16);
    }
  }
  void commit() override { file_.commit(); }

 private:
  static int largest(const ClassTable& classes) { return classes.empty() ? 0 : classes.back().code; }

  void describe(const ClassTable& classes) {
    GDALRasterBand& band = *file_.dataset().GetRasterBand(1);
    const auto entries = static_cast<std::size_t>(largest(classes)) + 1;
    std::vector<std::string> names(entries);
    GDALColorTable colours;
    // Every code below the largest needs an entry, in ENVI not an empty one.
    for (std::size_t code = 0; code < entries; ++code) {
      names[code] = code == 0 ? "Unclassified" : "unused " + std::to_string(code);
      const GDALColorEntry black{0, 0, 0, static_cast<short>(code == 0 ? 0 : 255)};
      colours.SetColorEntry(static_cast<int>(code), &black);
    }
    const std::vector<Colour> palette = gdal::class_colours(classes);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto& [red, green, blue] = palette[i];
      const GDALColorEntry entry{red, green, blue, 255};
      names[static_cast<std::size_t>(classes[i].code)] = classes[i].name;
      colours.SetColorEntry(classes[i].code, &entry);
    }
    CPLStringList list;
    for (const std::string& name : names) {
      list.AddString((file_.is_envi() ? envi_text(name) : name).c_str());
    }
    band.SetNoDataValue(0);
    band.SetColorTable(&colours);
    band.SetCategoryNames(list.List());
  }

  gdal::RasterFile file_;
};

class GdalFieldSink final : public FieldSink {
 public:
  GdalFieldSink(const std::string& path, const RasterGrid& grid, const std::vector<std::string>& names,
                const OutputOptions& options)
      : file_(path, grid, static_cast<int>(names.size()), GDT_Float32, std::numeric_limits<double>::quiet_NaN(),
              options) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      GDALRasterBand& band = *file_.dataset().GetRasterBand(static_cast<int>(i) + 1);
      band.SetNoDataValue(std::numeric_limits<double>::quiet_NaN());
      band.SetDescription((file_.is_envi() ? envi_text(names[i]) : names[i]).c_str());
    }
  }

  void write(const Window& window, const Spectra& values) override {
    if (!values.array().isNaN().all()) {
      file_.write(window, values.data(), GDT_Float32);
    }
  }
  void commit() override { file_.commit(); }

 private:
  gdal::RasterFile file_;
};

class GdalSceneSink final : public FieldSink {
 public:
  GdalSceneSink(const std::string& path, const RasterGrid& grid, const BandTable& bands, const OutputOptions& options)
      : file_(path, grid, static_cast<int>(bands.size()), GDT_UInt16, 0, options) {
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const std::string name = file_.is_envi() ? envi_text(bands[i].name) : bands[i].name;
      file_.dataset().GetRasterBand(static_cast<int>(i) + 1)->SetDescription(name.c_str());
    }
    gdal::set_wavelengths(file_.dataset(), bands);
  }

  void write(const Window& window, const Spectra& values) override {
    std::vector<std::uint16_t> rounded(static_cast<std::size_t>(values.size()));
    std::transform(values.data(), values.data() + values.size(), rounded.begin(), [](float value) {
      return std::isnan(value) ? std::uint16_t{0}
                               : static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0F, 65535.0F)));
    });
    file_.write(window, rounded.data(), GDT_UInt16);
  }
  void commit() override { file_.commit(); }

 private:
  gdal::RasterFile file_;
};

}  // namespace

void check_output(const std::string& path, const OutputOptions& options) {
  gdal::check_target(path, gdal::raster_format(path, options).files, options.overwrite);
}

std::unique_ptr<ClassMapSink> create_class_map(const std::string& path, const RasterGrid& grid,
                                               const ClassTable& classes, const OutputOptions& options) {
  return std::make_unique<GdalClassMapSink>(path, grid, classes, options);
}

std::unique_ptr<FieldSink> create_field(const std::string& path, const RasterGrid& grid,
                                        const std::vector<std::string>& band_names, const OutputOptions& options) {
  return std::make_unique<GdalFieldSink>(path, grid, band_names, options);
}

std::unique_ptr<FieldSink> create_scene(const std::string& path, const RasterGrid& grid, const BandTable& bands,
                                        const OutputOptions& options) {
  return std::make_unique<GdalSceneSink>(path, grid, bands, options);
}

}  // namespace parsimap
