#include "sample_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "parsimap/accuracy/change_map.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

namespace parsimap {

std::unique_ptr<ClassMapSource> open_on_grid(const std::string& path, const ClassMapSource& map,
                                             const std::string& rule) {
  std::unique_ptr<ClassMapSource> source = open_class_map(path);
  check_same_grid(source->grid(), source->name(), map.grid(), map.name(), rule);
  return source;
}

std::unique_ptr<ClassMapSource> changes_since(const std::optional<std::string>& earlier,
                                              std::unique_ptr<ClassMapSource> map) {
  if (earlier) {
    auto before = open_on_grid(*earlier, *map, "the earlier map must lie on the grid of the later one");
    map = std::make_unique<ChangeMap>(std::move(before), std::move(map));
  }
  constexpr std::size_t kMost = 5000;  // of which matrices of all pairs can be held
  if (const std::size_t count = map->classes().size(); count > kMost) {
    throw DataError(map->name() + " has " + std::to_string(count) + " classes, and at most " + std::to_string(kMost) +
                    " can be compared; a raster of segments or measurements is no class map");
  }
  return map;
}

namespace {

constexpr const char* kMark = "parsimap sample";

bool is_plan(const std::string& text) { return text.starts_with(std::string(kMark) + ";"); }

// The rows of the file by the names of its fields.
class PointTable {
 public:
  PointTable(const std::string& path, const std::string& layer)
      : path_(path), table_(read_feature_table(path, layer)) {}

  [[nodiscard]] std::size_t size() const { return table_.rows.size(); }
  [[nodiscard]] const std::string& text(std::size_t row, const std::string& column) const {
    return table_.rows[row][position(column)];
  }
  template <typename Number>
  [[nodiscard]] Number number(std::size_t row, const std::string& column) const {
    const std::string& value = text(row, column);
    const auto parsed = parse_number<Number>(value);
    if (!parsed) {
      throw DataError(path_ + ": the point in row " + std::to_string(row + 1) + " of the table has " +
                      (value.empty() ? "nothing" : "'" + value + "'") + " in the field '" + column +
                      "'; it must have the number that was drawn");
    }
    return *parsed;
  }

 private:
  [[nodiscard]] std::size_t position(const std::string& column) const {
    const auto found = std::ranges::find_if(table_.columns, [&](const std::string& name) {
      return name == column || name == column.substr(0, 10);  // as a shapefile cuts it
    });
    if (found == table_.columns.end()) {
      throw DataError(path_ + " has no field '" + column + "'; a sample keeps all fields that 'parsimap sample' wrote");
    }
    return static_cast<std::size_t>(found - table_.columns.begin());
  }

  std::string path_;
  FeatureTable table_;
};

// The rows by the field `order`, which must be 1 to their number.
std::vector<std::size_t> rows_in_order(const PointTable& table, const std::string& path) {
  std::vector<std::size_t> rows(table.size(), table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto order = table.number<std::int64_t>(i, "order");
    if (order < 1 || order > static_cast<std::int64_t>(rows.size())) {
      throw DataError(path + " has " + std::to_string(rows.size()) + " points and one with order " +
                      std::to_string(order) + ": points were removed, and a sample keeps those without a label, too");
    }
    std::size_t& row = rows[static_cast<std::size_t>(order) - 1];
    if (row != table.size()) {
      throw DataError(path + ": order " + std::to_string(order) + " occurs twice; a point was doubled");
    }
    row = i;
  }
  return rows;
}

class SampleReader {
 public:
  SampleReader(const std::string& path, const PointTable& table, const RasterGrid& grid)
      : path_(path), table_(table), grid_(grid) {}

