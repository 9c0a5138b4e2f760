#include "stored_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "dataset.hpp"

namespace parsimap::gdal {

namespace {

template <typename Value>
Value nodata_as(const StoredBand& band) {
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
bool needs_double(GDALDataType type) {
  return type == GDT_Int32 || type == GDT_UInt32 || type == GDT_Int64 || type == GDT_UInt64 || type == GDT_Float64;
}

bool all_of_type(const std::vector<StoredBand>& bands, GDALDataType type) {
  return std::all_of(bands.begin(), bands.end(), [type](const StoredBand& band) { return band.type == type; });
}

}  // namespace

StoredBand::StoredBand(GDALRasterBand& band, const Band& known)
    : type(band.GetRasterDataType()), scale(known.scale), offset(known.offset) {
  const std::optional<double> value = nodata_of(band);
  has_nodata = value.has_value();
  nodata = value.value_or(0);
  if (type == GDT_Float32) {
    nodata = static_cast<double>(static_cast<float>(nodata));  // as the file's writer rounded it
  } else if (type == GDT_Int64) {
    signed_nodata = band.GetNoDataValueAsInt64();
  } else if (type == GDT_UInt64) {
    unsigned_nodata = band.GetNoDataValueAsUInt64();
  }
}

GDALDataType reading_type(const std::vector<StoredBand>& bands) {
  for (const GDALDataType type : {GDT_Int64, GDT_UInt64}) {
    if (all_of_type(bands, type)) {
      return type;
    }
  }
  const bool wide = std::any_of(bands.begin(), bands.end(), [](const auto& band) { return needs_double(band.type); });
  return wide ? GDT_Float64 : GDT_Float32;
}

template <typename Value>
Cleaner<Value>::Cleaner(const std::vector<StoredBand>& bands, const Indices& chosen) {
  for (const Index index : chosen) {
    const StoredBand& band = bands[static_cast<std::size_t>(index)];
    nodata_.push_back(nodata_as<Value>(band));
    has_nodata_.push_back(band.has_nodata ? 1 : 0);
    scale_.push_back(band.scale);
    offset_.push_back(band.offset);
    scaled_ = scaled_ || band.scale != 1 || band.offset != 0;
  }
}

template <typename Value>
void Cleaner<Value>::clean(const Value* source, Index pixels, float* target) const {
  if (scaled_) {
    clean_as<true>(source, pixels, target);
  } else {
    clean_as<false>(source, pixels, target);
  }
}

template <typename Value>
template <bool Scaled>
void Cleaner<Value>::clean_as(const Value* source, Index pixels, float* target) const {
  constexpr float missing = std::numeric_limits<float>::quiet_NaN();
  for (Index pixel = 0; pixel < pixels; ++pixel) {
    for (std::size_t band = 0; band < nodata_.size(); ++band) {
      const Value stored = *source++;
      // In double: the values of a scaled integer are those of the same scene stored as float32.
      const auto value = Scaled ? static_cast<float>(static_cast<double>(stored) * scale_[band] + offset_[band])
                                : static_cast<float>(stored);
      const bool is_nodata = stored == nodata_[band] && (std::is_floating_point_v<Value> || has_nodata_[band] != 0);
      *target++ = is_nodata || !std::isfinite(value) ? missing : value;
    }
  }
}

template class Cleaner<float>;
template class Cleaner<double>;
template class Cleaner<std::int64_t>;
template class Cleaner<std::uint64_t>;

}  // namespace parsimap::gdal
