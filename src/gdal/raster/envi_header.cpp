#include "parsimap/gdal/raster/envi_header.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_table.hpp"
#include "parsimap/samples/band.hpp"

namespace parsimap {

// Fields that GDAL reads, and takes for something else where they are in braces, each between commas.
static constexpr std::string_view kSingleFields =
    ",samples,lines,bands,data type,header offset,interleave,byte order,file type,file compression,data ignore value,"
    "reflectance scale factor,";

// Text without the lines that are comments, which may stand inside of lists, too.
static std::string without_comments(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!trimmed(line).starts_with(";")) {
      rest.append(line).append("\n");
    }
  }
  return rest;
}

static std::string field_name(std::string_view text) {
  std::string name = lower_case(trimmed(text));
  std::ranges::replace(name, '_', ' ');
  return name;
}

// The spellings of NaN and infinities, which no value equals but all of which are missing anyway.
static bool is_no_finite_number(const std::string& text) {
  const std::string word = lower_case(text.substr(std::min(text.find_first_not_of("+-"), text.size())));
  return word == "nan" || word == "inf" || word == "infinity" || word.starts_with("1.#");
}

[[noreturn]] static void refuse(const EnviHeader& header, const std::string& name, const std::string& rule) {
  throw DataError(header.path() + ": '" + name + "' is '" + header.text(name) + "'; " + rule);
}

EnviHeader::EnviHeader(std::string path, std::string_view content) : path_(std::move(path)) {
  if (!trimmed(take_line(content)).starts_with("ENVI")) {
    throw DataError(path_ + " does not begin with ENVI, as the header of an ENVI file does");
  }
  const std::string fields = without_comments(content);
  std::string_view text = fields;
  while (!text.empty()) {
    // `rest` begins with the current line and `text` behind it; a list in braces moves `text` behind its closing brace.
    const std::string_view rest = text;
    const std::string_view line = take_line(text);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string name = field_name(line.substr(0, equals));
    // A list in braces may go on over several lines, and ends at the next closing brace: braces do not nest.
    std::string_view value = trimmed(line.substr(equals + 1));
    if (value.starts_with("{")) {
      const std::size_t open = rest.find('{');
      const std::size_t close = rest.find('}', open);
      if (close == std::string_view::npos) {
        throw DataError(path_ + ": the list '" + name + "' has no closing brace");
      }
      value = trimmed(rest.substr(open + 1, close - open - 1));
      if (kSingleFields.find("," + name + ",") != std::string_view::npos) {
        throw DataError(path_ + ": '" + name + "' is '{" + std::string(value) +
                        "}'; a single value stands without braces");
      }
      text = rest.substr(close + 1);
    }
    const auto [entry, added] = fields_.emplace(name, std::string(value));
    if (!added && entry->second != value) {
      throw DataError(path_ + " states '" + name + "' twice, as '" + entry->second + "' and as '" + std::string(value) +
                      "'; correct the header");
    }
  }
}

std::string EnviHeader::text(const std::string& name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? std::string() : found->second;
}

Index EnviHeader::integer(const std::string& name, std::optional<Index> fallback, Index least) const {
  const std::string value = text(name);
  if (value.empty() && fallback) {
    return *fallback;
  }
  const auto number = parse_number<Index>(value);
  if (!number || *number < least) {
    throw DataError(path_ + ": '" + name + "' is '" + value + "'; it must be a whole number of at least " +
                    std::to_string(least));
  }
  return *number;
}

std::vector<std::string> EnviHeader::list(const std::string& name) const {
  std::vector<std::string> members = parts_of(text(name), ",");
  for (std::string& member : members) {
    std::ranges::replace(member, '\n', ' ');
  }
  return members;
}

std::vector<double> EnviHeader::numbers(const std::string& name) const {
  return mapped<double>(list(name), [&](const std::string& member) {
    const auto number = name == "bbl" ? band_mark(member) : parse_number<double>(member);
    if (!number) {
      throw DataError(path_ + ": '" + member + "' in the list '" + name + "' is not a number");
    }
    return *number;
  });
}

bool EnviHeader::fits(const std::string& name, Index count) const {
  const auto entries = static_cast<Index>(list(name).size());
  return entries == 0 || entries == count;
}

std::optional<double> band_mark(const std::string& text) {
  static constexpr std::array<std::array<const char*, 2>, 4> kBandMarks{
      {{"true", "false"}, {"yes", "no"}, {"good", "bad"}, {"t", "f"}}};
  const std::string word = lower_case(trimmed(text));
  for (const auto& [good, bad] : kBandMarks) {
    if (word == good || word == bad) {
      return word == good ? 1 : 0;
    }
  }
  return parse_number<double>(word);
}

