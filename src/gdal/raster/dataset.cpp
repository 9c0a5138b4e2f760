#include "dataset.hpp"

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/source_name.hpp"

#include "adapted/netcdf_cube.hpp"
#include "adapted/signed_bytes.hpp"

namespace parsimap {

CPLStringList string_list(const std::vector<std::string>& texts) {
  CPLStringList list;
  std::ranges::for_each(texts, [&](const std::string& text) { list.AddString(text.c_str()); });
  return list;
}

std::string first_bytes(const std::string& path, std::size_t count) {
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(path.c_str(), "rb"), VSIFCloseL);
  std::string bytes(count, '\0');
  bytes.resize(file == nullptr ? 0 : VSIFReadL(bytes.data(), 1, count, file.get()));
  return bytes;
}

namespace {

// Of two headers beside a data file GDAL takes one, which need not be that which the user has named.
void check_named_header(GDALDataset& dataset, const std::string& path) {
  const std::optional<EnviHeader> header = header_of(dataset);
  if (header && EQUAL(CPLGetExtension(path.c_str()), "hdr") && header->path() != path &&
      whole_file(path) != whole_file(header->path())) {
    throw DataError(path + " is not the header by which " + dataset.GetDescription() + " is read, which is " +
                    header->path() + " and differs; remove one of them");
  }
}

// Of a TIFF of several pages GDAL reads the first alone. Where they have its size, as in files of ImageJ or tifffile,
// they are the bands of one scene.
void check_pages(GDALDataset& dataset, const std::string& path) {
  const std::string size = CPLSPrintf(" (%dP x %dL x ", dataset.GetRasterXSize(), dataset.GetRasterYSize());
  const char* second = CSLFetchNameValue(dataset.GetMetadata("SUBDATASETS"), "SUBDATASET_2_DESC");
  if (second != nullptr && EQUAL(dataset.GetDriverName(), "GTiff") &&
      std::string(second).find(size) != std::string::npos) {
    throw DataError(
        path + CPLSPrintf(" has several pages of %d x %d pixels", dataset.GetRasterXSize(), dataset.GetRasterYSize()) +
        ", of which one alone would be read; name one, as in GTIFF_DIR:1:" + path +
        ", or make them the bands of one scene (gdalbuildvrt -separate)");
  }
}

// GDAL reads zeros behind the end of a raw file, guesses parts of the layout that it does not know, and opens whatever
// lies beside a header. All of that would be pixels that the file does not hold.
void check_envi(GDALDataset& dataset, const std::string& path) {
  const std::optional<EnviHeader> header = header_of(dataset);
  if (!header) {
    return;
  }
  check_envi_raster(*header);
  const Index lines = header->integer("lines", std::nullopt, 1);
  VSIStatBufL status;
  if (header->integer("file compression", 0, 0) != 0 || VSIStatL(dataset.GetDescription(), &status) != 0) {
    return;
  }
  if (first_bytes(dataset.GetDescription(), 4) == "PK\x03\x04") {
    throw DataError(path + " is a zip archive and not the data of " + header->path() +
                    "; name the file inside, as in " + "/vsizip/" + path + "/scene.img");
  }
  // The size that the header requires. It says nothing about compressed files, which returned above.
  const std::int64_t row_bytes = std::int64_t{dataset.GetRasterXSize()} * dataset.GetRasterCount() *
                                 GDALGetDataTypeSizeBytes(dataset.GetRasterBand(1)->GetRasterDataType());
  const std::int64_t expected = header->integer("header offset", 0, 0) + lines * row_bytes;
  const auto size = static_cast<std::int64_t>(status.st_size);
  if (size < expected) {
    throw DataError(path + " is cut short: it has " + std::to_string(size) + " bytes, its header promises " +
                    std::to_string(expected));
  }
  // A few bytes behind the pixels are padding. A line more or less shifts all bands but the first.
  if (size - expected >= row_bytes / dataset.GetRasterCount()) {
    throw DataError(path + " is longer than its header says: it has " + std::to_string(size) + " bytes, and " +
                    CPLSPrintf("%d samples, %d lines and %d bands take ", dataset.GetRasterXSize(),
                               dataset.GetRasterYSize(), dataset.GetRasterCount()) +
                    std::to_string(expected) + "; correct the header " + header->path());
  }
}

// Whether the pixels of one grid fit into those of the other along the axis x or y.
bool grids_fit(const CPLXMLNode* source, const std::string& axis) {
  const auto number = [&](const std::string& name) { return CPLAtof(CPLGetXMLValue(source, name.c_str(), "1")); };
  const double ratio = number("SrcRect." + axis + "Size") / number("DstRect." + axis + "Size");
  const double offset = std::remainder(number("DstRect." + axis + "Off"), 1);
  return std::abs(std::remainder(std::max(ratio, 1 / ratio), 1)) < 1e-6 && std::abs(offset) < 1e-6;
}

// GDAL follows a null pointer where a mosaic takes the mask of a band that its source does not have.
void check_sources(const CPLXMLNode* node, const std::string& path) {
  for (; node != nullptr; node = node->psNext) {
    const std::string band = CPLGetXMLValue(node, "SourceBand", "");
    const char* name = CPLGetXMLValue(node, "SourceFilename", nullptr);
    const std::string method = lower_case(CPLGetXMLValue(node, "resampling", ""));
    if ((method == "average" || method == "rms" || method == "gauss") &&
        !(grids_fit(node, "x") && grids_fit(node, "y"))) {
      throw DataError(path + " resamples (" + method + ") pixels that do not fit into its own: GDAL would compute " +
                      "them differently for each part that is read; write it as a file first (gdal_translate)");
    }
    if (name != nullptr && STARTS_WITH_CI(band.c_str(), "mask")) {
      const std::string file = source_file(node, CPLGetPath(path.c_str()));
      const ErrorCollector errors;
      const DatasetPtr source(GDALDataset::Open(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
      const auto comma = band.find(',');
      const int number = comma == std::string::npos ? 1 : std::atoi(band.c_str() + comma + 1);
      if (source == nullptr || number < 1 || number > source->GetRasterCount()) {
        throw DataError(path + " takes the mask of band " + std::to_string(number) + " of " + file +
                        (source == nullptr ? ", which cannot be opened as a raster"
                                           : ", which has " + std::to_string(source->GetRasterCount()) + " bands"));
      }
    }
    check_sources(node->psChild, path);
  }
}

// Mosaics of hundreds of bands have megabytes of text, which is parsed only where it may speak of masks or resampling.
void check_sources(GDALDataset& dataset) {
  const std::string path = dataset.GetDescription();
  const std::string document = exists(path) ? whole_file(path) : path;
  const auto has = [text = lower_case(document)](const char* word) { return text.find(word) != std::string::npos; };
  if (has("mask") || has("resampling") || has("&#")) {
    const CPLXMLTreeCloser tree(CPLParseXMLString(document.c_str()));
    check_sources(tree.get(), path);
  }
}

// Whether bytes of the sources of a mosaic have a sign, as far as there are any.
using ByteKinds = std::set<bool>;

// A mosaic of GDAL before 3.7 hands out the signed bytes of its sources as unsigned, whatever its own type.
bool is_mosaic_of_signed_bytes(GDALDataset& dataset, const ByteKinds& kinds, const std::string& path) {
  if (!kinds.contains(true) || GDALGetDataTypeByName("Int8") != GDT_Unknown) {
    return false;
  }
  const auto types = mapped<GDALDataType>(dataset.GetBands(), &GDALRasterBand::GetRasterDataType);
  if (kinds.contains(false) || std::ranges::any_of(types, [](GDALDataType type) { return type != GDT_Byte; })) {
    throw DataError(path +
                    " mixes signed bytes with other values, which this version of GDAL reads as unsigned; convert "
                    "its sources with gdal_calc.py --calc=\"A.astype('int8')\" --type=Int16");
  }
  return true;
}

// The sources of a mosaic, which is opened without a look at them, are checked likewise, and theirs in turn.
void check_mosaic(GDALDataset& dataset, std::set<std::string>& seen, ByteKinds& kinds) {
  if (!EQUAL(dataset.GetDriverName(), "VRT")) {
    return;
  }
  check_sources(dataset);
  for (const std::string& file : files_of(dataset)) {
    if (!seen.insert(file).second) {
      continue;
    }
    const ErrorCollector others;  // most files are of other formats, which notice by themselves
    // Opened by the same driver as by the mosaic: a GeoTIFF may lie beside a header of the same name.
    const DatasetPtr source(GDALDataset::Open(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY));
    // `seen` prevents an endless recursion where mosaics refer to each other.
    if (source != nullptr && source->GetRasterCount() > 0) {
      check_envi(*source, file);
      for (GDALRasterBand* band : source->GetBands()) {
        const bool is_signed = has_signed_bytes(*band);
        if (!EQUAL(source->GetDriverName(), "VRT") && (is_signed || band->GetRasterDataType() == GDT_Byte)) {
          kinds.insert(is_signed);
        }
      }
      check_mosaic(*source, seen, kinds);
    }
  }
}

}  // namespace

std::optional<EnviHeader> header_of(GDALDataset& dataset) {
  if (!EQUAL(dataset.GetDriverName(), "ENVI")) {
    return std::nullopt;
  }
  for (const std::string& file : files_of(dataset)) {
    if (EQUAL(CPLGetExtension(file.c_str()), "hdr")) {
      return EnviHeader(file, whole_file(file));
    }
  }
  return std::nullopt;
}

// GDAL opens the data file of an ENVI raster and finds the header beside it. Users often name the header: the data file
// has its name without .hdr, or with one of the usual extensions instead.
std::string resolve_envi_header(const std::string& name) {
  refuse_special_file(name);
  const std::string path = resolved_source(name);
  if (!EQUAL(CPLGetExtension(path.c_str()), "hdr") || first_bytes(path, 4) != "ENVI") {
    return path;
  }
  const std::string stem = path.substr(0, path.size() - 4);
  for (const char* extension : {"", ".img", ".bil", ".bsq", ".bip", ".dat", ".raw", ".IMG", ".BIL", ".BSQ", ".BIP",
                                ".DAT", ".RAW", ".cube", ".rfl", ".spc", ".hyspex"}) {
    const std::string candidate = stem + extension;
    if (exists(candidate) && !is_folder(candidate)) {
      refuse_special_file(candidate);
      return candidate;
    }
  }
  throw DataError(path + " is an ENVI header without a data file (looked for " + stem +
                  " with no extension, .img, .bil, .bsq, .bip, .dat, .raw, .cube, .rfl, .spc and .hyspex)");
}

std::vector<std::string> header_notes(GDALDataset& dataset) {
  const std::optional<EnviHeader> header = header_of(dataset);
  std::vector<std::string> notes = header ? unused_envi_fields(*header) : std::vector<std::string>();
  if (has_joined_bands(dataset) && *dataset.GetRasterBand(1)->GetDescription() != 0) {
    const auto variables =
        mapped<std::string>(dataset.GetBands(), [](const GDALRasterBand* band) { return band->GetDescription(); });
    constexpr std::size_t kFew = 12;
    notes.push_back("its bands are its variables " +
                    (variables.size() > kFew ? variables.front() + " to " + variables.back() + ", " +
                                                   std::to_string(variables.size()) + " together"
                                             : separated(variables, ", ")) +
                    " (--bands chooses among them)");
  }
  const std::string data = dataset.GetDescription();
  // Of scene.hdr and scene.dat.hdr GDAL takes the second; the first may also belong to another data file.
  const std::string other = CPLResetExtension(data.c_str(), "hdr");
  if (header && header->path() != other && first_bytes(other, 4) == "ENVI" && resolve_envi_header(other) == data) {
    const EnviHeader stated(other, whole_file(other));
    for (const char* name : {"samples", "lines", "bands", "data type", "interleave", "byte order", "header offset"}) {
      if (lower_case(header->text(name)) != lower_case(stated.text(name))) {
        notes.push_back("it is read by its header " + header->path() + ", and " + other + " states another '" + name +
                        "'");
        break;
      }
    }
  }
  return notes;
}

// Why GDAL does not take the header beside a file that it cannot open, or the file itself, for one of ENVI.
static std::string header_flaw(const std::string& path) {
  for (const std::string& header : {path, CPLResetExtension(path.c_str(), "hdr") + std::string(), path + ".hdr"}) {
    if (EQUAL(CPLGetExtension(header.c_str()), "hdr") && exists(header) && first_bytes(header, 4) != "ENVI") {
      return "; " + header + " does not begin with the letters ENVI" +
             (first_bytes(header, 3) == "\xEF\xBB\xBF" ? " but with a byte order mark" : "");
    }
  }
  return "";
}

// Opening covers checks that GDAL does not make itself: files shorter than their header requires, also among the
// sources of mosaics, and mosaics that would make GDAL fail later. Failed reads of files are errors here even if GDAL
// opened the raster, because drivers continue without a side file that they could not read.
DatasetPtr open_raster(const std::string& path) {
  initialise_gdal();
  const ErrorCollector errors;
  const std::string file = resolve_envi_header(path);
  DatasetPtr dataset(
      GDALDataset::Open(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr));
  errors.check_files(path + " cannot be opened:");
  if (dataset == nullptr) {
    const std::string members = archive_members(file);
    throw DataError(path + " cannot be opened as a raster: " +
                    (!members.empty()                      ? "it is an archive of several files; name one: " + members
                     : file_kind(path) == FileKind::vector ? "it is a vector file"
                                                           : errors.text() + header_flaw(file)));
  }
  dataset = joined_variables(oriented_cube(std::move(dataset), path), path);
  if (dataset->GetRasterCount() == 0) {
    const std::string subdatasets = separated(subdataset_names(*dataset), ", ");
    throw DataError(
        path + " holds no raster bands" +
        (subdatasets.empty() ? "" : "; name one of its subdatasets, or stack some (gdalbuildvrt -separate): ") +
        subdatasets);
  }
  // GDAL passes over a mask or a side file that it cannot read, and over the nodata values in it.
  const std::vector<std::string> parts = files_of(*dataset);
  const std::string mask = std::string(dataset->GetDescription()) + ".msk";
  if (exists(mask) && std::ranges::find(parts, mask) == parts.end()) {
    throw IoError(mask + " could not be read by GDAL as the mask of " + path);
  }
  for (const std::string& part : parts) {
    const std::string sidecar = part.ends_with(".aux.xml") ? whole_file(part) : "";
    if (!sidecar.empty() && CPLXMLTreeCloser(CPLParseXMLString(sidecar.c_str())).get() == nullptr) {
      throw IoError(part + " could not be read by GDAL: " + errors.text());
    }
  }
  // GeoTIFF reads its side file, with the names of categories, only when something else is asked for.
  (void)dataset->GetRasterBand(1)->GetMetadata();
  check_pages(*dataset, path);
  check_envi(*dataset, path);
  check_named_header(*dataset, path);
  std::set<std::string> seen{dataset->GetDescription()};
  ByteKinds kinds;
  check_mosaic(*dataset, seen, kinds);
  errors.check_files(path + " cannot be opened:");
  const bool of_signed = is_mosaic_of_signed_bytes(*dataset, kinds, path);
  return with_signed_bytes(std::move(dataset), of_signed);
}

bool is_raster(const std::string& path) {
  try {
    return open_raster(path) != nullptr;
  } catch (const DataError&) {
    return false;
  }
}

bool read_window(GDALRasterBand& band, const Window& window, void* values, GDALDataType type) {
  const auto width = static_cast<int>(window.width);
  const auto height = static_cast<int>(window.height);
  return band.RasterIO(GF_Read, static_cast<int>(window.column), static_cast<int>(window.row), width, height, values,
                       width, height, type, 0, 0, nullptr) == CE_None;
}

void read_values(GDALRasterBand& band, const Window& window, void* values, GDALDataType type, const std::string& name) {
  const ErrorCollector errors;
  if (!read_window(band, window, values, type) || errors.file_failed()) {
    throw IoError(name + " cannot be read at row " + std::to_string(window.row) + ": " + errors.text());
  }
}

std::string memory_path(const std::string& name) {
  // The counter makes the path unique in the process, for threads as well.
  static std::atomic<int> made = 0;
  return "/vsimem/parsimap-" + std::to_string(++made) + "/" + name;
}

MemoryFile::~MemoryFile() { VSIUnlink(path_.c_str()); }

std::string_view MemoryFile::content() const {
  vsi_l_offset size = 0;
  const GByte* bytes = VSIGetMemFileBuffer(path_.c_str(), &size, FALSE);
  return bytes != nullptr ? std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size))
                          : std::string_view();
}

