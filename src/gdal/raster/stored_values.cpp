#include "stored_values.hpp"

#include <rawdataset.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "dataset.hpp"

namespace parsimap {

// The target rectangles of a VRT band's sources, as text.
// Sources in different bands are compared by their rectangles only: their files and bands differ.
static std::string layout_text(const std::vector<const CPLXMLNode*>& sources) {
  std::string text;
  for (const CPLXMLNode* source : sources) {
    text += '|';
    for (const char* key : {"DstRect.xOff", "DstRect.yOff", "DstRect.xSize", "DstRect.ySize"}) {
      text += std::string(CPLGetXMLValue(source, key, "")) + ' ';
    }
  }
  return text;
}

template <typename Value>
static Value nodata_as(const StoredBand& band) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    return band.signed_nodata;
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return band.unsigned_nodata;
  } else {
    // NaN equals nothing: a band without nodata value needs no other mark.
    return band.has_nodata ? static_cast<Value>(band.nodata) : std::numeric_limits<Value>::quiet_NaN();
  }
}

// What float32 cannot hold exactly.
static bool needs_double(GDALDataType type) {
  return type == GDT_Int32 || type == GDT_UInt32 || type == GDT_Int64 || type == GDT_UInt64 || type == GDT_Float64;
}

// A nodata value that integers cannot hold, but a scaled number of them can, was stated in the scaled unit.
static double as_stored(double nodata, GDALDataType type, double scale, double offset) {
  if (GDALDataTypeIsInteger(type) == 0 || nodata == std::round(nodata) || (scale == 1 && offset == 0)) {
    return nodata;
  }
  const double stored = (nodata - offset) / scale;
  constexpr double kRounding = 1e-3;
  return std::abs(stored - std::round(stored)) < kRounding ? std::round(stored) : nodata;
}

std::optional<double> nodata_of(GDALRasterBand& band) {
  // For integers of 64 bits GDAL has functions of their own, since double precision does not hold all of their values.
  int present = FALSE;
  const GDALDataType type = band.GetRasterDataType();
  const double value = type == GDT_Int64    ? static_cast<double>(band.GetNoDataValueAsInt64(&present))
                       : type == GDT_UInt64 ? static_cast<double>(band.GetNoDataValueAsUInt64(&present))
                                            : band.GetNoDataValue(&present);
  return present != 0 ? std::optional<double>(value) : std::nullopt;
}

// What an attribute of a variable of netCDF or Zarr says, or an entry of its list. GDAL hands them on with the band, or
// with the dataset where that was made of an array (see oriented_cube()) and obeys few of them.
static std::optional<double> attribute_number(GDALRasterBand& band, const char* name, std::size_t entry = 0) {
  GDALDataset& dataset = *band.GetDataset();
  const std::string driver = dataset.GetDriverName();
  GDALMajorObject& object = driver.empty() ? static_cast<GDALMajorObject&>(dataset) : band;
  const auto entries = list_members(driver.empty() || driver == "netCDF" ? metadata_item(object, name) : "");
  return entry < entries.size() ? parse_number<double>(entries[entry]) : std::nullopt;
}

// Parts of a window that a file does not store: blocks of a sparse file that were never written, and places of a mosaic
// without a source. Drivers that do not know answer that everything is there, which is correct but slower.
Coverage::Coverage(GDALDataset& dataset, std::vector<int> bands) : dataset_(dataset), bands_(std::move(bands)) {}

int Coverage::status(int band, const Window& window) const {
  // A mosaic may open its sources for the answer, and takes those that it cannot open for places without any.
  const ErrorCollector errors;
  const int status = dataset_.GetRasterBand(band)->GetDataCoverageStatus(
      static_cast<int>(window.column), static_cast<int>(window.row), static_cast<int>(window.width),
      static_cast<int>(window.height), 0, nullptr);
  if (errors.failed()) {
    throw IoError(std::string(dataset_.GetDescription()) + " cannot be read: " + errors.text());
  }
  return status;
}

