#include "parsimap/gdal/raster/map_output.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "band_table.hpp"
#include "dataset.hpp"
#include "legend.hpp"
#include "raster_file.hpp"

namespace parsimap {
namespace {

// The type of the file is the smallest that holds all codes, and counts by code become a column of the attribute table.
class GdalClassMapSink final : public ClassMapSink {
 public:
  GdalClassMapSink(const StagedOutput& output, const RasterGrid& grid, const ClassTable& classes,
                   const OutputOptions& options)
      : file_(output, grid, {1, class_code_type(classes), 0, Overviews::mode, "class codes"}, options),
        classes_(classes),
        colours_(class_colours(classes)),
        counts_(std::size_t{kLargestCode} + 1, 0) {
    const bool png = EQUAL(raster_format(output.target, options).driver->GetDescription(), "PNG");
    write_legend(*file_.dataset().GetRasterBand(1), classes_, colours_, file_.is_envi(),
                 !png || class_code_type(classes) == GDT_Byte);
  }

  void write(const Window& window, const std::vector<std::uint16_t>& codes) override {
    // Pixels that are never written read as 0: a sparse map takes neither time nor room.
    if (std::ranges::any_of(codes, [](std::uint16_t code) { return code != 0; })) {
      file_.write(window, codes.data(), GDT_UInt16);
      for (const std::uint16_t code : codes) {
        ++counts_[code];
      }
    }
  }
  void close() override { file_.close({attribute_table(classes_, colours_, counts_), style_text(classes_, colours_)}); }

 private:
  RasterFile file_;
  ClassTable classes_;
  std::vector<Colour> colours_;
  std::vector<std::int64_t> counts_;  // of the codes written
};

// Layers of a map, such as probabilities, in single precision, whose nodata value is NaN; or scenes of whole numbers of
// 16 bits, as most agencies deliver them, where 0 stands for a missing value.
class GdalFieldSink final : public FieldSink {
 public:
  GdalFieldSink(const StagedOutput& output, const RasterGrid& grid, const BandTable& bands, bool whole,
                const OutputOptions& options)
      : file_(output, grid,
              {static_cast<int>(bands.size()), whole ? GDT_UInt16 : GDT_Float32, whole ? 0 : kMissingValue}, options),
        whole_(whole) {
    for (std::size_t i = 0; i < bands.size(); ++i) {
      GDALRasterBand& band = *file_.dataset().GetRasterBand(static_cast<int>(i) + 1);
      if (!whole) {
        band.SetNoDataValue(kMissingValue);
      }
      band.SetDescription((file_.is_envi() ? envi_text(bands[i].name) : bands[i].name).c_str());
    }
    set_wavelengths(file_.dataset(), bands);
  }

  void write(const Window& window, const Spectra& values) override {
    if (whole_) {
      // Rounded to the nearest whole number, and kept within what 16 bits hold; a value that is missing becomes 0.
      std::vector<std::uint16_t> rounded(static_cast<std::size_t>(values.size()));
      std::transform(values.data(), values.data() + values.size(), rounded.begin(), [](float value) {
        return static_cast<std::uint16_t>(std::isnan(value) ? 0 : std::lround(std::clamp(value, 0.0F, 65535.0F)));
      });
      file_.write(window, rounded.data(), GDT_UInt16);
    } else if (!values.array().isNaN().all()) {  // as in a class map, what is never written reads as nodata
      file_.write(window, values.data(), GDT_Float32);
    }
  }
  void close() override { file_.close({}); }

