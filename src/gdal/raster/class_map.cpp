#include "parsimap/gdal/raster/class_map.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/samples/class_table.hpp"

#include "dataset.hpp"
#include "legend.hpp"
#include "stored_values.hpp"

namespace parsimap {
namespace {

// Storage of single rows is scanned this many rows at a time.
constexpr Index kFewestRows = 64;

// A palette that gives all classes one colour, such as black, is none.
bool one_colour(const Legend& legend, const std::set<int>& codes) {
  std::set<Colour> found;
  for (const int code : codes) {
    if (const auto colour = legend.colours.find(code); colour != legend.colours.end()) {
      found.insert(colour->second);
    }
  }
  return codes.size() > 1 && found.size() == 1;
}

// Names of the code 0 that say that it is no class.
bool means_unlabelled(const std::string& name) {
  static const std::set<std::string> words = {
      "unclassified", "unlabelled", "unlabeled", "unlabelled pixels", "background", "no data", "nodata", "no_data",
      "no class",     "none",       "null",      "undefined",         "unknown",    "masked",  "0"};
  return words.contains(case_folded(name));
}

class GdalClassMap final : public ClassMapSource {
 public:
  GdalClassMap(const std::string& path, bool zero_class);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const ClassTable& classes() const override { return classes_; }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes = names_.notes(name_);
    add_all(notes, notes_);
    return notes;
  }
  [[nodiscard]] std::int64_t unlabelled_zeros() const override { return zero_code_ == 0 ? zeros_ : 0; }
  [[nodiscard]] bool has_names() const override { return has_names_; }
  void read(const Window& window, std::vector<std::uint16_t>& codes) override;
  void check_unchanged() const override { stamps_.check_unchanged(); }

 private:
  [[nodiscard]] std::set<int> scan();
  void name_classes(std::set<int> codes, bool zero_class);
  [[nodiscard]] Legend legend_of(const std::set<int>& codes);
  // Makes a class of the code 0 where that is asked for or the raster says so.
  void add_zero_class(Legend& legend, std::set<int>& codes, bool asked);
  void read_strip(const Window& strip, std::uint16_t* codes);
  [[nodiscard]] std::uint16_t to_code(double value, Index column, Index row) const;

