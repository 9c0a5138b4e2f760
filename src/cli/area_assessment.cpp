#include "area_assessment.hpp"

#include <algorithm>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/georeference.hpp"

namespace parsimap {
namespace {

struct Population {
  CountMatrix pixels;  // strata x classes of the map
  std::int64_t unclassified = 0;
  std::int64_t outside_strata = 0;
};

// Strata are the classes of `strata`, or those of the map itself where there is none.
Population count_population(ClassMapSource& map, ClassMapSource* strata) {
  const Indices class_of = index_of_codes(map.classes());
  const Indices stratum_of = index_of_codes(strata != nullptr ? strata->classes() : map.classes());
  const std::size_t strata_count = strata != nullptr ? strata->classes().size() : map.classes().size();
  Population population;
  population.pixels = CountMatrix::Zero(static_cast<Index>(strata_count), static_cast<Index>(map.classes().size()));
  constexpr Index strip_pixels = Index{1} << 20;
  const RasterGrid& grid = map.grid();
  const Index rows = std::max<Index>(1, strip_pixels / grid.width);
  std::vector<std::uint16_t> codes;
  std::vector<std::uint16_t> strata_codes;
  for (Index row = 0; row < grid.height; row += rows) {
    const Window window{0, row, grid.width, std::min(rows, grid.height - row)};
    map.read(window, codes);
    if (strata != nullptr) {
      strata->read(window, strata_codes);
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const Index column = class_of[codes[i]];
      const Index stratum = strata != nullptr ? stratum_of[strata_codes[i]] : column;
      if (column < 0) {
        ++population.unclassified;
      } else if (stratum < 0) {
        ++population.outside_strata;
      } else {
        ++population.pixels(stratum, column);
      }
    }
  }
  return population;
}

// The index of the stratum of every reference pixel that the map classifies, -1 for the others.
Indices strata_of_units(ClassMapSource& strata, const LabelledPixels& reference, const Comparison& comparison) {
  const Indices stratum_of = index_of_codes(strata.classes());
  const std::vector<std::uint16_t> codes = codes_at(strata, reference.pixels);
  Indices units(codes.size(), -1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (comparison.columns[i] < 0) {
      continue;
    }
    units[i] = stratum_of[codes[i]];
    if (units[i] < 0) {
      const std::int64_t pixel = reference.pixels[i].pixel;
      const Index width = strata.grid().width;
      throw DataError(strata.name() + " has no stratum at column " + std::to_string(pixel % width) + ", row " +
                      std::to_string(pixel / width) + ", where the reference has a pixel; every unit of a stratified " +
                      "sample belongs to a stratum");
    }
  }
  return units;
}

std::vector<Stratum> strata_of(const ClassTable& table, const std::vector<std::string>& names,
                               const Population& population, const Indices& units, const LabelledPixels& reference,
                               const ClassMatch& match, const Comparison& comparison) {
  const Index classes = comparison.confusion.size();
  std::vector<Stratum> strata;
  for (std::size_t h = 0; h < table.size(); ++h) {
    Stratum stratum{names[h], CountVector::Zero(classes), CountMatrix::Zero(classes, classes)};
    stratum.map_pixels.head(population.pixels.cols()) = population.pixels.row(static_cast<Index>(h)).transpose();
    strata.push_back(stratum);
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (comparison.columns[i] >= 0) {
      const Index row = match.row[static_cast<std::size_t>(reference.pixels[i].label)];
      ++strata[static_cast<std::size_t>(units[i])].units(row, comparison.columns[i]);
    }
  }
  return strata;
}

std::vector<std::string> names_of(const ClassTable& classes) {
  std::vector<std::string> names;
  for (const ClassEntry& entry : classes) {
    names.push_back(entry.name);
  }
  return names;
}

// Names in `merged` that are none of the map's classes.
std::vector<std::string> new_names(const std::vector<Stratum>& merged, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const Stratum& stratum : merged) {
    if (std::find(names.begin(), names.end(), stratum.name) == names.end()) {
      result.push_back(stratum.name);
    }
  }
  return result;
}

}  // namespace

std::vector<OptionSyntax> area_option_syntax() {
  return {{.name = "sampling-design",
           .kind = OptionKind::text,
           .value_name = "DESIGN",
           .help = "The reference pixels are a random sample of the map, 'simple' or 'stratified': estimate areas",
           .choices = {"simple", "stratified"}},
          {.name = "strata",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Class raster of a stratified sample's strata, where they are not the map's classes"}};
}

std::optional<SamplingDesign> sampling_design(const OptionValues& values) {
  const auto name = values.text("sampling-design");
  const auto strata = values.text("strata");
  if (strata && name != "stratified") {
    throw ConfigError("--strata only goes with --sampling-design stratified");
  }
  return name ? std::optional(SamplingDesign{*name, strata}) : std::nullopt;
}

AreaRecord assess_areas(ClassMapSource& map, const LabelledPixels& reference, const ClassMatch& match,
                        const Comparison& comparison, const SamplingDesign& design) {
  std::unique_ptr<ClassMapSource> raster;
  if (design.strata) {
    raster = open_class_map(*design.strata);
    check_same_grid(raster->grid(), raster->name(), map.grid(), map.name(), "strata must lie on the map's grid");
  }
  const Population population = count_population(map, raster.get());
  const Indices units = raster ? strata_of_units(*raster, reference, comparison) : comparison.columns;
  const ClassTable& table = raster ? raster->classes() : map.classes();
  const std::vector<std::string> names = raster ? names_of(table) : match.names;
  std::vector<Stratum> strata = strata_of(table, names, population, units, reference, match, comparison);
  AreaRecord record;
  if (design.name == "simple") {
    strata = merge_small_strata(std::move(strata));
    record.merged_strata = new_names(strata, names);
  }
  record.design = design.name;
  record.strata = design.strata;
  record.estimate = estimate_areas(strata, raster != nullptr);
  record.pixel_area = pixel_area(map.grid());
  record.unclassified_pixels = population.unclassified;
  record.pixels_outside_strata = population.outside_strata;
  return record;
}

}  // namespace parsimap