  void add(std::size_t row, DrawnSample& sample) {
    const std::string name = path_ + ": point " + table_.text(row, "order");
    const auto line = table_.number<std::int64_t>(row, "row");
    const auto column = table_.number<std::int64_t>(row, "column");
    if (line < 0 || column < 0 || line >= grid_.height || column >= grid_.width) {
      throw DataError(name + " lies in row " + std::to_string(line) + ", column " + std::to_string(column) +
                      ", outside of the map");
    }
    const DrawnPoint point{line * grid_.width + column, stratum_of(table_.text(row, "stratum"), sample),
                           table_.number<std::int64_t>(row, "cluster"), probability_of(row, name)};
    // Blocks are drawn independently, so that two of them may share pixels.
    const auto key = sample.design == SamplingDesign::clusters ? point.cluster : 0;
    if (!places_.insert({key, point.pixel}).second) {
      throw DataError(name + " lies in the pixel of another point; a point was doubled");
    }
    if (sample.design != SamplingDesign::clusters) {
      const auto stratum = static_cast<std::size_t>(point.stratum);
      probabilities_.resize(sample.strata.size(), point.probability);
      constexpr double kTolerance = 1e-9;
      if (std::abs(probabilities_[stratum] - point.probability) > kTolerance * point.probability) {
        throw DataError(name + " has another inclusion probability than the points before it in stratum '" +
                        sample.strata[stratum] + "'; all points of a stratum have the same");
      }
    }
    sample.points.push_back(point);
  }

 private:
  [[nodiscard]] double probability_of(std::size_t row, const std::string& name) const {
    const auto probability = table_.number<double>(row, "probability");
    if (!(probability > 0) || probability > 1) {
      throw DataError(name + " has the inclusion probability " + table_.text(row, "probability") +
                      "; it must be above 0 and at most 1");
    }
    return probability;
  }

  static Index stratum_of(const std::string& name, DrawnSample& sample) {
    const Index stratum = std::ranges::find(sample.strata, name) - sample.strata.begin();
    if (stratum == std::ssize(sample.strata)) {
      sample.strata.push_back(name);
    }
    return stratum;
  }

