// Binary files of ASD FieldSpec spectrometers, versions "ASD" and as2 to as8.
//
// Layout (ASD document 600564; all numbers little-endian): a header of 484 bytes; the spectrum; in files of later
// versions a header of the reference (a flag of two bytes, the times of reference and spectrum, a description with its
// length before it), and the reference. What follows, such as calibrations, is not needed here. In such files the
// spectrum is what the instrument counted on the target, and reflectance is its quotient with the reference; files
// without a reference hold the reflectance itself.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"

#include "formats.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kHeaderBytes = 484;
constexpr std::size_t kDataType = 186;
constexpr std::size_t kFirstWavelength = 191;
constexpr std::size_t kWavelengthStep = 195;
constexpr std::size_t kDataFormat = 199;
constexpr std::size_t kChannels = 204;
constexpr std::size_t kReferenceDescription = 18;  // the length of the description
constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20U;

// The quantities of the byte at kDataType.
constexpr std::array<const char*, 9> kQuantities = {"digital numbers", "reflectance", "radiance",
                                                    "unknown",         "irradiance",  "quality index",
                                                    "transmittance",   "unknown",     "absorbance"};

// A number of the file at `place`, which lies inside of it.
template <typename Number>
Number number_at(const std::string& bytes, std::size_t place) {
  std::array<char, sizeof(Number)> raw{};
  std::memcpy(raw.data(), bytes.data() + place, sizeof(Number));
  if constexpr (std::endian::native == std::endian::big) {
    std::reverse(raw.begin(), raw.end());
  }
  return std::bit_cast<Number>(raw);
}

class AsdFile {
 public:
  explicit AsdFile(const std::string& path) : path_(path), bytes_(read_text_file(path, kLargestFile)) {
    if (bytes_.size() < kHeaderBytes || (!bytes_.starts_with("ASD") && !bytes_.starts_with("as"))) {
      throw DataError(path + " is no file of an ASD spectrometer: it does not begin with the header of one");
    }
    channels_ = number_at<std::uint16_t>(bytes_, kChannels);
    const auto format = static_cast<std::uint8_t>(bytes_[kDataFormat]);
    if (format > 2) {
      throw DataError(path + ": its data format is " + std::to_string(format) +
                      "; it must be 0 (float), 1 (integer) or 2 (double)");
    }
    format_ = format;
    if (channels_ == 0 || bytes_.size() < kHeaderBytes + channels_ * number_bytes()) {
      throw DataError(path + " has " + std::to_string(bytes_.size()) + " bytes, too few for its " +
                      std::to_string(channels_) + " channels");
    }
  }

  [[nodiscard]] SpectralLibrary read() const {
    std::vector<double> values = values_at(kHeaderBytes);
    const std::string quantity = quantity_of();
    const std::optional<std::size_t> reference = reference_place();
    const bool quotient = quantity == "reflectance" || quantity == "transmittance";
    if (reference && quotient) {
      const std::vector<double> white = values_at(*reference);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = white[i] != 0 ? values[i] / white[i] : std::numeric_limits<double>::quiet_NaN();
      }
    }
    SpectralLibrary library = single_spectrum(path_, "ASD FieldSpec", values, wavelengths());
    library.quantity = quantity;
    if (reference && !quotient && quantity != "digital numbers") {
      library.quantity = "digital numbers";
      library.notes.push_back(path_ + " holds what the instrument counted; its " + quantity +
                              " needs a calibration, which is not applied");
    }
    return library;
  }

 private:
  [[nodiscard]] std::size_t number_bytes() const { return format_ == 2 ? 8 : 4; }

  [[nodiscard]] std::string quantity_of() const {
    const auto type = static_cast<std::uint8_t>(bytes_[kDataType]);
    return type < kQuantities.size() ? kQuantities[type] : "unknown";
  }

  [[nodiscard]] std::vector<double> values_at(std::size_t place) const {
    std::vector<double> values;
    values.reserve(channels_);
    for (std::size_t i = 0; i < channels_; ++i) {
      const std::size_t at = place + i * number_bytes();
      values.push_back(format_ == 2   ? number_at<double>(bytes_, at)
                       : format_ == 1 ? static_cast<double>(number_at<std::int32_t>(bytes_, at))
                                      : static_cast<double>(number_at<float>(bytes_, at)));
    }
    return values;
  }

  // Where the reference begins; nothing in files that hold none.
  [[nodiscard]] std::optional<std::size_t> reference_place() const {
    const std::size_t header = kHeaderBytes + channels_ * number_bytes();
    if (bytes_.size() < header + kReferenceDescription + 2 || number_at<std::uint16_t>(bytes_, header) == 0) {
      return std::nullopt;
    }
    const std::size_t description = number_at<std::uint16_t>(bytes_, header + kReferenceDescription);
    const std::size_t place = header + kReferenceDescription + 2 + description;
    if (bytes_.size() < place + channels_ * number_bytes()) {
      throw DataError(path_ + " has " + std::to_string(bytes_.size()) +
                      " bytes, too few for the spectrum of the reference that it announces");
    }
    return place;
  }

  [[nodiscard]] std::vector<double> wavelengths() const {
    const auto first = static_cast<double>(number_at<float>(bytes_, kFirstWavelength));
    const auto step = static_cast<double>(number_at<float>(bytes_, kWavelengthStep));
    constexpr double kLongest = 1e6;  // nanometres
    if (!(first > 0 && first < kLongest && step > 0 && step < kLongest)) {
      throw DataError(path_ + ": its wavelengths begin at " + std::to_string(first) + " nm in steps of " +
                      std::to_string(step) + " nm; both must be above 0");
    }
    std::vector<double> wavelengths;
    for (std::size_t i = 0; i < channels_; ++i) {
      wavelengths.push_back(first + static_cast<double>(i) * step);
    }
    return wavelengths;
  }

  std::string path_;
  std::string bytes_;
  std::size_t channels_ = 0;
  int format_ = 0;
};

}  // namespace

SpectralLibrary read_asd(const std::string& path) { return AsdFile(path).read(); }

}  // namespace parsimap
