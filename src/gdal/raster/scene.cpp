#include "parsimap/gdal/raster/scene.hpp"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/raster.hpp"

#include "adapted/signed_bytes.hpp"
#include "band_table.hpp"
#include "dataset.hpp"
#include "stored_values.hpp"

namespace parsimap {
namespace {

// Around holes, windows are halved until they are no larger than this.
constexpr Index kSmallestPart = 32;
// Values that are converted are read a few rows at a time: they take twice the room of the result.
constexpr Index kBufferValues = Index{1} << 21;

// The bands that hold values, which are all but alpha bands.
// Numbers, table and stored types have one entry for each of these bands, in the order of the file.
struct SpectralBands {
  std::vector<int> numbers;  // GDAL's, from 1
  BandTable table;
  std::vector<StoredBand> stored;
  std::string note;  // about where the table is from; may be empty
};

SpectralBands spectral_bands(GDALDataset& dataset, const std::string& path) {
  SpectralBands bands;
  BandTable all = band_table(dataset);
  bands.note = complete_from_sources(dataset, path, all);
  const std::vector<double> offsets = product_offsets(dataset, path);
  for (int number = 1; number <= dataset.GetRasterCount(); ++number) {
    GDALRasterBand* band = dataset.GetRasterBand(number);
    const GDALDataType type = band->GetRasterDataType();
    if (band->GetColorInterpretation() == GCI_AlphaBand) {
      continue;
    }
    if (GDALDataTypeIsComplex(type) != 0) {
      throw DataError(path + ": band " + std::to_string(number) + " is of type " + GDALGetDataTypeName(type) +
                      "; spectra must be real numbers");
    }
    bands.numbers.push_back(number);
    bands.table.push_back(all[static_cast<std::size_t>(number) - 1]);
    const double added = offsets[static_cast<std::size_t>(number) - 1];
    bands.table.back().offset += added * bands.table.back().scale;
    bands.stored.emplace_back(*band, bands.table.back(), added != 0 ? std::optional<double>(0) : std::nullopt);
  }
  if (bands.numbers.empty()) {
    throw DataError(path + " has no band but an alpha band; a scene needs at least one band of values");
  }
  if (std::ranges::any_of(offsets, [](double offset) { return offset != 0; })) {
    bands.note += (bands.note.empty() ? "" : "; ") + path +
                  ": 1000 is subtracted from its values, the offset of Sentinel-2; 0 is no data";
  }
  return bands;
}

class GdalScene final : public DescribedScene {
 public:
  GdalScene(const std::string& path, DatasetPtr dataset, const std::vector<std::string>& files);

  [[nodiscard]] bool known_empty(const Window& window) const override {
    return holes_are_missing_ && coverage_.empty(window);
  }
  void read(const Window& window, const Indices& bands, Spectra& values) override;
  void check_unchanged() const override { stamps_.check_unchanged(); }
  [[nodiscard]] const std::string& note() const { return spectral_.note; }
  [[nodiscard]] std::int64_t block_bytes() const;
  void describe(const BandDescription& description, const std::string& name);

 private:
  // The window asked for, its values, and the bands in GDAL's numbers.
  struct Request {
    Window window;
    Indices bands;
    std::vector<int> numbers;
    Spectra& values;
    [[nodiscard]] Index row_of(Index column, Index row) const {
      return (row - window.row) * window.width + column - window.column;
    }
  };

  void read_around_holes(const Request& request, const Window& part);
  void read_part(const Request& request, const Window& part);
  template <typename Value>
  void read_converted(const Request& request, const Window& part);
  template <typename Value>
  void raster_io(const Window& part, const std::vector<int>& numbers, Value* values, Index line);
  void apply_masks(const Request& request);