  std::string path_;
  const PointTable& table_;
  const RasterGrid& grid_;
  std::set<std::pair<std::int64_t, std::int64_t>> places_;
  std::vector<double> probabilities_;  // of the strata
};

// The pixels of the strata, n / pi, are whole numbers, and no more than the grid has. The cells of a systematic grid
// may reach beyond its edges.
void check_probabilities(const DrawnSample& sample, const RasterGrid& grid) {
  const std::vector<DrawnStratum> drawn = drawn_strata(sample);
  double all = 0;
  for (std::size_t h = 0; h < drawn.size(); ++h) {
    const double pixels = drawn[h].pixels;
    all += pixels;
    constexpr double kTolerance = 1e-6;
    if (std::abs(pixels - std::round(pixels)) > kTolerance * pixels ||
        (sample.design != SamplingDesign::systematic && std::round(all) > static_cast<double>(grid.pixels()))) {
      throw DataError(sample.file + ": by its inclusion probabilities stratum '" + sample.strata[h] + "' has " +
                      number_text(pixels, 10) + " pixels, and the strata up to it " + number_text(all, 10) +
                      "; these are whole numbers and at most the " + std::to_string(grid.pixels()) +
                      " of the map: probabilities were changed, or points without a label were removed");
    }
  }
}

// Labels in the order of the drawing are a sample of their own; others are chosen by whoever labelled them.
std::int64_t labelled_points(const PointTable& table, const std::vector<std::size_t>& rows, const std::string& path,
                             const std::string& class_field) {
  const auto has_label = [&](std::size_t row) {
    const std::string_view text = trimmed(table.text(row, class_field));
    return !text.empty() && text != "0";
  };
  const auto end = std::ranges::find_if_not(rows, has_label);
  const auto later = std::find_if(end, rows.end(), has_label);
  if (later != rows.end()) {
    throw DataError(path + ": point " + std::to_string(later - rows.begin() + 1) + " has a label and point " +
                    std::to_string(end - rows.begin() + 1) +
                    " before it has none; points are labelled in their order, as each beginning is a random sample");
  }
  if (end == rows.begin()) {
    throw DataError(path + " has no label in the field '" + class_field + "'; the first point has none yet");
  }
  return end - rows.begin();
}

}  // namespace

std::vector<VectorField> sample_fields() {
  return {{"order", FieldKind::integer},    {"class", FieldKind::text},      {"stratum", FieldKind::text},
          {"probability", FieldKind::real}, {"cluster", FieldKind::integer}, {"row", FieldKind::integer},
          {"column", FieldKind::integer},   {"plan", FieldKind::text}};
}

std::string plan_text(SamplingDesign design, const std::vector<Aim>& aims) {
  return std::string(kMark) + ";" + to_string(design) +
         separated(aims, "", [](const Aim& aim) { return ";" + to_string(aim); });
}

bool is_sample(const std::string& path) { return find_profile_field(path, is_plan).has_value(); }

// The table of points whose first text of a field `is_wanted` and their labels, which are taken out of it; nothing for
// other files.
static std::optional<std::pair<FeatureTable, std::vector<std::string>>> table_and_labels(
    const std::string& path, bool (*is_wanted)(const std::string&) = is_plan) {
  const auto field = find_profile_field(path, is_wanted);
  if (!field) {
    return std::nullopt;
  }
  FeatureTable table = read_feature_table(path, field->first);
  const auto label = std::ranges::find(table.columns, "class") - table.columns.begin();
  std::vector<std::string> labels;
  for (std::vector<std::string>& row : table.rows) {
    row.resize(row.size() + 1);  // there may be no field of labels
    labels.push_back(std::exchange(row[static_cast<std::size_t>(label)], {}));
  }
  return std::pair(std::move(table), std::move(labels));
}

void keep_labels(const std::string& role, const std::string& path) {
  constexpr auto has_text = [](const std::string& text) { return !trimmed(text).empty(); };
  const auto points = table_and_labels(path, has_text);
  if (const auto labels = points ? std::ranges::count_if(points->second, has_text) : 0; labels > 0) {
    throw ConfigError(role + " '" + path + "' has points of which " + std::to_string(labels) +
                      " have a label, which would be lost; name another file, or remove this one");
  }
}

bool differ_by_labels_alone(const std::string& one, const std::string& other) {
  const auto first = table_and_labels(one);
  const auto second = table_and_labels(other);
  return first && second && first->first == second->first && first->second != second->second;
}

SampleInput read_sample(const std::string& path, const LabelOptions& options, const RasterGrid& grid) {
  const auto field = find_profile_field(path, is_plan, options.layer);
  if (!field) {
    throw DataError(path + (std::filesystem::exists(path)
                                ? " is no sample of 'parsimap sample': it has no field with its plan"
                                : ": there is no such file"));
  }
  const PointTable table(path, field->first);
  // The plan stands in each row; a program may have emptied it in some.
  std::size_t planned = 0;
  while (!is_plan(table.text(planned, field->second))) {
    ++planned;
  }
  // "parsimap sample;stratified;overall:0.01": the first two parts are there, even if the second is empty.
  const std::vector<std::string> plan = parts_of(table.text(planned, field->second) + ";", ";");
  SampleInput input{{path, parse_design(plan[1]), {}, {}, {}, 0}, field->first};
  for (std::size_t i = 2; i < plan.size(); ++i) {
    input.sample.aims.push_back(parse_aim(plan[i]));
  }
  const std::vector<std::size_t> rows = rows_in_order(table, path);
  SampleReader reader(path, table, grid);
  for (const std::size_t row : rows) {
    reader.add(row, input.sample);
  }
  check_probabilities(input.sample, grid);
  input.sample.labelled = labelled_points(table, rows, path, *options.class_field);
  return input;
}

void check_places(const DrawnSample& sample, const LabelledPixels& reference, Index width) {
  std::map<std::int64_t, std::vector<std::string>> places;  // the points of each pixel
  for (std::int64_t i = 0; i < sample.labelled; ++i) {
    places[sample.points[static_cast<std::size_t>(i)].pixel].push_back(std::to_string(i + 1));
  }
  for (std::int64_t i = 0; i < sample.labelled; ++i) {
    const std::int64_t pixel = sample.points[static_cast<std::size_t>(i)].pixel;
    if (!std::ranges::binary_search(reference.pixels, pixel, {}, &LabelledPixel::pixel)) {
      if (reference.conflicting > 0 && places[pixel].size() > 1) {
        throw DataError(sample.file + ": points " + separated(places[pixel], " and ") +
                        " lie in the same pixel and have labels of different classes; a pixel has one class");
      }
      throw DataError(
          sample.file + ": point " + std::to_string(i + 1) + " does not lie in row " + std::to_string(pixel / width) +
          ", column " + std::to_string(pixel % width) +
          ", where it was drawn: it was moved, --classes leaves its class out, or the map lies on another " +
          "grid than the one that the sample was drawn from");
    }
  }
  if (places.size() != reference.pixels.size()) {
    throw DataError(sample.file + " has labels in " + std::to_string(reference.pixels.size()) + " pixels, of which " +
                    std::to_string(places.size()) + " were drawn: points were moved or added");
  }
}

}  // namespace parsimap