// Whether all bands of a mosaic have their sources at the same places, by its document. A window is then empty in all
// bands if it is empty in one. A VRT answers for one band in some ten microseconds: asking hundreds of bands would
// dominate the run.
bool Coverage::same_layout() const {
  if (!same_layout_) {
    const CPLXMLTreeCloser document = mosaic_document(dataset_);
    const auto layouts = mapped<std::string>(sources_of_bands(document), layout_text);
    same_layout_ = !layouts.empty() && std::ranges::count(layouts, layouts.front()) == std::ssize(layouts);
  }
  return *same_layout_;
}

bool Coverage::empty(const Window& window) const {
  const auto is_empty = [&](int band) { return status(band, window) == GDAL_DATA_COVERAGE_STATUS_EMPTY; };
  if (!is_empty(bands_.front())) {
    return false;
  }
  return bands_.size() == 1 || same_layout() || std::all_of(bands_.begin() + 1, bands_.end(), is_empty);
}

bool Coverage::has_holes(const Window& window) const {
  // The first band answers for all: this only decides whether a window is divided further.
  return (status(bands_.front(), window) & GDAL_DATA_COVERAGE_STATUS_EMPTY) != 0;
}

ValidityMask::ValidityMask(GDALDataset& dataset) {
  for (GDALRasterBand* band : dataset.GetBands()) {
    const int flags = band->GetMaskFlags();
    // A band's nodata value hides the alpha band from GetMaskBand().
    if (band->GetColorInterpretation() == GCI_AlphaBand) {
      masks_[0].push_back(band);
    } else if ((flags & (GMF_ALL_VALID | GMF_ALPHA | GMF_NODATA | GMF_PER_DATASET)) == 0) {
      masks_[band->GetBand()].push_back(band->GetMaskBand());
    } else if (band->GetBand() == 1 && (flags & GMF_PER_DATASET) != 0 && (flags & GMF_ALPHA) == 0) {
      masks_[0].push_back(band->GetMaskBand());
    }
  }
}

void ValidityMask::read(int number, const Window& window, const std::string& path, std::vector<float>& valid) const {
  if (!present(number)) {
    return;
  }
  std::vector<float> one(valid.size());
  // A pixel is valid where every mask says so.
  // 0 in a mask or an alpha band means missing; partly transparent pixels count as valid.
  for (GDALRasterBand* band : masks_.at(number)) {
    read_values(*band, window, one.data(), GDT_Float32, "the mask of " + path);
    std::transform(valid.begin(), valid.end(), one.begin(), valid.begin(),
                   [](float before, float now) { return now == 0 ? 0 : before; });
  }
}

StoredBand::StoredBand(GDALRasterBand& band, const Band& known, std::optional<double> otherwise)
    : type(band.GetRasterDataType()), scale(known.scale), offset(known.offset) {
  const std::optional<double> own = nodata_of(band);
  std::optional<double> value = own ? own : otherwise;
  for (const char* attribute : {"_FillValue", "missing_value", "Data_Ignore_Value"}) {
    value = value && !std::isnan(*value) ? value : attribute_number(band, attribute);
  }
  has_nodata = value.has_value();
  nodata = value ? as_stored(*value, type, scale, offset) : 0;
  const auto low = attribute_number(band, "valid_min").value_or(attribute_number(band, "valid_range").value_or(least));
  const auto high =
      attribute_number(band, "valid_max").value_or(attribute_number(band, "valid_range", 1).value_or(most));
  if (low <= high) {  // the unsigned bytes of classic files have ranges such as {0,-1}
    least = low;
    most = high;
  }
  if (type == GDT_Float32) {
    // As the file's writer rounded them.
    for (double* number : {&nodata, &least, &most}) {
      *number = static_cast<double>(static_cast<float>(*number));
    }
  } else if (type == GDT_Int64) {
    signed_nodata = own ? band.GetNoDataValueAsInt64() : static_cast<std::int64_t>(nodata);
  } else if (type == GDT_UInt64) {
    unsigned_nodata = own ? band.GetNoDataValueAsUInt64() : static_cast<std::uint64_t>(nodata);
  }
}

