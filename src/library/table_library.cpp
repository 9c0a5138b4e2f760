// Tables of text: a spectrum in each line, a spectrum in each column, or a column of profiles.
#include "table_library.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <regex>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/class_table.hpp"

#include "formats.hpp"
#include "profile_library.hpp"

namespace parsimap {

// Takes "X", "b12_", "Band 12 (", "wl_" or "reflectance " off the front of a number. "b12" alone has no wavelength, and
// an empty text is returned.
static std::string without_prefix(std::string_view text) {
  static const std::regex prefix(R"(^(X(?=\d)|b\d+([ _]|$)|[Bb]and[ _]?\d+ ?\(|)"
                                 R"(([Ww]avelength|[Ww]vl|[Ww]l|WL|[Ll]ambda|[Rr]eflectance)[ _]?(?=\d)))");
  return std::regex_replace(std::string(text), prefix, "");
}

// `text` without any of these letters.
static std::string without(std::string text, std::string_view letters) {
  std::erase_if(text, [&](char letter) { return letters.find(letter) != std::string_view::npos; });
  return text;
}

static bool is_known_unit(const std::string& unit) {
  static constexpr std::array<std::string_view, 7> kUnits = {"nm",     "nanomet",   "um",       "microm",
                                                             "micron", "\xc2\xb5m", "\xce\xbcm"};
  return unit.empty() || std::ranges::any_of(kUnits, [&](auto known) { return unit.starts_with(known); });
}

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kLeastBands = 2;  // of a header; a single number may be anything

using Columns = std::vector<std::pair<std::size_t, double>>;

// The columns whose names are letters and a number, as in R450 or refl_450.5nm, where the numbers can only be
// nanometres: none of them is that of a band of a sensor, and they ascend.
static Columns columns_behind_letters(const std::vector<std::string>& header) {
  static const std::regex form(R"((?:[rbwx]|r(?:ho|fl|efl?)|band|spec|nm)[ _.]?(\d+(?:\.\d+)?)[ _]?(?:nm)?)",
                               std::regex::icase);
  constexpr double kLeast = 300;
  Columns columns;
  double last = kLeast;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (std::smatch found; header[i].size() < 20 && std::regex_match(header[i], found, form)) {
      columns.emplace_back(i, parse_number<double>(found.str(1)).value_or(0));
      if (std::exchange(last, columns.back().second) >= columns.back().second) {
        return {};
      }
    }
  }
  return columns.size() >= kLeastBands ? columns : Columns{};
}

// The columns of wavelengths, with their nanometres. Numbers that count the columns from 0 or 1, as programs call
// columns without a name, are none.
static Columns wavelength_columns(const std::vector<std::string>& header) {
  Columns columns;
  std::vector<Index> numbers;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (const auto wavelength = wavelength_of_header(header[i])) {
      columns.emplace_back(i, *wavelength);
    }
    if (const auto number = parse_number<Index>(without_prefix(trimmed(header[i])))) {
      numbers.push_back(*number);
    }
  }
  const bool zero = !numbers.empty() && numbers.front() == 0;
  const bool counted =
      numbers.size() == columns.size() + (zero ? 1 : 0) && numbers == consecutive(std::ssize(numbers), zero ? 0 : 1);
  return columns.size() < kLeastBands ? columns_behind_letters(header) : counted ? Columns{} : columns;
}

// Columns that are not features of a place, whatever numbers they hold: what it is, where, when, how large, and the
// numbers by which programs count; those of `whole` numbers also by the end of their name.
static bool is_about_the_place(const std::string& header, bool whole) {
  static constexpr std::array<std::string_view, 41> kNames = {
      "",       "system:index", "geo",       "index",       "unnamed:0", "row",     "column",   "x",      "y",
      "z",      "lon",          "lat",       "long",        "lng",       "easting", "northing", "pointx", "pointy",
      "xcoord", "ycoord",       "coordx",    "coordy",      "year",      "month",   "day",      "doy",    "date",
      "class",  "label",        "landcover", "target",      "site",      "plot",    "region",   "group",  "fold",
      "split",  "random",       "shapearea", "shapelength", "shapeleng"};
  const std::string name = without(lower_case(header), " _-.");
  return std::ranges::find(kNames, name) != kNames.end() || name.ends_with("latitude") || name.ends_with("longitude") ||
         (whole && (name.ends_with("id") || name.ends_with("code")));
}