  std::string path_;
  FileStamps stamps_;
  DatasetPtr dataset_;
  SpectralBands spectral_;
  Coverage coverage_;
  ValidityMask mask_;
  GDALDataType reading_;
  std::optional<RawRows> raw_;
  bool holes_are_missing_;
  std::tuple<std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint64_t>> buffers_;
};

// Blocks that a file does not store read as the nodata value, or as 0 in a band without one. They are missing pixels
// only if every band has a nodata value. Windows are read in the widest type that the bands need: see reading_type().
GdalScene::GdalScene(const std::string& path, DatasetPtr dataset, const std::vector<std::string>& files)
    : DescribedScene(path, grid_of(*dataset), {}),
      path_(path),
      stamps_(files),
      dataset_(std::move(dataset)),
      spectral_(spectral_bands(*dataset_, path)),
      coverage_(*dataset_, spectral_.numbers),
      mask_(*dataset_),
      reading_(reading_type(spectral_.stored)),
      raw_(RawRows::of(*dataset_, spectral_.numbers)),
      holes_are_missing_(std::ranges::all_of(spectral_.stored, [](const auto& band) { return band.has_nodata; })) {
  bands_ = std::move(spectral_.table);
  int width = 0;
  int height = 0;
  dataset_->GetRasterBand(spectral_.numbers.front())->GetBlockSize(&width, &height);
  block_width_ = width;
  block_height_ = height;
}

std::int64_t GdalScene::block_bytes() const {
  const auto bytes_of = [](const StoredBand& band) { return std::int64_t{GDALGetDataTypeSizeBytes(band.type)}; };
  return raw_ ? 0 : total(spectral_.stored, bytes_of) * block_width_ * block_height_;
}

// Where the raster has a scale of its own, that of the description would scale twice: some deliveries have both.
void GdalScene::describe(const BandDescription& description, const std::string& name) {
  if (description.bands.size() != bands_.size()) {
    throw DataError(path_ + " has " + std::to_string(bands_.size()) + " bands, but " +
                    std::to_string(description.bands.size()) + " are described; is it the image that the product had?");
  }
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const Band own = std::exchange(bands_[i], description.bands[i]);
    if (own.scale != 1 || own.offset != 0) {
      bands_[i].scale = own.scale;
      bands_[i].offset = own.offset;
    } else {
      spectral_.stored[i] = {*dataset_->GetRasterBand(spectral_.numbers[i]), bands_[i], description.nodata};
    }
  }
  name_ = name;
}

// Afterwards `values` has a row for each pixel of the window, row by row, and a column for each of `bands`; values that
// are missing, masked or infinite are kMissingValue.
void GdalScene::read(const Window& window, const Indices& bands, Spectra& values) {
  values.resize(window.pixels(), static_cast<Index>(bands.size()));
  if (values.size() == 0) {
    return;
  }
  Request request{window, bands, {}, values};
  request.numbers = mapped<int>(bands, [&](Index i) { return spectral_.numbers.at(static_cast<std::size_t>(i)); });
  read_around_holes(request, window);
  // A mask or an alpha band marks missing pixels independently of their values.
  apply_masks(request);
}

// The sources of a mosaic may cover little of a window. Reading only the parts that hold something is ten times faster.
void GdalScene::read_around_holes(const Request& request, const Window& part) {
  if (!holes_are_missing_ || !coverage_.has_holes(part)) {
    read_part(request, part);
  } else if (known_empty(part)) {
    for (Index row = part.row; row < part.row + part.height; ++row) {
      request.values.middleRows(request.row_of(part.column, row), part.width).setConstant(kMissingValue);
    }
  } else if (std::max(part.width, part.height) <= kSmallestPart) {
    // Below this size, asking for the coverage of the halves costs more than reading them.
    read_part(request, part);
  } else {
    const bool wide = part.width >= part.height;
    const Index width = wide ? (part.width + 1) / 2 : part.width;
    for (const Window& half : tiles_of(part, width, wide ? part.height : (part.height + 1) / 2)) {
      read_around_holes(request, half);
    }
  }
}

void GdalScene::read_part(const Request& request, const Window& part) {
  if (reading_ == GDT_Int64) {
    return read_converted<std::int64_t>(request, part);
  }
  if (reading_ == GDT_UInt64) {
    return read_converted<std::uint64_t>(request, part);
  }
  if (reading_ == GDT_Float64) {
    return read_converted<double>(request, part);
  }
  const auto count = static_cast<Index>(request.numbers.size());
  float* first = &request.values(request.row_of(part.column, part.row), 0);
  const Cleaner<float> cleaner(spectral_.stored, request.bands);
  const auto clean = [&](Index row, const float* numbers) {
    cleaner.clean(numbers, part.width, first + row * request.window.width * count);
  };
  // What does not lie where the layout says is left to GDAL, which knows why.
  if (raw_ && raw_->read(part, request.bands, clean)) {
    return;
  }
  // Values in single precision are read straight into the result, with the rows of the part at their places in it.
  raster_io(part, request.numbers, first, request.window.width * count);
  for (Index row = 0; row < part.height; ++row) {
    float* line = first + row * request.window.width * count;
    cleaner.clean(line, part.width, line);
  }
}

template <typename Value>
void GdalScene::read_converted(const Request& request, const Window& part) {
  const auto count = static_cast<Index>(request.numbers.size());
  // Integers of 32 and 64 bits and values in double precision must be compared with their nodata value before they are
  // rounded to single precision, in which other values may equal it.
  // Wider types are read strip by strip into a buffer, and converted from there.
  const Index rows = std::clamp<Index>(kBufferValues / (part.width * count), 1, part.height);
  auto& buffer = std::get<std::vector<Value>>(buffers_);
  buffer.resize(static_cast<std::size_t>(rows * part.width * count));
  const Cleaner<Value> cleaner(spectral_.stored, request.bands);
  for (const Window& strip : tiles_of(part, part.width, rows)) {
    raster_io(strip, request.numbers, buffer.data(), part.width * count);
    for (Index i = 0; i < strip.height; ++i) {
      cleaner.clean(&buffer[static_cast<std::size_t>(i * part.width * count)], part.width,
                    &request.values(request.row_of(strip.column, strip.row + i), 0));
    }
  }
}

// Reads all bands by one call, interleaved by pixel; `line` is the number of values from one row to the next.
template <typename Value>
void GdalScene::raster_io(const Window& part, const std::vector<int>& numbers, Value* values, Index line) {
  const ErrorCollector errors;
  const auto width = static_cast<int>(part.width);
  const auto height = static_cast<int>(part.height);
  const auto count = static_cast<int>(numbers.size());
  constexpr GSpacing kSize = sizeof(Value);
  // GDAL takes a non-const list but does not change it.
  if (dataset_->RasterIO(GF_Read, static_cast<int>(part.column), static_cast<int>(part.row), width, height, values,
                         width, height, reading_, count, const_cast<int*>(numbers.data()), kSize * count, kSize * line,
                         kSize, nullptr) != CE_None ||
      errors.file_failed()) {
    throw IoError(path_ + " cannot be read at column " + std::to_string(part.column) + ", row " +
                  std::to_string(part.row) + ": " + errors.text());
  }
}

void GdalScene::apply_masks(const Request& request) {
  const auto apply = [&](int number, Index first, Index count) {
    if (!mask_.present(number)) {
      return;
    }
    std::vector<float> valid(static_cast<std::size_t>(request.window.pixels()), 1);
    mask_.read(number, request.window, path_, valid);
    for (std::size_t pixel = 0; pixel < valid.size(); ++pixel) {
      if (valid[pixel] == 0) {
        request.values.row(static_cast<Index>(pixel)).segment(first, count).setConstant(kMissingValue);
      }
    }
  };
  const auto bands = static_cast<Index>(request.numbers.size());
  apply(0, 0, bands);
  for (Index i = 0; i < bands; ++i) {
    apply(request.numbers[static_cast<std::size_t>(i)], i, 1);
  }
}

// The nodata value of the scene, or the fact that its bands have different ones.
void describe_nodata(GDALDataset& dataset, SceneDescription& description) {
  std::set<std::string> different;
  for (GDALRasterBand* band : dataset.GetBands()) {
    if (band->GetColorInterpretation() != GCI_AlphaBand) {
      description.nodata = nodata_of(*band);
      different.insert(description.nodata ? CPLSPrintf("%.17g", *description.nodata) : "none");
    }
  }
  description.nodata_differs = different.size() > 1;
  description.nodata = description.nodata_differs ? std::nullopt : description.nodata;
}

SceneDescription describe(GDALDataset& dataset) {
  SceneDescription description;
  description.driver = dataset.GetDriverName();
  if (description.driver.empty()) {  // see oriented_cube(): the dataset is that of an array, called by its file
    const auto driver = GDALDriver::FromHandle(GDALIdentifyDriver(dataset.GetDescription(), nullptr));
    description.driver = driver == nullptr ? "" : driver->GetDescription();
  }
  GDALRasterBand* const first = dataset.GetRasterBand(1);
  description.data_type = has_signed_bytes(*first) ? "Int8" : GDALGetDataTypeName(first->GetRasterDataType());
  description.files = files_of(dataset);
  for (const std::string& file : description.files) {
    // What lies in memory has no size that means anything: it may only say where an array is.
    VSIStatBufL status;
    if (!file.starts_with("/vsimem/") && VSIStatL(file.c_str(), &status) == 0) {
      description.bytes += static_cast<std::int64_t>(status.st_size);
    }
  }
  describe_nodata(dataset, description);
  // A list of bad bands of another length cannot be assigned to bands. It is ignored, and reported by the caller.
  const std::size_t entries = bad_band_entries(dataset);
  if (entries > 0 && static_cast<int>(entries) != dataset.GetRasterCount()) {
    description.misfit_bad_band_entries = static_cast<Index>(entries);
  }
  return description;
}

// A mosaic names its sources, but neither their headers nor the sources of mosaics among them.
void append_files(const std::string& path, std::vector<std::string>& files) {
  const ErrorCollector errors;
  const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_VECTOR, nullptr, kOpenOptions));
  const std::vector<std::string> parts = dataset == nullptr ? std::vector<std::string>() : files_of(*dataset);
  // A read that failed may have hidden a part, or all of them.
  errors.check_files("the files that " + path + " consists of cannot be listed:");
  for (const std::string& file : parts) {
    const bool is_new = std::ranges::find(files, file) == files.end();
    add_new(files, file);
    // Side files by the names that GDAL and ENVI give them.
    for (const std::string& side :
         {std::string(CPLResetExtension(file.c_str(), "hdr")), file + ".hdr",
          std::string(CPLResetExtension(file.c_str(), "aux.xml")), file + ".aux.xml", file + ".ovr", file + ".msk"}) {
      if (exists(side)) {
        add_new(files, side);
      }
    }
    if (is_new && file != path && EQUAL(CPLGetExtension(file.c_str()), "vrt")) {
      append_files(file, files);
    }
  }
}

}  // namespace

