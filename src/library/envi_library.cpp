// ENVI spectral libraries: an ENVI file with a line for each spectrum and a sample for each band.
#include "envi_library.hpp"

#include <boost/endian/conversion.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/envi_header.hpp"

#include "formats.hpp"
#include "profile_library.hpp"
#include "table_library.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// The first of these names beside `path` that is a file; empty where none is.
std::string first_file(const std::vector<fs::path>& candidates) {
  const auto found = std::ranges::find_if(candidates, is_plain_file);
  return found == candidates.end() ? std::string() : found->string();
}

// The data file of a header, which has the name of the header with .sli, or without .hdr. Programs differ in whether
// the name of a header replaces the extension of the data file or follows it, so both are looked for.
std::string data_file_of(const std::string& path) {
  if (extension_of(path) != ".hdr") {
    return path;
  }
  fs::path base = path;
  base.replace_extension();
  const std::string data =
      first_file({fs::path(base).replace_extension(".sli"), fs::path(base).concat(".sli"),
                  fs::path(base).replace_extension(".SLI"), base, fs::path(base).replace_extension(".dat")});
  if (data.empty()) {
    throw DataError(path + ": there is no data file " + base.string() + ".sli beside this header");
  }
  return data;
}

std::string attribute_table_of(const std::string& data) {
  const fs::path path = data;
  return first_file({fs::path(path).replace_extension(".csv"), fs::path(path).concat(".csv")});
}

struct Layout {
  Index spectra = 0;
  Index bands = 0;
  Index offset = 0;
  Index type = 0;
  bool big_endian = false;
};

Layout layout_of(const EnviHeader& header, const std::string& path) {
  Layout layout{header.integer("lines", std::nullopt, 1), header.integer("samples", std::nullopt, 1),
                header.integer("header offset", 0, 0), header.integer("data type", std::nullopt, 1),
                header.integer("byte order", 0, 0) == 1};
  if (header.integer("bands", 1, 1) != 1) {
    throw DataError(path + ": 'bands' is '" + header.text("bands") + "'; a spectral library has one");
  }
  if (envi_type_bytes(layout.type) == 0) {
    throw DataError(path + ": data type " + std::to_string(layout.type) + " is not a type of real numbers");
  }
  return layout;
}

// The bytes of the spectra. The size of the file decides what memory is taken, never the header alone.
std::string spectra_bytes(const std::string& data, const Layout& layout) {
  std::string bytes = read_text_file(data);
  const auto size = static_cast<double>(bytes.size());
  // Products are computed in double, in which numbers of a damaged header cannot overflow. Bytes of a further spectrum
  // mean that the header states too few of them or of their bands, with which all values would be in other places.
  const double spectrum = static_cast<double>(layout.bands) * static_cast<double>(envi_type_bytes(layout.type));
  const double needed = static_cast<double>(layout.offset) + static_cast<double>(layout.spectra) * spectrum;
  if (size < needed || size >= needed + spectrum) {
    throw DataError(data + " has " + std::to_string(bytes.size()) + " bytes; by its header " +
                    std::to_string(layout.spectra) + " spectra of " + std::to_string(layout.bands) + " bands take " +
                    (size < needed ? "more" : "less"));
  }
  return bytes;
}