// The columns of features without wavelengths, such as embeddings or indices: all of numbers but those about the place.
// A text among numbers of which some are not whole is a slip; among whole numbers it is a name or a code.
static std::vector<std::size_t> feature_columns(const Rows& rows) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < rows.front().size(); ++i) {
    std::size_t texts = 0;
    std::size_t numbers = 0;
    bool whole = true;
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
      if (i < row->size() && !is_missing_number((*row)[i])) {
        const auto number = parse_number<double>((*row)[i]);
        ++(number ? numbers : texts);
        whole = whole && (!number || *number == std::floor(*number));
      }
    }
    if (numbers > texts && (texts == 0 || !whole) && !is_about_the_place(rows.front()[i], whole)) {
      columns.push_back(i);
    }
  }
  return columns.size() >= kLeastBands ? columns : std::vector<std::size_t>{};
}

// The column that holds profiles, by its first entry.
static std::optional<std::size_t> profile_column(const Rows& rows) {
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    // The first spectra may lack a profile, so that the first entry that is not empty decides.
    const auto filled = std::find_if(rows.begin() + 1, rows.end(),
                                     [&](const auto& row) { return column < row.size() && !row[column].empty(); });
    if (filled != rows.end() && looks_like_profile((*filled)[column])) {
      return column;
    }
  }
  return std::nullopt;
}

// The unit of a column that is called like wavelengths, "" where it states none: "Wavelength (nm)", "Wvl", "WL_um",
// "lambda", "nm". Nothing for other columns, such as "umap" and "wave height".
static std::optional<std::string> unit_of_wavelengths(const std::string& header) {
  static constexpr std::array<std::string_view, 6> kWords = {"wavelength", "wvl", "wave", "wl", "lambda", "\xce\xbb"};
  const std::string name = without(lower_case(header), " _.()[]");
  const auto* word = std::ranges::find_if(kWords, [&](auto known) { return name.starts_with(known); });
  std::string unit = word == kWords.end() ? name : name.substr(word->size());
  const bool whole = unit.empty() || unit.ends_with('m') || unit.size() > 5;  // nm, um, microns, nanometers
  if (is_known_unit(unit) && whole && !name.empty()) {
    return unit;
  }
  return word == kWords.begin() || word == kWords.begin() + 1 ? std::optional(std::move(unit)) : std::nullopt;
}

// A field as a number; NaN for an empty one and for texts that mean there is none.
static float value_of(const std::string& field, std::size_t row, const std::string& column, const std::string& path) {
  if (is_missing_number(field)) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  const auto number = parse_number<double>(field);
  if (!number) {
    throw DataError(path + ": row " + std::to_string(row) + ", column '" + column + "': '" + field +
                    "' is not a number");
  }
  return value_of_number(*number);
}

static void require_columns(const Rows& rows, const std::string& path) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != rows.front().size()) {
      throw DataError(path + ": row " + std::to_string(i) + " below the header has " + std::to_string(rows[i].size()) +
                      " fields; the header has " + std::to_string(rows.front().size()));
    }
  }
}

// Whether a column of numbers may be that of a class or group: few whole numbers.
static bool may_be_class(const Rows& rows, std::size_t column) {
  std::set<std::string> values;
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    values.insert((*row)[column]);
  }
  return 2 * values.size() < rows.size() && std::ranges::all_of(values, [](const std::string& value) {
           return value.empty() || code_of_text(value).has_value();
         });
}