bool MemoryFile::copy_to(const std::string& path) const {
  const std::string_view bytes = content();
  return !bytes.empty() && write_whole_file(path, bytes);
}

bool write_whole_file(const std::string& path, std::string_view content) {
  VSILFILE* file = VSIFOpenL(path.c_str(), "wb");
  const bool written = file != nullptr && VSIFWriteL(content.data(), 1, content.size(), file) == content.size();
  // Closing writes what is buffered: the content is complete only if this succeeds, too.
  return file != nullptr && VSIFCloseL(file) == 0 && written;
}

// Of an array of NEON, see oriented_cube(): UTM, 1, 1, easting, northing, width, height, zone, North, WGS-84.
static void take_map_info(GDALRasterBand& band, RasterGrid& grid) {
  const std::vector<std::string> info = list_members(metadata_item(band, "Map_Info", "ENVI"));
  if (info.size() > 9 && info[0] == "UTM" && info[9] == "WGS-84") {
    const auto number = [&](std::size_t i) { return CPLAtof(info[i].c_str()); };
    grid.geotransform = {number(3) - (number(1) - 1) * number(5), number(5), 0,
                         number(4) + (number(2) - 1) * number(6), 0,         -number(6)};
    grid.crs = crs_from_epsg((info[8] == "South" ? 32700 : 32600) + std::atoi(info[7].c_str()));
  }
}