// Numbers become values in this order: those that the header or the USGS mark as missing are NaN, and the others are
// divided by the scale factor, as 10000 for reflectance in integers.
Spectra read_spectra(const EnviHeader& header, const std::string& path, const std::string& data) {
  const Layout layout = layout_of(header, path);
  // Spectra are stored one after the other, each with its bands in order.
  const std::string bytes = spectra_bytes(data, layout);
  Spectra spectra = envi_values(std::string_view(bytes).substr(static_cast<std::size_t>(layout.offset)), layout.type,
                                layout.big_endian, layout.spectra, layout.bands);
  if (const auto missing = parse_number<double>(header.text("data ignore value"))) {
    const auto value = static_cast<float>(*missing);
    spectra = (spectra.array() == value).select(std::numeric_limits<float>::quiet_NaN(), spectra);
  }
  // Libraries of the USGS mark deleted channels by -1.23e34, whether or not their header says so.
  constexpr float kLowest = -1.24e34F;
  constexpr float kHighest = -1.22e34F;
  const auto deleted = spectra.array() > kLowest && spectra.array() < kHighest;
  spectra = (spectra.array().isFinite() && !deleted).select(spectra, std::numeric_limits<float>::quiet_NaN());
  const std::string factor = header.text("reflectance scale factor");
  if (const auto scale = parse_number<double>(factor); scale && *scale > 0) {
    spectra /= static_cast<float>(*scale);
  } else if (!factor.empty()) {
    throw DataError(path + ": 'reflectance scale factor' is '" + factor + "'; it must be a number above 0");
  }
  return spectra;
}

// A list of the header with an entry for each of `count` bands or spectra, or none.
template <typename Entry>
std::vector<Entry> complete(std::vector<Entry> entries, const std::string& name, std::size_t count, const char* items,
                            SpectralLibrary& library) {
  if (!entries.empty() && entries.size() != count) {
    library.notes.push_back(library.path + ": the list '" + name + "' has " + std::to_string(entries.size()) +
                            " entries for " + std::to_string(count) + " " + items + " and is not used");
    entries.clear();
  }
  return entries;
}

void describe_bands(const EnviHeader& header, SpectralLibrary& library) {
  const auto d = static_cast<std::size_t>(library.spectra.cols());
  const auto numbers = [&](const char* name) { return complete(header.numbers(name), name, d, "bands", library); };
  BandLists lists{header.text("wavelength units"), numbers("wavelength"), {}, {}};
  lists.widths = numbers("fwhm");
  lists.good = numbers("bbl");
  library.bands = described_bands(d, lists);
  const auto names = complete(header.list("parsimap band names"), "parsimap band names", d, "bands", library);
  for (std::size_t b = 0; b < names.size(); ++b) {
    library.bands[b].name = names[b];
  }
}

// Names are those of the header where there is one for each spectrum, else "spectrum 1" and so on.
void name_spectra(const EnviHeader& header, SpectralLibrary& library) {
  const auto n = static_cast<std::size_t>(library.size());
  library.names = complete(header.list("spectra names"), "spectra names", n, "spectra", library);
  for (std::size_t i = library.names.size(); i < n; ++i) {
    library.names.push_back("spectrum " + std::to_string(i + 1));
  }
}

// Joins the rows of the table to the spectra: by their names where these are unique, else in their order.
void read_attributes(const std::string& table, SpectralLibrary& library) {
  const auto rows = table_rows(library_text(table));
  if (rows.empty()) {
    return;
  }
  SpectralLibrary attributes;
  attributes.path = table;
  attributes.attributes = rows.front();
  attributes.values.assign(rows.begin() + 1, rows.end());
  attributes.spectra.resize(static_cast<Index>(attributes.values.size()), 0);
  std::ranges::for_each(attributes.values, [&](auto& row) { row.resize(attributes.attributes.size()); });
  take_names(attributes);
  library.attributes = attributes.attributes;
  library.values.assign(library.names.size(), std::vector<std::string>(attributes.attributes.size()));
  // The usual case: a table that was written together with the library has its rows in the same order.
  if (attributes.names == library.names) {
    library.values = attributes.values;
    return;
  }
  // Tables may have other rows or another order than the library. The first row of a name counts, and spectra without a
  // row keep empty attributes.
  std::map<std::string, std::size_t> row_of;
  for (std::size_t i = 0; i < attributes.names.size(); ++i) {
    row_of.emplace(attributes.names[i], i);
  }
  std::size_t missing = 0;
  for (std::size_t i = 0; i < library.names.size(); ++i) {
    const auto found = row_of.find(library.names[i]);
    missing += found == row_of.end() ? 1 : 0;
    if (found != row_of.end()) {
      library.values[i] = attributes.values[found->second];
    }
  }
  if (missing > 0) {
    library.notes.push_back(table + " names " + std::to_string(library.names.size() - missing) + " of the " +
                            std::to_string(library.names.size()) + " spectra of " + library.path +
                            "; the others have no attributes");
  }
}

}  // namespace