// `columns` are those of the bands, with their wavelengths. Features that may be a class stay attributes as well.
static SpectralLibrary library_of_rows(const Rows& rows, const Columns& columns, const std::string& path,
                                       bool features = false) {
  SpectralLibrary library;
  library.path = path;
  library.format = features ? "table of features in lines" : "table of spectra in lines";
  const std::vector<std::string>& header = rows.front();
  // Columns with a wavelength in their header are bands, in the order of the table; all others are attributes.
  std::vector<bool> is_band(header.size(), false);
  for (const auto& [column, wavelength] : columns) {
    is_band[column] = !features || !may_be_class(rows, column);
    library.bands.push_back(features ? Band{.name = header[column]} : Band{.wavelength = wavelength});
  }
  for (const std::vector<std::string>& row : rows) {
    std::vector<std::string>& kept = library.values.emplace_back();
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (!is_band[i]) {
        kept.push_back(row[i]);
      }
    }
  }
  library.attributes = std::move(library.values.front());
  library.values.erase(library.values.begin());
  library.spectra.resize(static_cast<Index>(rows.size()) - 1, static_cast<Index>(columns.size()));
  for (std::size_t r = 1; r < rows.size(); ++r) {
    for (std::size_t b = 0; b < columns.size(); ++b) {
      const std::size_t column = columns[b].first;
      library.spectra(static_cast<Index>(r) - 1, static_cast<Index>(b)) =
          value_of(rows[r][column], r, header[column], path);
    }
  }
  take_names(library);
  return library;
}

static SpectralLibrary library_of_features(const Rows& rows, const std::string& path) {
  const std::vector<std::size_t> features = feature_columns(rows);
  const auto misplaced = std::ranges::find_if(
      rows.front(), [](const std::string& header) { return lower_case(header).starts_with("wavelength"); });
  if (misplaced != rows.front().end()) {
    throw DataError(path + ": column '" + *misplaced + "' must be the first, with a spectrum in each column behind it");
  }
  if (features.empty()) {
    throw DataError(
        path +
        ": no column of its header is a wavelength, as '460' or '460 nm', none holds profiles, the first "
        "is not called wavelength, wl, lambda or nm, and fewer than 2 columns are numbers that may be features");
  }
  const auto columns = mapped<Columns::value_type>(features, [](std::size_t i) { return std::pair(i, 0.0); });
  SpectralLibrary library = library_of_rows(rows, columns, path, true);
  const std::vector<std::string>& header = rows.front();
  const auto name_of = [&](std::size_t column) { return "'" + header[column] + "'"; };
  constexpr std::size_t kFew = 12;
  library.notes.push_back(path + ": no header is a wavelength; the " + std::to_string(features.size()) +
                          " columns of numbers from " + name_of(features.front()) + " to " + name_of(features.back()) +
                          (features.size() > kFew ? "" : " (" + separated(features, ", ", name_of) + ")") +
                          " are features, without those about the place such as x, month or class_id");
  return library;
}

static SpectralLibrary library_of_columns(const Rows& rows, const std::string& path) {
  SpectralLibrary library;
  library.path = path;
  library.format = "table of spectra in columns";
  const std::vector<std::string>& header = rows.front();
  const std::string unit = unit_of_wavelengths(header.front()).value_or("");
  // The first column has the wavelengths, and each further column is a spectrum with its name in the header: the table
  // is transposed.
  library.names.assign(header.begin() + 1, header.end());
  library.values.resize(library.names.size());
  library.spectra.resize(static_cast<Index>(library.names.size()), static_cast<Index>(rows.size()) - 1);
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const auto wavelength = parse_number<double>(rows[r].front());
    if (!wavelength || *wavelength <= 0) {
      throw DataError(path + ": row " + std::to_string(r) + ": '" + rows[r].front() + "' must be a wavelength above 0");
    }
    library.bands.push_back({.wavelength = wavelength_nanometres(*wavelength, unit)});
    for (std::size_t i = 1; i < header.size(); ++i) {
      library.spectra(static_cast<Index>(i) - 1, static_cast<Index>(r) - 1) = value_of(rows[r][i], r, header[i], path);
    }
  }
  return library;
}

