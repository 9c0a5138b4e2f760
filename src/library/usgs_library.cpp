// Spectra of the USGS Spectral Library Version 7 as text (Kokaly and others, 2017, USGS Data Series 1035): a title
// " splib07a Record=108: Actinolite HS116.1B  ASDFRb AREF" and a value in each line, -1.23e34 for channels that are
// deleted. Wavelengths in micrometres, and the widths of the channels, lie in files that the spectra of a spectrometer
// share: ...Wavelengths_ASD... and ...Bandpass_(FWHM)_ASDFR... in the same folder or one of the two above.
#include "usgs_library.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "formats.hpp"
#include "table_library.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

constexpr double kDeleted = -1.2e34;  // values below are marks, for -1.23e34 may be rounded
constexpr double kNanometres = 1e3;   // of a micrometre

struct Column {
  std::string title;
  std::vector<double> values;
};

// Spectra, wavelengths and widths have the same form: a title and a number in each line.
Column read_column(const std::string& path) {
  const std::string text = library_text(path);
  std::string_view rest = text;
  Column column{std::string(trimmed(take_line(rest))), {}};
  for (Index line = 2; !rest.empty(); ++line) {
    const std::string_view field = trimmed(take_line(rest));
    if (field.empty()) {
      continue;
    }
    const auto value = parse_number<double>(field);
    if (!value) {
      throw DataError(path + ": line " + std::to_string(line) + ": '" + std::string(field) + "' is not a number");
    }
    column.values.push_back(*value);
  }
  if (column.values.empty()) {
    throw DataError(path + " holds no value");
  }
  return column;
}

struct Title {
  std::string record;
  std::string name;
  std::string spectrometer;  // with a letter for its purity, as in "ASDFRb"
  std::string measurement;   // as in "AREF"
};

Title parse_title(const std::string& title) {
  // The title is "splib07a Record=108: name of several words spectrometer measurement": the last two words are not part
  // of the name.
  const std::size_t equals = title.find("Record=");
  const std::size_t colon = std::min(title.find(':', equals), title.size());
  Title parsed{title.substr(equals + 7, colon - equals - 7), "", "", ""};
  std::vector<std::string> words = parts_of(std::string_view(title).substr(std::min(colon + 1, title.size())), " \t");
  if (words.size() > 2) {
    parsed.measurement = words.back();
    parsed.spectrometer = words[words.size() - 2];
    words.resize(words.size() - 2);
  }
  parsed.name = separated(words, " ");
  return parsed;
}

// Files whose name has `mark` in it, in the folder of the spectrum and in the two above it.
// The library has a folder for each kind of material, below that with the files that spectrometers share.
std::vector<std::string> shared_files(const std::string& path, const std::string& mark) {
  std::vector<std::string> files;
  fs::path folder = fs::absolute(path).parent_path();
  // The nearest folder with such files counts, and at most two above that of the spectrum are searched.
  for (int level = 0; level < 3 && files.empty(); ++level, folder = folder.parent_path()) {
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) {
      const std::string name = entry.path().filename().string();
      if (name.find("splib07") != std::string::npos && name.find(mark) != std::string::npos) {
        files.push_back(entry.path().string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

// The word of the file's name behind `mark`, such as ASD of "splib07a_Wavelengths_ASD_0.35-2.5_microns_2151_ch.txt".
std::string spectrometer_of(const std::string& file, const std::string& mark) {
  const std::string name = fs::path(file).filename().string();
  const std::size_t begin = std::min(name.find(mark) + mark.size(), name.size());
  return name.substr(begin, name.find_first_of("_.-", begin) - begin);
}

// The file whose column goes with a spectrum of `channels` values: that of its spectrometer, or the only one of that
// length.
std::optional<Column> shared_column(const std::string& path, const std::string& mark, const Title& title,
                                    std::size_t channels) {
  std::optional<Column> fitting;
  std::size_t found = 0;
  std::size_t longest = 0;
  for (const std::string& file : shared_files(path, mark)) {
    Column column = read_column(file);
    // Only columns with as many values as the spectrum has can belong to it. Of these, the one whose spectrometer is
    // the longest beginning of that in the title is taken; without such an agreement it must be the only one.
    if (column.values.size() != channels) {
      continue;
    }
    const std::string spectrometer = spectrometer_of(file, mark);
    const std::size_t match =
        !spectrometer.empty() && title.spectrometer.starts_with(spectrometer) ? spectrometer.size() : 0;
    if (!fitting || match > longest) {
      fitting = std::move(column);
      longest = match;
    }
    ++found;
  }
  return found > 1 && longest == 0 ? std::nullopt : fitting;
}

}  // namespace

bool is_usgs_spectrum(const std::string& path) {
  const std::string head = file_head(path, 200);
  std::string_view rest = head;
  const std::string_view title = trimmed(take_line(rest));
  return title.starts_with("splib07") && title.find("Record=") != std::string_view::npos &&
         title.find(':') != std::string_view::npos && title.find("Wavelengths") == std::string_view::npos &&
         title.find("Bandpass") == std::string_view::npos;
}

std::vector<std::string> usgs_side_files(const std::string& path) {
  std::vector<std::string> files = shared_files(path, "Wavelengths");
  add_all(files, shared_files(path, "Bandpass"));
  return files;
}

SpectralLibrary read_usgs_spectrum(const std::string& path) {
  const Column column = read_column(path);
  const Title title = parse_title(column.title);
  const auto wavelengths = shared_column(path, "Wavelengths_", title, column.values.size());
  if (!wavelengths) {
    throw DataError(path + ": no file '*Wavelengths*' beside it or in the folders above has the " +
                    std::to_string(column.values.size()) + " wavelengths of its spectrometer");
  }
  std::vector<double> values = column.values;
  std::ranges::replace_if(
      values, [](double value) { return value < kDeleted; }, std::numeric_limits<double>::quiet_NaN());
  if (std::ranges::min(wavelengths->values) <= 0) {
    throw DataError(path + ": a wavelength of its spectrometer is not above 0");
  }
  // Micrometres of the library become nanometres, the unit of wavelengths throughout the program.
  const auto nanometres = mapped<double>(wavelengths->values, [](double length) { return kNanometres * length; });
  SpectralLibrary library = single_spectrum(path, "USGS splib07", values, nanometres);
  library.quantity = "reflectance";
  // A library of single spectra is named by the materials; the name of the file is an attribute.
  library.names = {title.name.empty() ? stem_of(path) : title.name};
  library.attributes = {"file", "record", "spectrometer", "measurement"};
  library.values.front().insert(library.values.front().end(), {title.record, title.spectrometer, title.measurement});
  if (const auto widths = shared_column(path, "Bandpass_(FWHM)_", title, values.size())) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (widths->values[i] > 0) {
        library.bands[i].fwhm = kNanometres * widths->values[i];
      }
    }
  }
  return library;
}

}  // namespace parsimap