std::unique_ptr<SceneSource> scene_of(const std::string& path, DatasetPtr dataset,
                                      const std::vector<std::string>& files) {
  return std::make_unique<GdalScene>(path, std::move(dataset), files);
}

static OpenScene open_scene(const std::string& path, const BandDescription* known, const std::string& name) {
  const ErrorCollector errors;
  DatasetPtr dataset = open_raster(path);
  OpenScene scene;
  scene.description = describe(*dataset);
  std::vector<std::string> notes = header_notes(*dataset);
  auto source = std::make_unique<GdalScene>(path, std::move(dataset), scene.description.files);
  // Micrometres that are called nanometres, or the reverse.
  const std::vector<double> lengths = known_values(source->bands(), &Band::wavelength);
  if (!lengths.empty() && (std::ranges::max(lengths) < 100 || std::ranges::min(lengths) > 1e5)) {
    notes.emplace_back(CPLSPrintf("its wavelengths, %.6g to %.6g nm, are not those of light; correct their unit",
                                  std::ranges::min(lengths), std::ranges::max(lengths)));
  }
  if (std::ranges::any_of(source->bands(), [](const Band& band) { return EQUAL(band.name.c_str(), "alpha"); })) {
    notes.emplace_back("its band 'alpha' counts as values; gdal_edit.py -colorinterp_N alpha makes it a mask");
  }
  scene.description.note = source->note();
  scene.description.block_bytes = source->block_bytes();
  for (const std::string& sentence : notes) {
    scene.description.note += (scene.description.note.empty() ? path + ": " : "; ") + sentence;
  }
  if (known != nullptr) {
    // The image itself has precedence over its description for the number that stands for missing values.
    const bool declared = scene.description.nodata || scene.description.nodata_differs;
    scene.description.nodata = declared ? scene.description.nodata : known->nodata;
    source->describe({known->bands, declared ? std::nullopt : known->nodata}, name);
  }
  scene.source = std::move(source);
  // The error collector has been active since the scene was opened, and knows of files that could not be read.
  // Such as a side file with the nodata values, which GDAL does without.
  errors.check_files(path + " cannot be opened:");
  return scene;
}

OpenScene open_scene(const std::string& path) { return open_scene(path, nullptr, path); }

OpenScene open_scene(const std::string& path, const BandDescription& description, const std::string& name) {
  return open_scene(path, &description, name);
}

std::vector<std::string> dataset_files(const std::string& path) {
  initialise_gdal();
  std::vector<std::string> files;
  append_files(resolve_envi_header(path), files);
  return files;
}

}  // namespace parsimap