std::optional<double> wavelength_of_header(const std::string& header) {
  const std::string text = without_prefix(trimmed(header));
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto number = parse_number<double>(text.substr(0, digits));
  // What follows the number must be a unit or nothing: "460 nm" is a wavelength, "2020 harvest" is an attribute.
  const std::string unit = lower_case(without(text.substr(digits), " _[]()"));
  if (!number || *number <= 0 || !is_known_unit(unit)) {
    return std::nullopt;
  }
  return wavelength_nanometres(*number, unit);
}

// Two rows are enough to decide, and they may be long where they hold profiles: 256 KB are read.
bool is_table_library(const std::string& path) {
  constexpr std::size_t kHead = std::size_t{1} << 18U;
  Rows rows = table_rows(decoded_text(file_head(path, kHead)).text);
  if (rows.size() < 2) {
    return false;
  }
  rows.resize(2);
  return !wavelength_columns(rows.front()).empty() || profile_column(rows) ||
         (unit_of_wavelengths(rows.front().front()) && rows.front().size() > 1) || !feature_columns(rows).empty();
}

SpectralLibrary read_table_library(const std::string& path) {
  const Rows rows = table_rows(library_text(path));
  if (rows.size() < 2) {
    throw DataError(path + " has no line below its header");
  }
  require_columns(rows, path);
  if (const auto column = profile_column(rows)) {
    return library_of_profiles(path, "table of profiles", rows.front(), {rows.begin() + 1, rows.end()}, *column);
  }
  const auto columns = wavelength_columns(rows.front());
  // Without a header, the first of many wavelengths in a column would be that of a band.
  constexpr std::size_t kMany = 8;
  const auto first = mapped<std::optional<double>>(rows, [](const auto& row) { return parse_number<double>(row[0]); });
  const bool ascends = std::ranges::adjacent_find(first, [](auto a, auto b) { return a >= b; }) == first.end();
  if (ascends && columns.size() == rows.front().size() && rows.size() >= kMany) {
    throw DataError(path + ": its columns have no names; a line such as 'wavelength,oak 1' must be above them");
  }
  // Profiles are recognised by content and have precedence; then wavelengths in the header, a spectrum in each line;
  // last wavelengths in the first column, a spectrum in each of the others.
  if (!columns.empty()) {
    return library_of_rows(rows, columns, path);
  }
  if (unit_of_wavelengths(rows.front().front()) && rows.front().size() > 1) {
    return library_of_columns(rows, path);
  }
  return library_of_features(rows, path);
}

std::string library_text(const std::string& path) { return decoded_text(read_text_file(path)).text; }

std::string file_head(const std::string& path, std::size_t bytes) {
  if (!is_plain_file(path)) {
    return {};
  }
  std::string head(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(bytes));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return head;
}

std::vector<std::vector<std::string>> table_rows(std::string_view text) {
  // Instruments write so many lines of their own at most above their table, whose first column has the wavelengths.
  constexpr int kMostLines = 100;
  const auto fields_in = [](std::string_view& lines) {
    const auto rows = read_text_table(take_line(lines)).rows;
    return rows.empty() ? std::vector<std::string>{""} : rows.front().fields;
  };
  std::string_view rest = text;
  for (int line = 0; line < kMostLines && !rest.empty(); ++line) {
    const std::string_view here = rest;
    const std::vector<std::string> header = fields_in(rest);
    std::string_view below = rest;
    if (header.size() > 1 && unit_of_wavelengths(header.front()) && parse_number<double>(fields_in(below).front())) {
      text = here;
      break;
    }
  }
  return mapped<std::vector<std::string>>(read_text_table(text).rows, &TextTable::Row::fields);
}

}  // namespace parsimap
