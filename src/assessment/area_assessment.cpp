#include "parsimap/assessment/area_assessment.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

struct Population {
  CountMatrix pixels;  // strata x classes of the map
  std::int64_t unclassified = 0;
  std::int64_t outside_strata = 0;
};

// Where there is no raster of strata, the map is one.
Population count_population(ClassMapSource& map, ClassMapSource* strata) {
  const ClassTable& table = strata != nullptr ? strata->classes() : map.classes();
  const Indices class_of = index_of_codes(map.classes());
  const Indices stratum_of = index_of_codes(table);
  Population population;
  population.pixels = CountMatrix::Zero(static_cast<Index>(table.size()), static_cast<Index>(map.classes().size()));
  std::vector<std::uint16_t> codes;
  std::vector<std::uint16_t> strata_codes;
  for (const Window& window : row_windows(map.grid())) {
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
  map.check_unchanged();
  if (strata != nullptr) {
    strata->check_unchanged();
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

// `names` begins with those of the strata; `units` has the stratum of every reference pixel, as strata_of_units().
std::vector<Stratum> fill_strata(const std::vector<std::string>& names, const CountMatrix& population,
                                 const Indices& units, const LabelledPixels& reference, const Comparison& comparison) {
  const Index classes = comparison.confusion.size();
  std::vector<Stratum> strata;
  for (Index h = 0; h < population.rows(); ++h) {
    Stratum stratum{names[static_cast<std::size_t>(h)], CountVector::Zero(classes),
                    CountMatrix::Zero(classes, classes)};
    stratum.map_pixels.head(population.cols()) = population.row(h).transpose();
    strata.push_back(std::move(stratum));
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i] >= 0) {
      const Index row = comparison.match.row_of(reference.pixels[i]);
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

// The names of strata that merging has made.
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

std::string to_string(SamplingDesign design) { return design == SamplingDesign::simple ? "simple" : "stratified"; }

AreaAssessment assess_areas(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                            SamplingDesign design, ClassMapSource* strata, std::optional<double> pixel_area) {
  const Population population = count_population(map, strata);
  const Indices units = strata != nullptr ? strata_of_units(*strata, reference, comparison) : comparison.columns;
  const std::vector<std::string> names = strata != nullptr ? names_of(strata->classes()) : comparison.match.names;
  std::vector<Stratum> filled = fill_strata(names, population.pixels, units, reference, comparison);
  AreaAssessment areas;
  if (design == SamplingDesign::simple) {
    filled = merge_small_strata(std::move(filled));
    areas.merged_strata = new_names(filled, names);
  }
  areas.design = design;
  areas.strata = strata != nullptr ? std::optional(strata->name()) : std::nullopt;
  areas.estimate = estimate_areas(filled, strata != nullptr);
  areas.pixel_area = pixel_area;
  areas.unclassified_pixels = population.unclassified;
  areas.pixels_outside_strata = population.outside_strata;
  return areas;
}

AreaUnit area_unit(const AreaAssessment& areas) {
  const auto pixels = static_cast<double>(areas.estimate.pixels);
  if (!areas.pixel_area) {
    return {"pixels", pixels};
  }
  constexpr double kHectare = 1e4;
  const double area = pixels * *areas.pixel_area;
  return area < kHectare ? AreaUnit{"m2", area} : AreaUnit{"ha", area / kHectare};
}

}  // namespace parsimap