std::string envi_header_of(const std::string& path) {
  if (extension_of(path) == ".hdr") {
    return is_plain_file(path) ? path : std::string();
  }
  const fs::path data = path;
  return first_file({fs::path(data).replace_extension(".hdr"), fs::path(data).concat(".hdr"),
                     fs::path(data).replace_extension(".HDR"), fs::path(data).concat(".HDR")});
}

bool is_envi_library_header(const std::string& path) {
  const std::string head = lower_case(file_head(path));
  return head.starts_with("envi") && head.find("envi spectral library") != std::string::npos;
}

std::vector<std::string> envi_library_files(const std::string& path) {
  const std::string data = data_file_of(path);
  std::vector<std::string> files = {data, envi_header_of(data), attribute_table_of(data)};
  std::erase(files, std::string());
  return files;
}

SpectralLibrary read_envi_library(const std::string& path) {
  const std::string data = data_file_of(path);
  const std::string header_file = envi_header_of(extension_of(path) == ".hdr" ? path : data);
  if (header_file.empty()) {
    throw DataError(path + ": there is no header (.hdr) beside it");
  }
  const EnviHeader header(header_file, library_text(header_file));
  SpectralLibrary library;
  library.path = path;
  library.format = "ENVI spectral library";
  library.spectra = read_spectra(header, header_file, data);
  describe_bands(header, library);
  name_spectra(header, library);
  library.origin = band_origin_of(header.text("parsimap scene bands"), header.text("parsimap bands"),
                                  header.text("parsimap dropped bands"), library.bands.size(), header_file);
  library.values.resize(library.names.size());
  if (const std::string table = attribute_table_of(data); !table.empty()) {
    read_attributes(table, library);
  }
  return library;
}

template <typename Number>
static Spectra values_as(std::string_view bytes, bool big_endian, Index rows, Index columns) {
  using boost::endian::endian_load;
  using boost::endian::order;
  Spectra values(rows, columns);
  const auto* number = reinterpret_cast<const unsigned char*>(bytes.data());
  for (Index i = 0; i < values.size(); ++i, number += sizeof(Number)) {
    values.data()[i] = static_cast<float>(big_endian ? endian_load<Number, sizeof(Number), order::big>(number)
                                                     : endian_load<Number, sizeof(Number), order::little>(number));
  }
  return values;
}

// The data types of ENVI: 1 byte, 2 and 12 integers of 16 bits, 3 and 13 of 32, 14 and 15 of 64, of each pair the
// second unsigned; 4 float, 5 double. 6 and 9 are complex.
Index envi_type_bytes(Index type) {
  constexpr std::array<Index, 16> kBytes = {0, 1, 2, 4, 4, 8, 0, 0, 0, 0, 0, 0, 2, 4, 8, 8};
  return type >= 0 && type < static_cast<Index>(kBytes.size()) ? kBytes[static_cast<std::size_t>(type)] : 0;
}

Spectra envi_values(std::string_view bytes, Index type, bool big_endian, Index rows, Index columns) {
  using Values = Spectra (*)(std::string_view, bool, Index, Index);
  static const std::map<Index, Values> values = {
      {1, values_as<std::uint8_t>},   {2, values_as<std::int16_t>},  {3, values_as<std::int32_t>},
      {4, values_as<float>},          {5, values_as<double>},        {12, values_as<std::uint16_t>},
      {13, values_as<std::uint32_t>}, {14, values_as<std::int64_t>}, {15, values_as<std::uint64_t>}};
  return values.at(type)(bytes, big_endian, rows, columns);
}

}  // namespace parsimap