  std::string name_;
  DatasetPtr dataset_;
  FileStamps stamps_;
  GDALRasterBand* band_;
  RasterGrid grid_;
  ValidityMask mask_;
  Coverage coverage_;
  std::optional<double> nodata_;
  std::vector<double> values_;
  std::vector<float> valid_;
  ClassTable classes_;
  ClassNameReader names_;
  std::vector<std::string> notes_;  // sentences on the header, on a class of code 0, and on names that codes share
  std::int64_t zeros_ = 0;          // pixels of the code 0 that scan() has seen
  bool scanning_ = true;            // until scan() has read all
  std::uint16_t zero_code_ = 0;     // by which the code 0 goes where it is a class
  bool has_names_ = false;
};

GdalClassMap::GdalClassMap(const std::string& path, bool zero_class)
    : name_(path),
      dataset_(open_raster(path)),
      stamps_(files_of(*dataset_)),
      band_(dataset_->GetRasterBand(1)),
      grid_(grid_of(*dataset_)),
      mask_(*dataset_),
      coverage_(*dataset_, {1}),
      nodata_(nodata_of(*band_)) {
  const int bands = dataset_->GetRasterCount();
  if (bands != 1 && (bands != 2 || dataset_->GetRasterBand(2)->GetColorInterpretation() != GCI_AlphaBand)) {
    throw DataError(name_ + " carries no classes: it has " + std::to_string(bands) +
                    " bands; a class map has one, and an alpha band at most");
  }
  if (GDALDataTypeIsComplex(band_->GetRasterDataType()) != 0) {
    throw DataError(name_ + " carries no classes: its values are complex numbers");
  }
  for (GDALMajorObject* const object :
       {static_cast<GDALMajorObject*>(dataset_.get()), static_cast<GDALMajorObject*>(band_)}) {
    if (metadata_item(*object, "COMPRESSION", "IMAGE_STRUCTURE") == "JPEG" ||
        metadata_item(*object, "COMPRESSION_REVERSIBILITY", "IMAGE_STRUCTURE").starts_with("LOSSY")) {
      throw DataError(name_ +
                      " carries no classes: it is compressed with loss, which changes codes; save it without, " +
                      "such as in PNG or GeoTIFF with Deflate");
    }
  }
  // The values were rounded to single precision when they were stored, and the nodata value must be as well to equal
  // them.
  if (nodata_ && band_->GetRasterDataType() == GDT_Float32) {
    nodata_ = static_cast<float>(*nodata_);
  }
  name_classes(scan(), zero_class);
}

std::uint16_t GdalClassMap::to_code(double value, Index column, Index row) const {
  const std::optional<int> code = value == nodata_ ? 0 : code_of_number(value);
  if (!code) {
    refuse_code(value, name_ + " carries no classes: the value at column " + std::to_string(column) + ", row " +
                           std::to_string(row));
  }
  return value == 0 && value != nodata_ ? zero_code_ : static_cast<std::uint16_t>(*code);
}

void GdalClassMap::read(const Window& window, std::vector<std::uint16_t>& codes) {
  codes.assign(static_cast<std::size_t>(window.pixels()), 0);
  // Strips of whole rows: in double, values take four times the room of their codes.
  for (const Window& strip : row_strips(window)) {
    read_strip(strip, codes.data() + (strip.row - window.row) * window.width);
  }
}

// Masked pixels keep the code 0 that was there before.
void GdalClassMap::read_strip(const Window& strip, std::uint16_t* codes) {
  values_.resize(static_cast<std::size_t>(strip.pixels()));
  read_values(*band_, strip, values_.data(), GDT_Float64, name_);
  valid_.assign(values_.size(), 1);
  mask_.read(0, strip, name_, valid_);
  mask_.read(band_->GetBand(), strip, name_, valid_);
  for (Index i = 0; i < strip.pixels(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (valid_[at] != 0) {
      zeros_ += scanning_ && values_[at] == 0 && nodata_ != 0.0 ? 1 : 0;
      codes[i] = to_code(values_[at], strip.column + i % strip.width, strip.row + i / strip.width);
    }
  }
}

// The codes from 1 that occur in the map, found by reading all of it. The classes of a map are its codes, whether or
// not the legend names them, and values that are no codes are refused here, before any work is done.
std::set<int> GdalClassMap::scan() {
  int block_width = 0;
  int block_height = 0;
  band_->GetBlockSize(&block_width, &block_height);
  const Index height = std::max<Index>(block_height, kFewestRows);
  // One pass over whole storage blocks, each decoded once. What a sparse file does not hold has no codes.
  std::vector<bool> seen(kLargestCode + 1, false);
  std::vector<std::uint16_t> codes;
  for (const Window& window : tiles_of({0, 0, grid_.width, grid_.height}, block_width, height)) {
    if (coverage_.empty(window)) {
      continue;
    }
    read(window, codes);
    for (const std::uint16_t code : codes) {
      seen[code] = true;
    }
  }
  scanning_ = false;
  const Indices found = indices_where(seen.size(), [&](std::size_t code) { return code > 0 && seen[code]; });
  return {found.begin(), found.end()};
}

Legend GdalClassMap::legend_of(const std::set<int>& codes) {
  Legend legend = read_legend(*band_, names_);
  if (one_colour(legend, codes)) {
    legend.colours.clear();
  }
  // A name with a comma counts as two in a header of ENVI, and shifts all that follow.
  if (const std::optional<EnviHeader> header = header_of(*dataset_)) {
    add_all(notes_,
            mapped<std::string>(header_notes(*dataset_), [&](const auto& text) { return name_ + ": " + text; }));
    if (!has_envi_class_names(*header)) {
      legend.names.clear();
    }
  }
  return legend;
}

void GdalClassMap::add_zero_class(Legend& legend, std::set<int>& codes, bool asked) {
  const std::string name = legend.names.contains(0) ? legend.names.at(0) : "";
  const bool declared = name.empty() ? nodata_.value_or(0) != 0 : !means_unlabelled(name);
  if (zeros_ == 0 || !(asked || declared)) {
    return;
  }
  const int code = codes.empty() ? 1 : *codes.rbegin() + 1;
  if (code > kLargestCode) {
    throw DataError(name_ +
                    ": the code 0 is a class, but no code above 65535 is left for it in maps, where 0 stands for "
                    "unclassified; store it with another code");
  }
  zero_code_ = static_cast<std::uint16_t>(code);
  codes.insert(code);
  legend.names[code] = name;
  legend.colours.erase(code);
  notes_.push_back(name_ + ": the code 0" + (name.empty() ? "" : ", which is called '" + name + "',") +
                   " is a class; its code is " + std::to_string(code) +
                   " in what is made of it, where 0 stands for no class");
}

// Every code that occurs becomes a class, with the name and the colour of the legend where it has them, and with the
// code as its name otherwise. Entries of the legend for codes that do not occur are left out.
void GdalClassMap::name_classes(std::set<int> codes, bool zero_class) {
  Legend legend = legend_of(codes);
  add_zero_class(legend, codes, zero_class);
  std::map<std::string, std::vector<int>> codes_of;
  for (const int code : codes) {
    codes_of[legend.names[code]].push_back(code);
  }
  for (const auto& [name, same] : codes_of) {
    if (same.size() > 1 && !name.empty()) {
      notes_.push_back(name_ + ": the codes " + separated(same, ", ", [](int code) { return std::to_string(code); }) +
                       " are all called '" + name + "'; they stay classes of their own, whose names have their " +
                       "code behind them (--classes FILE merges classes)");
    }
  }
  for (const int code : codes) {
    ClassEntry entry{code, std::to_string(code == zero_code_ ? 0 : code), std::nullopt};
    if (const std::string& name = legend.names[code]; !name.empty()) {
      entry.name = name + (codes_of[name].size() > 1 ? " (" + entry.name + ")" : "");
      has_names_ = true;
    }
    if (const auto colour = legend.colours.find(code); colour != legend.colours.end()) {
      entry.colour = colour->second;
    }
    classes_.push_back(entry);
  }
}

}  // namespace

std::unique_ptr<ClassMapSource> open_class_map(const std::string& path, bool zero_class) {
  const ErrorCollector errors;
  std::unique_ptr<ClassMapSource> map = std::make_unique<GdalClassMap>(path, zero_class);
  errors.check_files(path + " cannot be opened:");
  return map;
}

}  // namespace parsimap