 private:
  RasterFile file_;
  bool whole_;
};

}  // namespace

std::string usual_extension(const OutputOptions& options) {
  const std::string extension =
      options.format ? metadata_item(*raster_format("map", options).driver, GDAL_DMD_EXTENSION) : "tif";
  return extension.empty() ? "" : "." + extension;
}

// Rows of a storage block of the output: parts of a map that several processes write begin at multiples of it.
Index storage_rows(const std::string& path, const OutputOptions& options) {
  // The defaults of GDAL's drivers.
  constexpr Index kTile = 256;
  constexpr Index kTileOfCog = 512;
  // The size of a block is the user's, by the creation option of the format, or else what the driver takes.
  const bool cog = EQUAL(raster_format(path, options).driver->GetDescription(), "COG");
  const CPLStringList list = string_list(options.creation_options);
  // An option that is not a number is refused by the driver later; until then its default is assumed.
  const auto rows = parse_number<Index>(list.FetchNameValueDef(cog ? "BLOCKSIZE" : "BLOCKYSIZE", "")).value_or(0);
  return rows > 0 ? rows : cog ? kTileOfCog : kTile;
}

const StagedOutput& stage_raster(OutputSet& outputs, const std::string& role, const std::string& path,
                                 const OutputOptions& options) {
  return outputs.stage(role, path, raster_format(path, options).files);
}

std::string raster_metadata(const std::string& path, const std::string& name) {
  return metadata_item(*open_raster(path), name.c_str());
}

std::unique_ptr<ClassMapSink> create_class_map(const StagedOutput& output, const RasterGrid& grid,
                                               const ClassTable& classes, const OutputOptions& options) {
  return std::make_unique<GdalClassMapSink>(output, grid, classes, options);
}

std::vector<std::string> names_held_otherwise(const std::string& path, std::vector<std::string> names) {
  const bool envi = EQUAL(open_raster(path)->GetDriverName(), "ENVI");
  std::erase_if(names, [&](const std::string& name) { return !envi || envi_text(name) == name; });
  return names;
}

std::unique_ptr<FieldSink> create_field(const StagedOutput& output, const RasterGrid& grid,
                                        const std::vector<std::string>& band_names, const OutputOptions& options) {
  const auto bands = mapped<Band>(band_names, [](const std::string& name) { return Band{name}; });
  return std::make_unique<GdalFieldSink>(output, grid, bands, false, options);
}

std::unique_ptr<FieldSink> create_scene(const StagedOutput& output, const RasterGrid& grid, const BandTable& bands,
                                        const OutputOptions& options) {
  return std::make_unique<GdalFieldSink>(output, grid, bands, true, options);
}

std::string png_data_uri(Index width, Index height, const std::vector<std::uint8_t>& rgba) {
  initialise_gdal();
  const ErrorCollector errors;
  GDALDriverManager& drivers = *GetGDALDriverManager();
  // A raster in memory of four bands (red, green, blue, alpha) from values interleaved by pixel.
  constexpr int kBands = 4;
  const int columns = static_cast<int>(width);
  const int rows = static_cast<int>(height);
  const DatasetPtr source(drivers.GetDriverByName("MEM")->Create("", columns, rows, kBands, GDT_Byte, nullptr));
  // The pixels are only read, but RasterIO takes them as it would for reading into.
  const bool filled =
      source != nullptr &&
      source->RasterIO(GF_Write, 0, 0, columns, rows, const_cast<std::uint8_t*>(rgba.data()), columns, rows, GDT_Byte,
                       kBands, nullptr, kBands, GSpacing{kBands} * columns, 1, nullptr) == CE_None &&
      source->GetRasterBand(kBands)->SetColorInterpretation(GCI_AlphaBand) == CE_None;
  GDALDriver* driver = drivers.GetDriverByName("PNG");
  // The driver writes files only: the file is in memory, and is removed with `file`.
  const MemoryFile file("picture.png");
  DatasetPtr written(filled && driver != nullptr
                         ? driver->CreateCopy(file.path().c_str(), source.get(), FALSE, nullptr, nullptr, nullptr)
                         : nullptr);
  const bool made = written != nullptr;
  // The driver completes the file when the dataset is closed.
  written.reset();
  const std::string_view bytes = file.content();
  if (!made || bytes.empty()) {
    throw IoError("a picture cannot be made as PNG: " + errors.text());
  }
  const std::unique_ptr<char, decltype(&VSIFree)> text(
      CPLBase64Encode(static_cast<int>(bytes.size()), reinterpret_cast<const GByte*>(bytes.data())), VSIFree);
  return std::string("data:image/png;base64,") + text.get();
}

using ExtensionTable = std::map<std::string, const char*>;  // in lower case

static bool has(GDALDriver& driver, const char* capability) { return driver.GetMetadataItem(capability) != nullptr; }

static bool has_extension(GDALDriver& driver, const std::string& extension) {
  const CPLStringList list(CSLTokenizeString2(metadata_item(driver, GDAL_DMD_EXTENSIONS).c_str(), " ", 0));
  return list.FindString(extension.c_str()) >= 0;
}

// The usual driver of an extension, or the first that claims it, preferring those that need no finished raster to copy.
static GDALDriver* driver_of(const std::string& extension, const ExtensionTable& usual, const char* kind) {
  GDALDriverManager& manager = *GetGDALDriverManager();
  if (const auto known = usual.find(lower_case(extension)); known != usual.end()) {
    return manager.GetDriverByName(known->second);
  }
  // Drivers that can create a raster and write it in windows come first; the others copy a finished raster.
  for (const char* capability : {GDAL_DCAP_CREATE, GDAL_DCAP_CREATECOPY}) {
    for (int i = 0; i < manager.GetDriverCount(); ++i) {
      GDALDriver& driver = *manager.GetDriver(i);
      if (has(driver, kind) && has(driver, capability) && has_extension(driver, extension)) {
        return &driver;
      }
    }
  }
  return nullptr;
}

static GDALDriver& driver_by_name(const std::string& path, const std::string& name) {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName(name.c_str());
  if (driver == nullptr || !has(*driver, GDAL_DCAP_RASTER) ||
      !(has(*driver, GDAL_DCAP_CREATE) || has(*driver, GDAL_DCAP_CREATECOPY))) {
    throw ConfigError(path + ": the format " + name +
                      (driver == nullptr ? " is unknown" : " cannot be written as a raster") +
                      "; usual ones are GTiff, ENVI, COG and PNG");
  }
  return *driver;
}

static void check_creation_options(const std::string& path, GDALDriver& driver,
                                   const std::vector<std::string>& options) {
  // GDAL would only warn of what it does not know, so that a mistyped option would be ignored.
  for (const std::string& option : options) {
    if (option.find('=') == std::string::npos || option.front() == '=') {
      throw ConfigError(path + ": the creation option '" + option + "' is not of the form KEY=VALUE");
    }
  }
  const ErrorCollector errors;
  if (GDALValidateCreationOptions(&driver, string_list(options).List()) == 0) {
    throw ConfigError(path + ": the creation options do not suit the format " + driver.GetDescription() + ": " +
                      errors.text());
  }
}

// All files that writing may create or that readers take for parts of a raster of that name, as an earlier one may have
// left them: they are checked, put in place and removed together.
static std::vector<std::string> files_of_output(const std::string& main, const std::string& format) {
  const std::string own = CPLGetExtension(main.c_str());
  // The style, and the world file by any of its names: .pgw for .png.
  std::vector<std::string> endings = {"qml", "wld", "aux", own + "w",
                                      own.substr(0, 1) + own.substr(own.empty() ? 0 : own.size() - 1) + "w"};
  if (format == "ENVI") {
    endings.insert(endings.end(), {"hdr", "HDR"});
  } else if (format == "AAIGrid" || format == "EHdr" || format == "SAGA") {
    endings.emplace_back("prj");
  }
  std::vector<std::string> files = {main,          main + ".hdr",     main + ".aux.xml", main + ".ovr",
                                    main + ".msk", main + ".vat.dbf", main + ".aux"};
  for (const std::string& ending : endings) {
    files.emplace_back(CPLResetExtension(main.c_str(), ending.c_str()));
  }
  // Statistics and names of classes of ERDAS; a file of another program may have the same name.
  std::erase_if(files, [&](const std::string& file) {
    return file != main && file.ends_with(".aux") && first_bytes(file, 15) != "EHFA_HEADER_TAG";
  });
  return files;
}

OutputFormat raster_format(const std::string& path, const OutputOptions& options) {
  initialise_gdal();
  static const ExtensionTable usual{{"tif", "GTiff"}, {"tiff", "GTiff"}, {"img", "ENVI"}, {"dat", "ENVI"},
                                    {"bil", "ENVI"},  {"bip", "ENVI"},   {"bsq", "ENVI"}, {"envi", "ENVI"},
                                    {"hdr", "ENVI"},  {"png", "PNG"}};
  const std::string extension = CPLGetExtension(path.c_str());
  if (EQUAL(extension.c_str(), "qml")) {
    throw ConfigError(path + ": the extension 'qml' is that of the style beside a map; a raster needs another");
  }
  OutputFormat format;
  format.driver =
      options.format ? &driver_by_name(path, *options.format) : driver_of(extension, usual, GDAL_DCAP_RASTER);
  if (format.driver == nullptr) {
    throw ConfigError(
        path + ": the extension '" + extension +
        "' is not that of a raster format; usual ones are .tif (GTiff) and .img, .dat, .bil, .bsq (ENVI), others "
        "go with --of FORMAT");
  }
  if (EQUAL(format.driver->GetDescription(), "netCDF") && !EQUALN(extension.c_str(), "nc", 2) &&
      !EQUAL(extension.c_str(), "cdf") && !EQUAL(extension.c_str(), "grd")) {
    throw ConfigError(path + ": GDAL reads a file of netCDF as such if its name ends in .nc");
  }
  check_creation_options(path, *format.driver, options.creation_options);
  // A GeoTIFF could be written window by window, but its compressed blocks would lie in the order in which the block
  // cache lets go of them, which depends on the cache's size and on time.
  format.copies = !has(*format.driver, GDAL_DCAP_CREATE) || EQUAL(format.driver->GetDescription(), "GTiff");
  format.main = path;
  if (EQUAL(extension.c_str(), "hdr") && EQUAL(format.driver->GetDescription(), "ENVI")) {
    // A header is named by its data file: the driver would write both into one file.
    format.main = CPLResetExtension(path.c_str(), "img");
    if (const std::string other = path.substr(0, path.size() - 4); std::filesystem::exists(other)) {
      throw ConfigError(path + ": it would be the header of " + other + ", too; name the data file, as in map.img");
    }
  }
  format.files = files_of_output(format.main, format.driver->GetDescription());
  return format;
}

GDALDriver& vector_driver(const std::string& path) {
  initialise_gdal();
  static const ExtensionTable usual{
      {"gpkg", "GPKG"}, {"geojson", "GeoJSON"}, {"json", "GeoJSON"}, {"shp", "ESRI Shapefile"}, {"fgb", "FlatGeobuf"}};
  // Others cannot have the fields, their names or the reference system, or are not read again.
  static const CPLStringList holding(
      CSLTokenizeString("GPKG GeoJSON GeoJSONSeq FlatGeobuf GML LIBKML KML SQLite OGR_GMT JML"));
  const std::string extension = CPLGetExtension(path.c_str());
  GDALDriver* driver = driver_of(extension, usual, GDAL_DCAP_VECTOR);
  if (driver == nullptr || !(EQUAL(extension.c_str(), "shp") || holding.FindString(driver->GetDescription()) >= 0)) {
    throw ConfigError(path + ": the extension '" + extension +
                      "' is not that of a vector format; usual ones are .gpkg, .geojson, .shp and .fgb");
  }
  return *driver;
}

}  // namespace parsimap
