#include "parsimap/json/accuracy_document.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/json/json_text.hpp"

#include "json_document.hpp"

namespace parsimap {
namespace {

// Sums of counts below this one do not overflow.
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 40U;

std::int64_t count_of(const Json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kMostPixels) {
    throw DataError(line_text(json) + " is no number of pixels");
  }
  return json.get<std::int64_t>();
}

std::optional<std::int64_t> optional_count(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(count_of(json));
}

std::optional<Interval> interval_of(const Json& json, double factor = 1) {
  if (json.is_null()) {
    return std::nullopt;
  }
  return Interval{json.at(0).get<double>() / factor, json.at(1).get<double>() / factor};
}

std::optional<Estimate> estimate_of(const Json& json, double factor = 1) {
  if (json.is_null()) {
    return std::nullopt;
  }
  return Estimate{json.at("value").get<double>() / factor, json.at("standard_error").get<double>() / factor,
                  interval_of(json.at("interval"), factor)};
}

template <typename Value>
std::optional<Value> optional_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<Value>());
}

std::vector<std::string> names_of(const Json& classes) {
  std::vector<std::string> names;
  for (const Json& entry : classes) {
    names.push_back(entry.at("name").get<std::string>());
  }
  return names;
}

// A list of as many rows as classes, each of as many numbers.
template <typename Numbers>
Numbers matrix_of(const Json& rows, std::size_t classes) {
  for (std::size_t r = 0; r < std::max(rows.size(), classes); ++r) {
    if (rows.at(r).size() != classes) {
      throw DataError("a matrix has not as many rows and columns as there are classes");
    }
  }
  Numbers matrix(static_cast<Index>(classes), static_cast<Index>(classes));
  for (std::size_t r = 0; r < classes; ++r) {
    for (std::size_t c = 0; c < classes; ++c) {
      const Json& number = rows.at(r).at(c);
      auto& entry = matrix(static_cast<Index>(r), static_cast<Index>(c));
      if constexpr (std::is_integral_v<typename Numbers::Scalar>) {
        entry = count_of(number);
      } else {
        entry = number.get<double>();
      }
    }
  }
  return matrix;
}

AccuracyIntervals intervals_of(const Json& document) {
  const Json& all = document.at("intervals");
  AccuracyIntervals intervals{optional_count(all.at("regions")),
                              interval_of(all.at("overall_accuracy")),
                              interval_of(all.at("average_accuracy")),
                              interval_of(all.at("kappa")),
                              {}};
  for (const Json& entry : document.at("classes")) {
    const Json& own = entry.at("intervals");
    intervals.classes.push_back(
        {interval_of(own.at("producers_accuracy")), interval_of(own.at("users_accuracy")), interval_of(own.at("f1"))});
  }
  return intervals;
}

AreaEstimate area_estimate_of(const Json& json, double total, std::size_t count) {
  AreaEstimate estimate;
  estimate.pixels = count_of(json.at("pixels"));
  estimate.shares = matrix_of<Matrix>(json.at("shares"), count);
  estimate.overall_accuracy = estimate_of(json.at("overall_accuracy")).value();
  estimate.disagreement = {json.at("quantity_disagreement").get<double>(),
                           json.at("allocation_disagreement").get<double>()};
  for (std::size_t c = 0; c < count; ++c) {
    const Json& entry = json.at("classes").at(c);
    estimate.classes.push_back({entry.at("mapped_area").get<double>() / total,
                                estimate_of(entry.at("area"), total).value(),
                                estimate_of(entry.at("producers_accuracy")), estimate_of(entry.at("users_accuracy"))});
  }
  estimate.single_unit_strata = json.at("single_unit_strata").get<std::vector<std::string>>();
  return estimate;
}

AreaAssessment areas_of(const Json& json, std::size_t count) {
  const auto total = json.at("total").get<double>();
  if (!(total > 0)) {
    throw DataError("the total area is " + std::to_string(total) + "; it must be positive");
  }
  const bool simple = json.at("design").get<std::string>() == to_string(SamplingDesign::simple);
  return {simple ? SamplingDesign::simple : SamplingDesign::stratified,
          optional_of<std::string>(json.at("strata")),
          area_estimate_of(json, total, count),
          optional_of<double>(json.at("square_metres_per_pixel")),
          count_of(json.at("unclassified_pixels")),
          count_of(json.at("pixels_outside_strata")),
          json.at("merged_strata").get<std::vector<std::string>>()};
}

MapComparison comparison_of(const Json& json) {
  MapComparison comparison;
  comparison.map = json.at("map").get<std::string>();
  comparison.counts = {count_of(json.at("both_right")), count_of(json.at("first_only_right")),
                       count_of(json.at("second_only_right")), count_of(json.at("both_wrong"))};
  comparison.unclassified_pixels = count_of(json.at("unclassified_pixels"));
  const Json& test = json.at("mcnemar");
  comparison.test = {test.at("chi_square").is_null(), optional_of<double>(test.at("chi_square")).value_or(0),
                     test.at("p_value").get<double>()};
  comparison.difference = interval_of(json.at("difference_interval"));
  comparison.regions = optional_count(json.at("regions"));
  return comparison;
}

Assessment assessment_of(const Json& document) {
  const std::vector<std::string> names = names_of(document.at("classes"));
  if (names.empty()) {
    throw DataError("it has no classes");
  }
  Assessment record{document.at("map").get<std::string>(),
                    document.at("reference").get<std::string>(),
                    ConfusionMatrix(names, matrix_of<CountMatrix>(document.at("confusion"), names.size())),
                    intervals_of(document),
                    count_of(document.at("unclassified_pixels")),
                    count_of(document.at("conflicting_pixels"))};
  if (const Json& areas = document.at("areas"); !areas.is_null()) {
    record.areas = areas_of(areas, names.size());
  }
  if (const Json& comparison = document.at("comparison"); !comparison.is_null()) {
    record.comparison = comparison_of(comparison);
  }
  return record;
}

}  // namespace

Assessment read_accuracy(const std::string& path) {
  const std::string text = read_text_file(path, kLargestConfiguration);
  const std::string wanted = "; it must be a document of 'parsimap assess --json', such as accuracy.json";
  try {
    return assessment_of(parse_json(text));
  } catch (const ConfigError& error) {
    throw DataError(path + " is " + error.what() + wanted);
  } catch (const DataError& error) {
    throw DataError(path + ": " + error.what() + wanted);
  } catch (const Json::exception& error) {
    throw DataError(path + " cannot be read (" + error.what() + ")" + wanted);
  } catch (const std::bad_optional_access&) {
    throw DataError(path + " lacks an estimate" + wanted);
  }
}

}  // namespace parsimap
