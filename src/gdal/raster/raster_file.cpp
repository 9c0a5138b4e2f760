#include "raster_file.hpp"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "legend.hpp"

namespace parsimap {
namespace {

// Options that the user has not set.
void add_defaults(CPLStringList& options, const std::vector<std::pair<const char*, const char*>>& defaults) {
  for (const auto& [key, value] : defaults) {
    if (options.FetchNameValue(key) == nullptr) {
      options.SetNameValue(key, value);
    }
  }
}

// Tiles; one without content takes no room and reads as nodata. A tile of all bands of a scene would outgrow the block
// cache.
void add_geotiff_defaults(CPLStringList& options, int bands) {
  add_defaults(options, {{"TILED", "YES"}, {"SPARSE_OK", "TRUE"}, {"BIGTIFF", "IF_SAFER"}});
  if (bands > 1) {
    add_defaults(options, {{"INTERLEAVE", "BAND"}});
  }
}

void check_data_type(const std::string& path, GDALDriver& driver, GDALDataType type) {
  const std::string text = metadata_item(driver, GDAL_DMD_CREATIONDATATYPES);
  const CPLStringList types(CSLTokenizeString2(text.c_str(), " ", 0));
  if (EQUAL(driver.GetDescription(), "JPEG") || EQUAL(driver.GetDescription(), "WEBP")) {
    throw ConfigError(path + ": the format " + driver.GetDescription() +
                      " is for pictures, whose values it changes to save room; GTiff, COG, ENVI and PNG keep them");
  }
  if (types.size() > 0 && types.FindString(GDALGetDataTypeName(type)) < 0) {
    throw ConfigError(path + ": the format " + driver.GetDescription() + " cannot hold values of type " +
                      GDALGetDataTypeName(type) + " (only " + text + ")");
  }
}

// The creation options of the user, and defaults of this program that suit the format.
CPLStringList creation_options(GDALDriver& driver, const RasterLayout& layout, const OutputOptions& options) {
  CPLStringList list = string_list(options.creation_options);
  if (EQUAL(driver.GetDescription(), "GTiff")) {
    add_defaults(list, {{"COMPRESS", "DEFLATE"}});
    add_geotiff_defaults(list, layout.bands);
  } else if (EQUAL(driver.GetDescription(), "COG")) {
    add_defaults(list, {{"COMPRESS", "DEFLATE"}, {"SPARSE_OK", "TRUE"}, {"BIGTIFF", "IF_SAFER"}});
    // The driver would take the nearest pixel of a palette, which makes noise of an overview, and a cubic kernel else.
    if (list.FetchNameValue("RESAMPLING") == nullptr) {
      add_defaults(list, {{"OVERVIEW_RESAMPLING", layout.overviews == Overviews::mode ? "MODE" : "AVERAGE"}});
    }
  } else if (EQUAL(driver.GetDescription(), "netCDF")) {
    // Only version 4 has unsigned numbers. The history would name the time and the place where the file is made.
    if (list.FetchNameValue("FORMAT") == nullptr) {
      add_defaults(list, {{"FORMAT", "NC4"}, {"COMPRESS", "DEFLATE"}});
    }
    add_defaults(list, {{"WRITE_GDAL_HISTORY", "NO"}});
  }
  return list;
}

int category_count(GDALDataset& dataset) { return CSLCount(dataset.GetRasterBand(1)->GetCategoryNames()); }

int attribute_row_count(GDALDataset& dataset) {
  const GDALRasterAttributeTable* table = dataset.GetRasterBand(1)->GetDefaultRAT();
  return table == nullptr ? 0 : table->GetRowCount();
}

// The points nearest to the four corners: a header of ENVI holds no more, and the driver takes the first.
std::vector<ControlPoint> outermost(const std::vector<ControlPoint>& points) {
  // The corner in direction (right, down) is the point with the largest right * column + down * row.
  std::vector<ControlPoint> corners;
  for (const auto& [right, down] : {std::pair{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}) {
    const auto reach = [right = right, down = down](const ControlPoint& point) {
      return right * point.column + down * point.row;
    };
    corners.push_back(*std::ranges::max_element(points, {}, reach));
  }
  return corners;
}

void set_control_points(GDALDataset& dataset, const RasterGrid& grid) {
  const bool envi = EQUAL(dataset.GetDriverName(), "ENVI");
  const std::vector<ControlPoint> chosen = envi ? outermost(grid.control_points) : grid.control_points;
  std::vector<GDAL_GCP> points(chosen.size());
  // The points refer to the texts of their numbers, which therefore have to be complete before the points are made.
  auto ids = mapped<std::string>(consecutive(static_cast<Index>(points.size()), 1),
                                 [](Index number) { return std::to_string(number); });
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ControlPoint& point = chosen[i];
    // GDAL copies the texts, which it takes as non-const.
    points[i] = {ids[i].data(), ids[i].data() + ids[i].size(), point.column, point.row, point.x, point.y, 0};
  }
  const OGRSpatialReference reference = spatial_reference(grid.crs);
  dataset.SetGCPs(static_cast<int>(points.size()), points.data(), grid.crs.empty() ? nullptr : &reference);
}

// Carries a progress, and what it throws, through GDAL.
struct CopyProgress {
  const Progress& progress;
  std::exception_ptr stopped{};
  double reported = 0;  // drivers repeat themselves

