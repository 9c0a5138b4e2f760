// Text files of field spectrometers: Spectra Vista (.sig) and Spectral Evolution (.sed). Both have lines of facts, a
// line that announces the data, and a line of columns for each channel, separated by blanks or tabs.
#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "formats.hpp"
#include "text_rows.hpp"

namespace parsimap {
namespace {

constexpr double kPercent = 0.01;

struct Channel {
  double wavelength = 0;  // nanometres
  double value = 0;
};

// The numbers of a line, of which there must be `count`.
std::vector<double> numbers_of(std::string_view line, std::size_t count, const std::string& place) {
  std::vector<double> numbers;
  std::string_view rest = trimmed(line);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    const auto number = parse_number<double>(rest.substr(0, end));
    if (!number) {
      throw DataError(place + ": '" + std::string(rest.substr(0, end)) + "' is not a number");
    }
    numbers.push_back(*number);
    rest = trimmed(rest.substr(end));
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
  std::vector<double> values;
  std::vector<double> wavelengths;
  for (const Channel& channel : kept) {
    values.push_back(channel.value);
    wavelengths.push_back(channel.wavelength);
  }
  SpectralLibrary library = single_spectrum(path, format, values, wavelengths);
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
    if (has(name, "rad") && has(name, "target")) {
      return ValueColumn{i, has(name, "irrad") ? "irradiance" : "radiance", 1};
    }
  }
  return std::nullopt;
}

}  // namespace

// Four columns below "data=": the wavelength, the radiance of the reference, that of the target, and the reflectance in
// percent.
SpectralLibrary read_svc(const std::string& path) {
  const std::string text = library_text(path);
  std::string_view rest = text;
  Index line = 1;
  while (!rest.empty()) {
    const std::string_view row = trimmed(take_line(rest));
    ++line;
    if (row.starts_with("data=") || row == "data") {
      constexpr std::size_t kColumns = 4;
      return library_of(path, "Spectra Vista", "reflectance",
                        channels_of(rest, line, kColumns, kColumns - 1, kPercent, path));
    }
  }
  throw DataError(path + " has no line 'data=', as the files of Spectra Vista have");
}

// Below "Data:" a line of the names of the columns, separated by tabs.
SpectralLibrary read_spectral_evolution(const std::string& path) {
  const std::string text = library_text(path);
  std::string_view rest = text;
  Index line = 1;
  while (!rest.empty()) {
    const std::string_view row = trimmed(take_line(rest));
    ++line;
    if (row != "Data:") {
      continue;
    }
    const auto header = table_rows(take_line(rest), '\t');
    const auto used = header.empty() ? std::nullopt : value_column(header.front());
    if (!used) {
      throw DataError(path + ": no column below 'Data:' is the reflectance or the radiance of the target");
    }
    return library_of(path, "Spectral Evolution", used->quantity,
                      channels_of(rest, line + 1, header.front().size(), used->column, used->factor, path));
  }
  throw DataError(path + " has no line 'Data:', as the files of Spectral Evolution have");
}

}  // namespace parsimap