GDALDataType reading_type(const std::vector<StoredBand>& bands) {
  // Integers of 64 bits are read as such where all bands have the same type, so that nodata values are compared
  // exactly. In scenes of different types double precision is the best common type. Single precision, which needs half
  // of the memory, is used where it holds all stored values exactly.
  for (const GDALDataType type : {GDT_Int64, GDT_UInt64}) {
    if (std::ranges::all_of(bands, [type](const StoredBand& band) { return band.type == type; })) {
      return type;
    }
  }
  const bool wide = std::ranges::any_of(bands, [](const auto& band) { return needs_double(band.type); });
  return wide ? GDT_Float64 : GDT_Float32;
}

template <typename Value>
Cleaner<Value>::Cleaner(const std::vector<StoredBand>& bands, const Indices& chosen) {
  for (const StoredBand& band : values_at(bands, chosen)) {
    nodata_.push_back(nodata_as<Value>(band));
    has_nodata_.push_back(band.has_nodata ? 1 : 0);
    scale_.push_back(band.scale);
    offset_.push_back(band.offset);
    least_.push_back(band.least);
    most_.push_back(band.most);
    const bool limited = std::isfinite(band.least) || std::isfinite(band.most);
    general_ = general_ || band.scale != 1 || band.offset != 0 || limited;
  }
}

template <typename Value>
void Cleaner<Value>::clean(const Value* source, Index pixels, float* target) const {
  if (general_) {
    clean_as<true>(source, pixels, target);
  } else {
    clean_as<false>(source, pixels, target);
  }
}

template <typename Value>
// The loop over all values that are read: the usual case without scale, offset and range is compiled separately.
template <bool General>
void Cleaner<Value>::clean_as(const Value* source, Index pixels, float* target) const {
  const auto count = std::ssize(nodata_);
  const Value* const nodata = nodata_.data();
  const std::uint8_t* const has_nodata = has_nodata_.data();
  const double* const scale = scale_.data();
  const double* const offset = offset_.data();
  const double* const least = least_.data();
  const double* const most = most_.data();
  for (Index pixel = 0; pixel < pixels; ++pixel, source += count, target += count) {
    for (Index band = 0; band < count; ++band) {
      const Value stored = source[band];
      // In double: the values of a scaled integer are those of the same scene stored as float32.
      // Value = scale * stored + offset, as GDAL defines it.
      const auto number = static_cast<double>(stored);
      const auto value = General ? static_cast<float>(number * scale[band] + offset[band]) : static_cast<float>(stored);
      const bool is_nodata = stored == nodata[band] && (std::is_floating_point_v<Value> || has_nodata[band] != 0);
      const bool is_outside = General && (number < least[band] || number > most[band]);
      target[band] = is_nodata || is_outside || !std::isfinite(value) ? kMissingValue : value;
    }
  }
}

template class Cleaner<float>;
template class Cleaner<double>;
template class Cleaner<std::int64_t>;
template class Cleaner<std::uint64_t>;

// Bytes read at once: they stay in the cache of a processor until they are converted.
static constexpr Index kBytes = Index{1} << 18;