  // Exceptions must not pass through the C code of GDAL. One is kept, FALSE stops the copy, and the caller rethrows it.
  static int CPL_STDCALL report(double fraction, const char* /*message*/, void* self) {
    auto& [progress, stopped, reported] = *static_cast<CopyProgress*>(self);
    try {
      if (progress && fraction > reported) {
        progress(fraction);
        reported = fraction;
      }
      return TRUE;
    } catch (...) {
      stopped = std::current_exception();
      return FALSE;
    }
  }
};

}  // namespace

void place_on_ground(GDALDataset& dataset, const RasterGrid& grid) {
  if (grid.geotransform) {
    std::array<double, 6> transform = *grid.geotransform;
    dataset.SetGeoTransform(transform.data());
  }
  if (!grid.geotransform && !grid.control_points.empty()) {
    set_control_points(dataset, grid);
  } else if (!grid.crs.empty()) {
    const OGRSpatialReference reference = spatial_reference(grid.crs);
    dataset.SetSpatialRef(&reference);
  }
}

RasterFile::RasterFile(const StagedOutput& output, const RasterGrid& grid, const RasterLayout& layout,
                       const OutputOptions& options)
    : path_(output.target),
      options_(options),
      format_(raster_format(path_, options)),
      file_(output.path),
      source_(format_.copies ? (std::filesystem::path(file_).parent_path() / ".source.tif").string() : file_),
      layout_(layout),
      written_(grid.width, layout.bands, layout.fill),
      grid_(grid) {
  check_data_type(path_, *format_.driver, layout_.type);
  create(grid);
}

DatasetPtr RasterFile::create_file(GDALDriver& driver, const std::string& file, const RasterGrid& grid,
                                   const CPLStringList& options) const {
  const ErrorCollector errors;
  DatasetPtr dataset(driver.Create(file.c_str(), static_cast<int>(grid.width), static_cast<int>(grid.height),
                                   layout_.bands, layout_.type, options.List()));
  if (dataset == nullptr || dataset->GetRasterCount() != layout_.bands) {
    const std::string text = path_ + " cannot be created as " + driver.GetDescription() + ": " +
                             (dataset == nullptr ? errors.text()
                                                 : "of " + std::to_string(layout_.bands) + " bands the format holds " +
                                                       std::to_string(dataset->GetRasterCount()));
    // The folder is writable: what is left are the user's creation options, or the disk.
    if (!options_.creation_options.empty() && CPLGetLastErrorNo() != CPLE_FileIO) {
      throw ConfigError(text);
    }
    throw IoError(text);
  }
  return dataset;
}

// Formats that cannot be written in windows, and GeoTIFF, are copied at the end from a temporary GeoTIFF beside the
// output, which is sparse and not compressed. Others are written directly.
void RasterFile::create(const RasterGrid& grid) {
  const ErrorCollector errors;
  GDALDriver& driver = *format_.driver;
  CPLStringList list = creation_options(driver, layout_, options_);
  CPLStringList plain;
  add_geotiff_defaults(plain, layout_.bands);
  GDALDriver& geotiff = *GetGDALDriverManager()->GetDriverByName("GTiff");
  if (EQUAL(driver.GetDescription(), "netCDF") && file_.starts_with("/vsimem/")) {
    // A dry run tries its outputs in memory, where this driver makes no files.
    dataset_ = create_file(geotiff, file_, grid, plain);
  } else if (!format_.copies) {
    dataset_ = create_file(driver, file_, grid, list);
  } else {
    if (driver.GetMetadataItem(GDAL_DCAP_CREATE) != nullptr) {
      // A trial: options that do not go together are to fail now rather than after the work.
      list.SetNameValue("SPARSE_OK", "TRUE");
      create_file(driver, file_, grid, list).reset();
    }
    dataset_ = create_file(geotiff, source_, grid, plain);
  }
  place_on_ground(*dataset_, grid);
  errors.check_files(path_ + " cannot be written:");
}

// A GeoTIFF's unwritten blocks read as nodata, and ENVI's as 0; other formats need their pixels.
void RasterFile::fill_up() {
  const bool needs_none = filled_ || format_.copies || (is_envi() && layout_.fill == 0);
  for (int band = 1; band <= layout_.bands && !needs_none; ++band) {
    dataset_->GetRasterBand(band)->Fill(layout_.fill);
  }
  filled_ = true;
}

void RasterFile::write(const Window& window, const void* values, GDALDataType type) {
  const ErrorCollector errors;
  fill_up();
  const auto width = static_cast<int>(window.width);
  const auto height = static_cast<int>(window.height);
  const GSpacing size = GDALGetDataTypeSizeBytes(type);
  // GDAL takes a non-const buffer for both directions.
  const CPLErr result = dataset_->RasterIO(GF_Write, static_cast<int>(window.column), static_cast<int>(window.row),
                                           width, height, const_cast<void*>(values), width, height, type, layout_.bands,
                                           nullptr, size * layout_.bands, size * layout_.bands * width, size, nullptr);
  if (result != CE_None || errors.failed()) {
    throw IoError(path_ + " cannot be written at row " + std::to_string(window.row) + ": " + errors.text());
  }
  written_.add(window, values, type);
}

void RasterFile::close(const RasterLegend& legend) {
  const ErrorCollector errors;
  if (options_.progress) {
    options_.progress(0);
  }
  // Counted now, to be compared with those of the finished file.
  const int categories = category_count(*dataset_);
  int attribute_rows = 0;
  // In Erdas files the number of a row is the code: names and colours are in the table already.
  if (legend.attributes != nullptr && !EQUAL(format_.driver->GetDescription(), "HFA")) {
    dataset_->GetRasterBand(1)->SetDefaultRAT(legend.attributes.get());
    attribute_rows = attribute_row_count(*dataset_);
  }
  // The driver of netCDF reads all of a sidecar, but writes only statistics.
  const bool netcdf = legend.attributes != nullptr && EQUAL(format_.driver->GetDescription(), "netCDF");
  const std::string sidecar =
      netcdf ? sidecar_text(*dataset_->GetRasterBand(1), *legend.attributes, options_.metadata) : std::string();
  close_dataset();
  if (legend.attributes != nullptr && is_envi()) {
    // The driver keeps its own copy of the header's content in the sidecar as long as the raster is being written.
    open_raster(file_)->GetRasterBand(1)->SetDefaultRAT(legend.attributes.get());
  }
  if (netcdf) {
    write_flags(file_, path_, *legend.attributes);
    if (!write_whole_file(file_ + ".aux.xml", sidecar)) {
      throw IoError(path_ + ": its .aux.xml cannot be written");
    }
  } else {
    write_metadata();
  }
  write_style(legend.style);
  errors.check_files(path_ + " cannot be written:");
  verify(categories, attribute_rows);
}

// Much is written only now, and a full disk is reported through the error handler alone.
void RasterFile::close_dataset() {
  const ErrorCollector errors;
  fill_up();
  dataset_->FlushCache(true);
  if (format_.copies && !errors.failed()) {
    copy_to_format();
  }
  dataset_.reset();
  if (errors.failed()) {
    throw IoError(path_ + " cannot be written: " + errors.text());
  }
  if (is_envi()) {
    tidy_envi();
  }
  if (format_.copies) {
    const DatasetPtr source(GDALDataset::Open(source_.c_str()));
    const std::vector<std::string> files = source != nullptr ? files_of(*source) : std::vector<std::string>();
    std::ranges::for_each(files, VSIUnlink, &std::string::c_str);
  }
}

// The driver puts the temporary path in the header, and a copy of what the header says, as it was at first, in a
// sidecar.
void RasterFile::tidy_envi() const {
  VSIUnlink((file_ + ".aux.xml").c_str());
  const CPLStringList list = creation_options(*format_.driver, layout_, options_);
  // With SUFFIX=ADD the driver names the header "map.img.hdr", otherwise "map.hdr".
  const bool added = EQUALN(list.FetchNameValueDef("SUFFIX", ""), "ADD", 3);
  const std::string header = added ? file_ + ".hdr" : CPLResetExtension(file_.c_str(), "hdr");
  const CPLString text = CPLString(whole_file(header)).replaceAll(file_, CPLGetFilename(file_.c_str()));
  if (!write_whole_file(header, text)) {
    throw IoError(path_ + ": its header cannot be written");
  }
}

void RasterFile::copy_to_format() {
  // Otherwise the size of these parts, and with it the order of the blocks in the file, depends on the block cache.
  const CPLConfigOptionSetter swath("GDAL_SWATH_SIZE", "8000000", false);
  const CPLStringList list = creation_options(*format_.driver, layout_, options_);
  const Progress half = [&](double fraction) {
    if (options_.progress) {
      options_.progress(fraction / 2);
    }
  };
  CopyProgress progress{half};
  const DatasetPtr copy(
      format_.driver->CreateCopy(file_.c_str(), dataset_.get(), TRUE, list.List(), CopyProgress::report, &progress));
  if (progress.stopped) {
    std::rethrow_exception(progress.stopped);
  }
  if (copy == nullptr && CPLGetLastErrorType() < CE_Failure) {
    throw IoError(path_ + " cannot be written as " + format_.driver->GetDescription());
  }
}

// A raster that is opened for reading gets its metadata in a sidecar: its own bytes do not depend on names of files.
void RasterFile::write_metadata() const {
  if (const DatasetPtr dataset = DatasetPtr(GDALDataset::Open(file_.c_str(), GDAL_OF_RASTER))) {
    const auto add = [&](const auto& item) { dataset->SetMetadataItem(item.first.c_str(), item.second.c_str()); };
    std::ranges::for_each(options_.metadata, add);
  }
}

void RasterFile::write_style(const std::string& style) const {
  if (!style.empty() && !write_whole_file(CPLResetExtension(file_.c_str(), "qml"), style)) {
    throw IoError(path_ + ": its style cannot be written: " + std::strerror(errno));
  }
}

// "the format ENVI does not keep its place on the map; GTiff and COG do": of `formats` those that are others.
static std::string unlike_others(const std::string& format, const std::string& does,
                                 std::vector<std::string> formats = {"GTiff", "COG", "ENVI"}) {
  std::erase(formats, format);
  return "the format " + format + " " + does + " " + listed(formats, " and ") + " do";
}

// Reads the finished file and compares it with what was written. Drivers and disks lose values without reporting it,
// and some formats cannot store names of classes or all values.
void RasterFile::verify(int categories, int attribute_rows) const {
  const ErrorCollector errors;
  try {
    const DatasetPtr copy = open_raster(file_);
    check_content(*copy, errors);
    // A full disk may have cut short a sidecar only, of which GDAL makes a warning.
    check_place(*copy);
    if (category_count(*copy) != categories || attribute_row_count(*copy) < attribute_rows) {
      throw DataError(unlike_others(format_.driver->GetDescription(), "does not keep the names of the classes;",
                                    {"GTiff", "COG", "ENVI", "PNG"}) +
                      (errors.has_text() ? "; " + errors.text() : ""));
    }
  } catch (const DataError& error) {
    throw IoError(path_ + " does not read back after it was written: " + error.what());
  }
}

// Whether coordinates in two reference systems are those of one place, but for datums that formats do not tell apart.
static bool same_place(const std::string& crs, const std::string& other_crs, const Matrix& coordinates) {
  constexpr double kNear = 0.01;  // degrees
  Matrix expected = coordinates;
  Matrix found = coordinates;
  const std::string degrees = crs_from_epsg(4326);
  try {
    transform_points(crs, degrees, expected);
    transform_points(other_crs, degrees, found);
  } catch (const DataError&) {
    return true;  // a local system, which formats may call otherwise
  }
  return (found - expected).unaryExpr([](double x) { return std::abs(std::remainder(x, 360)); }).maxCoeff() < kNear;
}

void RasterFile::check_place(GDALDataset& copy) const {
  RasterGrid found = grid_of(copy);
  const auto [x, y] = map_point(grid_, static_cast<double>(grid_.width) / 2, static_cast<double>(grid_.height) / 2);
  const bool lost = !found.geotransform || (!grid_.crs.empty() && found.crs.empty()) ||
                    !same_place(grid_.crs, found.crs, Eigen::RowVector2d(x, y));
  found.crs.clear();  // formats write one reference system in different words
  if (grid_.geotransform && (lost || !grid_difference(found, path_, grid_, path_).empty())) {
    throw DataError(unlike_others(format_.driver->GetDescription(), "does not keep its place on the map;"));
  }
}

void RasterFile::check_content(GDALDataset& copy, const ErrorCollector& errors) const {
  const std::string format = format_.driver->GetDescription();
  if (copy.GetRasterCount() != layout_.bands || copy.GetRasterXSize() != grid_.width ||
      copy.GetRasterYSize() != grid_.height) {
    throw DataError("the format " + format +
                    CPLSPrintf(" has made %d bands of %d x %d pixels out of %d of %td x %td", copy.GetRasterCount(),
                               copy.GetRasterXSize(), copy.GetRasterYSize(), layout_.bands, grid_.width, grid_.height));
  }
  // The first half was to write what was still in memory, and to copy it to some formats.
  const std::optional<std::uint64_t> found = content_sum(copy, layout_.fill, real(), [&](double fraction) {
    if (options_.progress) {
      options_.progress((1 + fraction) / 2);
    }
  });
  if (errors.failed()) {
    throw DataError(errors.text());
  }
  // Creation options of the user may request rounding of real values (such as lossy compression or fewer digits), which
  // is accepted. Class codes must be exact.
  if (found == written_.sum() || (found && real() && !options_.creation_options.empty())) {
    return;
  }
  if (options_.creation_options.empty()) {
    throw DataError(std::string("its ") + layout_.content + " are not those that were written; " +
                    unlike_others(format, "may not keep them,"));
  }
  throw ConfigError("the creation options " + separated(options_.creation_options, ", ") + " do not keep the " +
                    layout_.content + " of " + path_ + "; leave out those that round or cut off");
}

}  // namespace parsimap
