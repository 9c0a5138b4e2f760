#include "parsimap/gdal/raster/array_raster.hpp"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <array>
#include <cstdint>
#include <limits>
#include <variant>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "dataset.hpp"
#include "legend.hpp"
#include "raster_file.hpp"

namespace parsimap {

// GDAL's types in the order of those of SceneArray. The GDAL versions in use have none for the first, int8.
static GDALDataType type_of(const SceneArray& array) {
  constexpr std::array kTypes = {GDT_Unknown, GDT_Byte,  GDT_Int16,  GDT_UInt16,  GDT_Int32,
                                 GDT_UInt32,  GDT_Int64, GDT_UInt64, GDT_Float32, GDT_Float64};
  static_assert(kTypes.size() == std::variant_size_v<decltype(SceneArray::first)>);
  return kTypes.at(array.first.index());
}

static void check_array(const std::string& name, const ArrayFacts& facts, const SceneArray& array) {
  const auto bands = static_cast<Index>(facts.bands.size());
  if (facts.grid.width < 1 || facts.grid.height < 1 || bands < 1) {
    throw DataError("the " + name + " is empty: it has " + std::to_string(facts.grid.height) + " rows, " +
                    std::to_string(facts.grid.width) + " columns and " + std::to_string(bands) + " bands");
  }
  constexpr Index kMost = std::numeric_limits<int>::max();
  if (facts.grid.width > kMost || facts.grid.height > kMost || bands > kMost) {
    throw DataError("the " + name + " is too large: a raster has at most " + std::to_string(kMost) +
                    " rows, columns and bands");
  }
  if (type_of(array) == GDT_Unknown) {
    throw DataError("the " + name + " holds integers of 8 bits with a sign, which rasters cannot hold");
  }
}

// A name that GDAL's driver MEM opens as a raster: the address of the first value, and the steps in bytes from one
// column, row and band to the next, so that arrays of any memory layout are read without a copy.
static std::string memory_name(const ArrayFacts& facts, const SceneArray& array, GDALDataType type) {
  const auto* const first = std::visit([](const auto* value) { return static_cast<const void*>(value); }, array.first);
  // A dimension of length 1 has no next value, and libraries of arrays give its step any value. GDAL gets a usable one.
  const auto bytes = [&](std::ptrdiff_t step, std::int64_t count) {
    return std::to_string((count > 1 ? step : 1) * GDALGetDataTypeSizeBytes(type));
  };
  const auto bands = static_cast<std::int64_t>(facts.bands.size());
  return CPLSPrintf("MEM:::DATAPOINTER=0x%016llx",
                    static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(first))) +
         std::string(",PIXELS=") + std::to_string(facts.grid.width) + ",LINES=" + std::to_string(facts.grid.height) +
         ",BANDS=" + std::to_string(bands) + ",DATATYPE=" + GDALGetDataTypeName(type) +
         ",PIXELOFFSET=" + bytes(array.column_step, facts.grid.width) +
         ",LINEOFFSET=" + bytes(array.row_step, facts.grid.height) + ",BANDOFFSET=" + bytes(array.band_step, bands);
}

// Writes what is known of a band under the keys by which band_table() finds it again.
static void describe_band(GDALRasterBand& band, const Band& known) {
  const auto set = [&](const char* key, const std::optional<double>& value) {
    if (value) {
      band.SetMetadataItem(key, CPLSPrintf("%.17g", *value));
    }
  };
  band.SetDescription(known.name.c_str());
  set("wavelength", known.wavelength);
  set("fwhm", known.fwhm);
  if (known.wavelength) {
    band.SetMetadataItem("wavelength_units", "Nanometers");
  }
  if (known.bad) {
    band.SetMetadataItem("bbl", "0");
  }
  if (known.scale != 1 || known.offset != 0) {
    band.SetScale(known.scale);
    band.SetOffset(known.offset);
  }
}

// A mosaic of one source has what a raster in memory cannot hold: the place on the ground, and what is known of bands.
ArrayRaster::ArrayRaster(const std::string& name, const ArrayFacts& facts, const SceneArray& array)
    : path_(memory_path(name)) {
  check_array(name, facts, array);
  initialise_gdal();
  const ErrorCollector errors;
  const GDALDataType type = type_of(array);
  const auto width = static_cast<int>(facts.grid.width);
  DatasetPtr mosaic(GetGDALDriverManager()->GetDriverByName("VRT")->Create(
      path_.c_str(), width, static_cast<int>(facts.grid.height), static_cast<int>(facts.bands.size()), type, nullptr));
  if (mosaic != nullptr) {
    place_on_ground(*mosaic, facts.grid);
    // Every band of the mosaic has one source, the same band of the array. Setting "source_0" in this domain adds a
    // source.
    const std::string source = memory_name(facts, array, type);
    for (std::size_t k = 0; k < facts.bands.size(); ++k) {
      const std::string number = std::to_string(k + 1);
      GDALRasterBand& band = *mosaic->GetRasterBand(static_cast<int>(k) + 1);
      describe_band(band, facts.bands[k]);
      if (facts.nodata) {
        band.SetNoDataValue(*facts.nodata);
      }
      const std::string text = "<SimpleSource><SourceFilename relativeToVRT=\"0\">" + source +
                               "</SourceFilename><SourceBand>" + number + "</SourceBand></SimpleSource>";
      band.SetMetadataItem("source_0", text.c_str(), "new_vrt_sources");
    }
    if (!facts.classes.empty()) {
      write_legend(*mosaic->GetRasterBand(1), facts.classes, class_colours(facts.classes), false);
    }
    // Closing writes the document of the mosaic to its file in memory, by whose path the raster is opened from now on.
    mosaic.reset();
  }
  if (errors.failed()) {
    VSIUnlink(path_.c_str());
    throw IoError("the " + name + " cannot be read: " + errors.text());
  }
}

// Only the document of the mosaic is removed: the array belongs to the caller.
ArrayRaster::~ArrayRaster() { VSIUnlink(path_.c_str()); }

}  // namespace parsimap
