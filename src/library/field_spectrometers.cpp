// Field spectrometers: binary files of ASD FieldSpec, versions "ASD" and as2 to as8, and text files of Spectra Vista
// (.sig) and Spectral Evolution (.sed).
//
// Layout of ASD (document 600564; all numbers little-endian): a header of 484 bytes; the spectrum; in files of later
// versions a header of the reference (a flag of two bytes, the times of reference and spectrum, a description with its
// length before it), and the reference. What follows, such as calibrations, is not needed here. In such files the
// spectrum is what the instrument counted on the target, and reflectance is its quotient with the reference; files
// without a reference hold the reflectance itself.
//
// The text files have lines of facts, a line that announces the data, and a line of columns for each channel, separated
// by blanks or tabs.
#include "field_spectrometers.hpp"

#include <boost/endian/conversion.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"

#include "formats.hpp"
#include "table_library.hpp"

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
  return boost::endian::endian_load<Number, sizeof(Number), boost::endian::order::little>(
      reinterpret_cast<const unsigned char*>(bytes.data()) + place);
}

class AsdFile {
 public:
  explicit AsdFile(const std::string& path) : path_(path), bytes_(read_text_file(path, kLargestFile)) {
    if (bytes_.size() < kHeaderBytes || (!bytes_.starts_with("ASD") && !bytes_.starts_with("as"))) {
      throw DataError(path + " is no file of an ASD spectrometer: it does not begin with the header of one");
    }
    channels_ = number_at<std::uint16_t>(bytes_, kChannels);
    format_ = static_cast<std::uint8_t>(bytes_[kDataFormat]);
    if (format_ > 2) {
      throw DataError(path + ": its data format is " + std::to_string(format_) +
                      "; it must be 0 (float), 1 (integer) or 2 (double)");
    }
    if (channels_ == 0 || bytes_.size() < kHeaderBytes + channels_ * number_bytes()) {
      throw DataError(path + " has " + std::to_string(bytes_.size()) + " bytes, too few for its " +
                      std::to_string(channels_) + " channels");
    }
  }

  [[nodiscard]] SpectralLibrary read() const {
    std::vector<double> values = values_at(kHeaderBytes);
    const std::string quantity = quantity_of();
    const std::optional<std::size_t> reference = reference_place();
    // Reflectance and transmittance are the counts on the target divided by those on the white reference, channel by
    // channel.
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
    return mapped<double>(consecutive(static_cast<Index>(channels_)), [&](Index i) {
      const std::size_t at = place + static_cast<std::size_t>(i) * number_bytes();
      return format_ == 2   ? number_at<double>(bytes_, at)
             : format_ == 1 ? static_cast<double>(number_at<std::int32_t>(bytes_, at))
                            : static_cast<double>(number_at<float>(bytes_, at));
    });
  }

  // Where the reference begins; nothing in files that hold none.
  // The header of the reference begins with a flag that is 0 where none was measured. Files that end before it are
  // those of versions that have no reference.
  [[nodiscard]] std::optional<std::size_t> reference_place() const {
    // The header of the reference lies behind the spectrum: a flag (2 bytes), two times (8 bytes each), the length of
    // the description (2 bytes at offset 18) and the description itself, behind which the reference spectrum begins.
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
    return mapped<double>(consecutive(static_cast<Index>(channels_)),
                          [&](Index i) { return first + static_cast<double>(i) * step; });
  }

  std::string path_;
  std::string bytes_;
  std::size_t channels_ = 0;
  int format_ = 0;
};

constexpr double kPercent = 0.01;

struct Channel {
  double wavelength = 0;  // nanometres
  double value = 0;
};

// The numbers of a line, of which there must be `count`.
std::vector<double> numbers_of(std::string_view line, std::size_t count, const std::string& place) {
  std::vector<double> numbers;
  for (const std::string& word : parts_of(line, " \t")) {
    const auto number = parse_number<double>(word);
    if (!number) {
      throw DataError(place + ": '" + word + "' is not a number");
    }
    numbers.push_back(*number);
  }
  if (numbers.size() != count) {
    throw DataError(place + " has " + std::to_string(numbers.size()) + " columns; it must have " +
                    std::to_string(count));
  }
  return numbers;
}

// The channels in the lines of `text`: wavelengths in the first column, values times `factor` in another.
std::vector<Channel> channels_of(std::string_view text, Index line, std::size_t columns, std::size_t value_column,
                                 double factor, const std::string& path) {
  std::vector<Channel> channels;
  while (!text.empty()) {
    const std::string_view row = take_line(text);
    const std::string place = path + ": line " + std::to_string(line++);
    if (trimmed(row).empty()) {
      continue;
    }
    const std::vector<double> numbers = numbers_of(row, columns, place);
    if (numbers.front() <= 0) {
      throw DataError(place + ": the wavelength must be above 0");
    }
    channels.push_back({numbers.front(), factor * numbers[value_column]});
  }
  if (channels.empty()) {
    throw DataError(path + " holds no channel below the line that announces the data");
  }
  return channels;
}