RasterGrid grid_of(GDALDataset& dataset) {
  RasterGrid grid;
  grid.width = dataset.GetRasterXSize();
  grid.height = dataset.GetRasterYSize();
  std::array<double, 6> transform{};
  // Several drivers return the identity for a raster without georeferencing.
  constexpr std::array<double, 6> kIdentity{0, 1, 0, 0, 0, 1};
  if (dataset.GetGeoTransform(transform.data()) == CE_None && transform != kIdentity) {
    grid.geotransform = transform;
    if (!std::isnormal(transform[1] * transform[5] - transform[2] * transform[4])) {
      throw DataError(dataset.GetDescription() + std::string(": its geotransform (") +
                      separated(transform, ", ", [](double number) { return CPLSPrintf("%.10g", number); }) +
                      ") gives pixels no area; correct it, or remove it (gdal_edit.py -unsetgt)");
    }
  }
  grid.crs = wkt_of(dataset.GetSpatialRef());
  if (!grid.geotransform && dataset.GetRasterCount() > 0) {
    take_map_info(*dataset.GetRasterBand(1), grid);
  }
  // Control points are used only without a geotransform. The reference system is then that of the points.
  if (!grid.geotransform && dataset.GetGCPCount() > 0) {
    for (int i = 0; i < dataset.GetGCPCount(); ++i) {
      const GDAL_GCP& point = dataset.GetGCPs()[i];
      grid.control_points.push_back({point.dfGCPPixel, point.dfGCPLine, point.dfGCPX, point.dfGCPY});
    }
    grid.crs = wkt_of(dataset.GetGCPSpatialRef());
  }
  if (!grid.crs.empty()) {
    // Why PROJ cannot use its database, as where the environment names that of another PROJ.
    static const std::string flaw = [] {
      const ErrorCollector errors;
      return OGRSpatialReference().importFromEPSG(4326) == OGRERR_NONE ? std::string() : errors.text();
    }();
    if (!flaw.empty()) {
      throw IoError(dataset.GetDescription() +
                    std::string(" has a coordinate reference system, for which PROJ needs ") + "its database: " + flaw +
                    "; PROJ_DATA and PROJ_LIB must be unset, or name its folder");
    }
  }
  return grid;
}