std::optional<RawRows> RawRows::of(GDALDataset& dataset, const std::vector<int>& bands) {
  // Drivers of other raw formats may change what they read.
  const std::string driver = dataset.GetDriverName();
  if (driver != "ENVI" && driver != "EHdr") {
    return std::nullopt;
  }
  RawRows rows;
  std::vector<const RawRasterBand*> raw;
  for (const int number : bands) {
    const auto* band = dynamic_cast<RawRasterBand*>(dataset.GetRasterBand(number));
    if (band == nullptr || band->GetByteOrder() != RawRasterBand::ByteOrder::ORDER_LITTLE_ENDIAN) {
      return std::nullopt;
    }
    raw.push_back(band);
  }
  const auto by_offset = [](const auto* a, const auto* b) { return a->GetImgOffset() < b->GetImgOffset(); };
  const RawRasterBand& first = **std::ranges::min_element(raw, by_offset);
  rows.file_ = first.GetFPL();
  rows.type_ = const_cast<RawRasterBand&>(first).GetRasterDataType();
  rows.first_ = first.GetImgOffset();
  rows.pixel_ = first.GetPixelOffset();
  rows.line_ = first.GetLineOffset();
  const bool known = rows.type_ == GDT_Int16 || rows.type_ == GDT_UInt16 || rows.type_ == GDT_Float32;
  const std::ptrdiff_t row = (dataset.GetRasterXSize() - 1) * rows.pixel_ + GDALGetDataTypeSizeBytes(rows.type_);
  for (const RawRasterBand* band : raw) {
    rows.places_.push_back(static_cast<std::ptrdiff_t>(band->GetImgOffset() - rows.first_));
    if (!known || band->GetFPL() != rows.file_ || band->GetPixelOffset() != rows.pixel_ ||
        band->GetLineOffset() != rows.line_ || const_cast<RawRasterBand*>(band)->GetRasterDataType() != rows.type_ ||
        rows.pixel_ <= 0 || rows.places_.back() + row > rows.line_) {
      return std::nullopt;
    }
  }
  return std::endian::native == std::endian::little ? std::optional(std::move(rows)) : std::nullopt;
}

template <typename Stored>
void RawRows::widen(const char* pixel, Index pixels, const std::vector<std::ptrdiff_t>& places) {
  const auto count = std::ssize(places);
  const bool adjacent = pixel_ == count * std::ptrdiff_t{sizeof(Stored)} &&
                        places.back() - places.front() + std::ptrdiff_t{sizeof(Stored)} == pixel_ &&
                        std::ranges::is_sorted(places);
  float* const to = numbers_.data();
  if (adjacent) {
    pixel += places.front();
    for (Index i = 0; i < pixels * count; ++i) {
      Stored value;
      std::memcpy(&value, pixel + i * std::ptrdiff_t{sizeof value}, sizeof value);
      to[i] = static_cast<float>(value);
    }
    return;
  }
  for (Index i = 0; i < pixels; ++i, pixel += pixel_) {
    for (Index b = 0; b < count; ++b) {
      Stored value;
      std::memcpy(&value, pixel + places[static_cast<std::size_t>(b)], sizeof value);
      to[i * count + b] = static_cast<float>(value);
    }
  }
}

bool RawRows::read(const Window& window, const Indices& chosen, const std::function<void(Index, const float*)>& use) {
  const std::vector<std::ptrdiff_t> places = values_at(places_, chosen);
  const auto size = static_cast<std::ptrdiff_t>(GDALGetDataTypeSizeBytes(type_));
  // From the first number of a row of the window to the last one.
  const std::ptrdiff_t row = (window.width - 1) * pixel_ + std::ranges::max(places) + size;
  numbers_.resize(static_cast<std::size_t>(window.width) * places.size());
  const Index most = std::max<Index>(1, kBytes / line_);
  for (Index start = 0; start < window.height; start += most) {
    const Index count = std::min(most, window.height - start);
    bytes_.resize(static_cast<std::size_t>((count - 1) * line_ + row));
    const vsi_l_offset at = first_ + static_cast<vsi_l_offset>((window.row + start) * line_ + window.column * pixel_);
    if (VSIFSeekL(file_, at, SEEK_SET) != 0 || VSIFReadL(bytes_.data(), 1, bytes_.size(), file_) != bytes_.size()) {
      return false;
    }
    for (Index i = 0; i < count; ++i) {
      const char* const pixel = bytes_.data() + i * line_;
      if (type_ == GDT_Float32) {
        widen<float>(pixel, window.width, places);
      } else if (type_ == GDT_Int16) {
        widen<std::int16_t>(pixel, window.width, places);
      } else {
        widen<std::uint16_t>(pixel, window.width, places);
      }
      use(start + i, numbers_.data());
    }
  }
  return true;
}

}  // namespace parsimap