// Detectors overlap: the wavelengths of the next one begin below those that the one before has reached. Each detector
// is used up to the middle of its overlap with the next, so that wavelengths ascend.
std::vector<Channel> without_overlaps(const std::vector<Channel>& channels) {
  std::vector<Channel> kept;
  double from = 0;  // where the detector begins to count
  for (std::size_t first = 0; first < channels.size();) {
    // [first, last] is the longest run of ascending wavelengths, which are the channels of one detector.
    std::size_t last = first;
    while (last + 1 < channels.size() && channels[last + 1].wavelength > channels[last].wavelength) {
      ++last;
    }
    const bool ends = last + 1 == channels.size();
    const double middle = ends ? 0 : std::midpoint(channels[last].wavelength, channels[last + 1].wavelength);
    for (std::size_t i = first; i <= last; ++i) {
      const double wavelength = channels[i].wavelength;
      if (wavelength >= from && (ends || wavelength < middle) &&
          (kept.empty() || wavelength > kept.back().wavelength)) {
        kept.push_back(channels[i]);
      }
    }
    from = middle;
    first = last + 1;
  }
  return kept;
}

SpectralLibrary library_of(const std::string& path, const std::string& format, const std::string& quantity,
                           const std::vector<Channel>& channels) {
  const std::vector<Channel> kept = without_overlaps(channels);
  SpectralLibrary library =
      single_spectrum(path, format, mapped<double>(kept, &Channel::value), mapped<double>(kept, &Channel::wavelength));
  library.quantity = quantity;
  return library;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The column that is used of a .sed file, and what its values mean.
struct ValueColumn {
  std::size_t column = 0;
  std::string quantity;
  double factor = 1;
};

// Reflectance before radiance, and the target's before the reference's.
std::optional<ValueColumn> value_column(const std::vector<std::string>& names) {
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string name = lower_case(names[i]);
    if (has(name, "reflect") || has(name, "tgt./ref")) {
      return ValueColumn{i, "reflectance", has(name, "%") ? kPercent : 1};
    }
  }
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string name = lower_case(names[i]);
    // "irrad" contains "rad", so that both quantities are found here and distinguished below.
    if (has(name, "rad") && has(name, "target")) {
      return ValueColumn{i, has(name, "irrad") ? "irradiance" : "radiance", 1};
    }
  }
  return std::nullopt;
}

// What is below the line that announces the data, and the number of its first line. Nothing where no line does.
struct DataLines {
  std::string_view text;
  Index line = 1;
};
std::optional<DataLines> lines_below(std::string_view text, bool (*announces)(std::string_view line)) {
  DataLines below{text};
  while (!below.text.empty()) {
    const std::string_view line = trimmed(take_line(below.text));
    ++below.line;
    if (announces(line)) {
      return below;
    }
  }
  return std::nullopt;
}

}  // namespace

SpectralLibrary read_asd(const std::string& path) { return AsdFile(path).read(); }

// Four columns below "data=": the wavelength, the radiance of the reference, that of the target, and the reflectance in
// percent.
SpectralLibrary read_svc(const std::string& path) {
  constexpr std::size_t kColumns = 4;
  const std::string text = library_text(path);
  const auto data =
      lines_below(text, [](std::string_view line) { return line.starts_with("data=") || line == "data"; });
  if (!data) {
    throw DataError(path + " has no line 'data=', as the files of Spectra Vista have");
  }
  return library_of(path, "Spectra Vista", "reflectance",
                    channels_of(data->text, data->line, kColumns, kColumns - 1, kPercent, path));
}

// Below "Data:" a line of the names of the columns, separated by tabs.
SpectralLibrary read_spectral_evolution(const std::string& path) {
  const std::string text = library_text(path);
  auto data = lines_below(text, [](std::string_view line) { return line == "Data:"; });
  if (!data) {
    throw DataError(path + " has no line 'Data:', as the files of Spectral Evolution have");
  }
  const std::vector<std::string> header = fields_of(take_line(data->text), '\t');
  const auto used = value_column(header);
  if (!used) {
    throw DataError(path + ": no column below 'Data:' is the reflectance or the radiance of the target");
  }
  return library_of(path, "Spectral Evolution", used->quantity,
                    channels_of(data->text, data->line + 1, header.size(), used->column, used->factor, path));
}

}  // namespace parsimap