void check_envi_raster(const EnviHeader& header) {
  for (const char* name : {"samples", "lines", "bands", "data type"}) {
    (void)header.integer(name, std::nullopt, 1);
  }
  (void)header.integer("header offset", 0, 0);
  if (header.integer("byte order", 0, 0) > 1) {
    refuse(header, "byte order", "it must be 0 (least significant byte first) or 1");
  }
  const std::string type = lower_case(header.text("file type"));
  // Cameras of Specim state just ENVI.
  if (!type.empty() && type != "envi" && !type.starts_with("envi standard") &&
      !type.starts_with("envi classification") && !type.starts_with("envi spectral library")) {
    refuse(header, "file type", "only ENVI Standard and ENVI Classification are plain rasters");
  }
  const std::string interleave = lower_case(header.text("interleave"));
  if (header.integer("bands", std::nullopt, 1) > 1 && !interleave.starts_with("bsq") &&
      !interleave.starts_with("bil") && !interleave.starts_with("bip")) {
    refuse(header, "interleave", "it must be bsq, bil or bip");
  }
  for (const char* name : {"major frame offsets", "minor frame offsets"}) {
    if (std::ranges::any_of(header.numbers(name), [](double offset) { return offset != 0; })) {
      refuse(header, name, "rasters with bytes between their lines cannot be read; rewrite the file without them");
    }
  }
  if (!header.text("read procedures").empty()) {
    refuse(header, "read procedures", "rasters that need procedures of IDL cannot be read");
  }
  const std::string missing = header.text("data ignore value");
  if (!missing.empty() && !parse_number<double>(missing) && !is_no_finite_number(missing)) {
    refuse(header, "data ignore value", "it must be a number; leave the field out where there is none");
  }
  const std::string factor = header.text("reflectance scale factor");
  if (const auto value = parse_number<double>(factor); !factor.empty() && (!value || !(*value > 0))) {
    refuse(header, "reflectance scale factor", "it must be a number above 0");
  }
  for (const char* name : {"data gain values", "data offset values"}) {
    (void)header.numbers(name);
  }
}

// A field that ENVI does not know, whose name seems to say something about values or wavelengths, such as
// `wavelengths`.
static bool is_misspelt(const std::string& name) {
  static const std::set<std::string> known{"wavelength", "wavelength units", "fwhm", "data ignore value",
                                           "reflectance scale factor"};
  return !known.contains(name) &&
         std::ranges::any_of(std::array{"wave", "fwhm", "ignore", "nodata", "no data", "scale factor", "bad band"},
                             [&](const char* word) { return name.find(word) != std::string::npos; });
}

std::vector<std::string> unused_envi_fields(const EnviHeader& header) {
  std::vector<std::string> sentences;
  const auto check_list = [&](const std::string& name, Index count, const std::string& things,
                              const std::string& more = "") {
    if (!header.fits(name, count)) {
      sentences.push_back("the list '" + name + "' has " + std::to_string(header.list(name).size()) + " entries for " +
                          std::to_string(count) + " " + things + " and is not used" + more);
    }
  };
  const Index bands = header.integer("bands", std::nullopt, 1);
  for (const char* name : {"wavelength", "fwhm", "band names", "data gain values", "data offset values"}) {
    check_list(name, bands, "bands");
  }
  const std::vector<std::string> marks = header.list("bbl");
  if (const auto odd = std::ranges::find_if(marks, [](const auto& mark) { return !band_mark(mark); });
      odd != marks.end()) {
    sentences.push_back("'" + *odd + "' in the list 'bbl' is no mark of a band (1 good, 0 bad) and counts as good");
  }
  const std::string unit = header.text("wavelength units");
  if (!header.list("wavelength").empty() && !knows_wavelength_unit(unit)) {
    sentences.push_back("the wavelength unit '" + unit + "' is not known: " +
                        (wavelength_nanometres(1, unit) ? "below 100 micrometres are assumed, else nanometres"
                                                        : "the wavelengths are not used"));
  }
  if (const Index classes = header.integer("classes", 0, 0); classes > 0) {
    check_list("class names", classes, "classes", "; a name with a comma counts as several");
  }
  std::set<std::string> without_effect;
  for (const auto& [name, value] : header.fields()) {
    if (!value.empty() && (name.starts_with("data reflectance ") || is_misspelt(name))) {
      without_effect.insert(name);
    }
  }
  if (!without_effect.empty()) {
    sentences.push_back("its fields " + quoted_names(without_effect) + " have no effect");
  }
  return sentences;
}

bool has_envi_class_names(const EnviHeader& header) {
  const Index classes = header.integer("classes", 0, 0);
  return classes == 0 || header.fits("class names", classes);
}

}  // namespace parsimap