// With control points alone, the reference system is theirs: coordinates of pixels are columns and rows, and have none.
std::string map_crs(const RasterGrid& grid) {
  return !grid.geotransform && !grid.control_points.empty() ? "" : grid.crs;
}

// Not from the metadata of the bands: where relativeToVRT is negative, GDAL 3.6 looks there for the path of a mosaic
// that it does not know, and throws.
CPLXMLTreeCloser mosaic_document(GDALDataset& dataset) {
  const ErrorCollector ignored;
  char** documents = EQUAL(dataset.GetDriverName(), "VRT") ? dataset.GetMetadata("xml:VRT") : nullptr;
  return CPLXMLTreeCloser(CSLCount(documents) > 0 ? CPLParseXMLString(documents[0]) : nullptr);
}

std::vector<std::vector<const CPLXMLNode*>> sources_of_bands(const CPLXMLTreeCloser& document) {
  // SimpleSource, ComplexSource and others.
  const auto is_source = [](const CPLXMLNode* node) { return std::string_view(node->pszValue).ends_with("Source"); };
  return mapped<std::vector<const CPLXMLNode*>>(
      elements_in(CPLGetXMLNode(document.get(), "=VRTDataset"), "VRTRasterBand"),
      [&](const CPLXMLNode* band) { return filtered(elements_in(band), is_source); });
}

// A relative name starts from the folder of the mosaic, not from the working folder.
std::string source_file(const CPLXMLNode* source, const std::string& folder) {
  const std::string name = CPLGetXMLValue(source, "SourceFilename", "");
  const bool relative = std::atoi(CPLGetXMLValue(source, "SourceFilename.relativeToVRT", "0")) != 0;
  return relative ? CPLProjectRelativeFilename(folder.c_str(), name.c_str()) : name;
}

std::vector<std::string> files_of(GDALDataset& dataset) {
  const CPLStringList files(dataset.GetFileList());
  return {files.List(), files.List() + files.size()};
}

// Some drivers answer only for the whole domain, not for its items one by one.
std::vector<std::string> subdataset_names(GDALDataset& dataset) {
  std::vector<std::string> names;
  char** items = dataset.GetMetadata("SUBDATASETS");
  while (const char* name = CSLFetchNameValue(items, CPLSPrintf("SUBDATASET_%zu_NAME", names.size() + 1))) {
    names.emplace_back(name);
  }
  return names;
}

std::string metadata_item(GDALMajorObject& object, const char* key, const char* domain) {
  const char* value = object.GetMetadataItem(key, domain);
  return value != nullptr ? value : "";
}

std::vector<std::string> list_members(const std::string& text) {
  return filtered(parts_of(text, "{}[](),"), [](const std::string& part) { return !part.empty(); });
}

std::string wkt_of(const OGRSpatialReference* reference) {
  // Names that GeoPackage has for no reference system begin so, as "Undefined Cartesian SRS with unknown unit".
  if (reference == nullptr || reference->GetName() == nullptr || STARTS_WITH_CI(reference->GetName(), "Undefined ")) {
    return {};
  }
  char* text = nullptr;
  const std::array<const char*, 2> options{"FORMAT=WKT2_2019", nullptr};
  const bool exported = reference->exportToWkt(&text, options.data()) == OGRERR_NONE;
  std::string wkt = exported && text != nullptr ? text : "";
  CPLFree(text);
  return wkt;
}

OGRSpatialReference spatial_reference(const std::string& wkt) {
  OGRSpatialReference reference;
  reference.importFromWkt(wkt.c_str());
  // x before y, and longitude before latitude, whatever order the authority of the system prescribes.
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return reference;
}

}  // namespace parsimap
