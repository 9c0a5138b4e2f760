#include "experiment_data.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kReadingBytes = std::int64_t{256} << 20U;

std::string missing_text(const DataFile& file, const std::string& data_folder) {
  std::string text = listed(file.paths, " and ");
  text = file.paths.size() > 1 ? "none of " + text + " is " : text + " is not ";
  text += data_folder.empty() ? "in the current folder, and no data folder is given (--data-dir or PARSIMAP_DATA)"
                              : "in the data folder '" + data_folder + "'";
  if (!file.origin.empty()) {
    text += "; " + file.origin.substr(0, file.origin.find_last_not_of(". ") + 1);
  }
  if (file.bytes > 0) {
    text += "; its size is " + std::to_string(file.bytes) + " bytes";
  }
  return text;
}

// The path of the first file that exists.
std::optional<std::string> existing_file(const DataFile& file, const std::string& data_folder) {
  for (const std::string& path : file.paths) {
    // A data file may be stored under one of several names; an absolute path replaces the data folder.
    const fs::path candidate = fs::path(data_folder) / path;
    std::error_code failure;
    if (fs::exists(candidate, failure)) {
      return candidate.string();
    }
  }
  return std::nullopt;
}

std::string find_file(const DataFile& file, const std::string& data_folder) {
  const std::optional<std::string> path = existing_file(file, data_folder);
  if (!path) {
    throw DataError(missing_text(file, data_folder));
  }
  return *path;
}

std::vector<const DataFile*> files_of(const DataSpec& data) {
  if (const auto* tables = std::get_if<TableData>(&data.source)) {
    return {&tables->train.features, &tables->train.labels, &tables->test.features, &tables->test.labels};
  }
  std::vector<const DataFile*> files;
  if (const auto* scene = std::get_if<SceneData>(&data.source)) {
    files = {&scene->scene, &scene->train};
    for (const NamedMap& test : scene->tests) {
      files.push_back(&test.map);
    }
  }
  return files;
}

struct TablePaths {
  std::string features;
  std::string labels;
};

TablePaths find_table(const TableFiles& files, const std::string& data_folder) {
  return {find_file(files.features, data_folder), find_file(files.labels, data_folder)};
}

struct ReadTable {
  TablePaths paths;
  Matrix features;
  std::vector<std::string> labels;
};

ReadTable read_table(const TablePaths& paths, const Warn& warn) {
  // Features and labels are separate files with one line for each sample, so that their numbers of lines must agree.
  ReadTable table{paths, read_number_table(paths.features), read_label_lines(paths.labels, warn)};
  if (table.features.rows() != static_cast<Index>(table.labels.size())) {
    throw DataError(paths.features + " has " + std::to_string(table.features.rows()) + " rows, but " + paths.labels +
                    " has " + std::to_string(table.labels.size()) + " labels; every row needs one");
  }
  return table;
}

ClassTable classes_of(const std::vector<std::string>& labels) {
  // Classes are ordered by their names, or by value where all names are numbers, which puts 2 before 10. The labels -1
  // and +1 of binary data sets are exchanged, so that the positive class is the first one.
  std::vector<std::string> names = distinct(labels);
  if (std::ranges::all_of(names, [](const std::string& name) { return parse_number<double>(name).has_value(); })) {
    std::ranges::stable_sort(
        names, [](const auto& a, const auto& b) { return *parse_number<double>(a) < *parse_number<double>(b); });
    if (names.size() == 2 && *parse_number<double>(names[0]) == -1 && *parse_number<double>(names[1]) == 1) {
      std::swap(names[0], names[1]);
    }
  }
  ClassTable classes;
  for (const std::string& name : names) {
    classes.push_back({static_cast<int>(classes.size()) + 1, name, std::nullopt});
  }
  return classes;
}

// The samples of `table` in the classes of `train`.
SampleSet samples_of(ReadTable table, const ClassTable& classes, const TablePaths& train) {
  SampleSet samples;
  samples.classes = classes;
  samples.spectra = std::move(table.features);
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const auto entry = std::ranges::find(classes, table.labels[i], &ClassEntry::name);
    if (entry == classes.end()) {
      throw DataError(table.paths.labels + ": line " + std::to_string(i + 1) + ": the class '" + table.labels[i] +
                      "' does not occur in " + train.labels);
    }
    samples.labels.push_back(static_cast<int>(entry - classes.begin()));
    // Samples of tables have no neighbourhood: there is one region for all.
    samples.places.push_back({static_cast<std::int64_t>(i)});
  }
  return samples;
}

Dataset load_tables(const TableData& data, const std::string& data_folder, const Warn& warn) {
  const TablePaths train_paths = find_table(data.train, data_folder);
  const TablePaths test_paths = find_table(data.test, data_folder);
  ReadTable train = read_table(train_paths, warn);
  ReadTable test = read_table(test_paths, warn);
  if (train.features.cols() != test.features.cols()) {
    throw DataError(test_paths.features + " has " + std::to_string(test.features.cols()) + " columns, but " +
                    train_paths.features + " has " + std::to_string(train.features.cols()));
  }
  const ClassTable classes = classes_of(train.labels);
  Dataset dataset;
  dataset.train = samples_of(std::move(train), classes, train_paths);
  dataset.tests.push_back({"test", samples_of(std::move(test), classes, train_paths)});
  return dataset;
}

// A MATLAB file may hold several arrays; the size of the training map decides which one is the scene.
std::unique_ptr<SceneSource> open_image(const std::string& path, const std::string& train_map) {
  if (!is_matlab_file(path) || is_matlab_file(train_map)) {
    return open_scene_file(path, {}).source;
  }
  const RasterGrid grid = open_class_map(train_map)->grid();
  return open_scene_file(path, {.height_and_width = std::pair(grid.height, grid.width)}).source;
}

LabelledPixels read_map(const std::string& path, const std::optional<std::string>& variable, const SceneSource& scene,
                        const Warn& warn) {
  LabelledPixels labels = read_label_input(
      {.files = {path}, .options = {.has_zero_option = false}, .variable = variable}, scene.grid(), scene.name());
  if (warn) {
    std::ranges::for_each(labels.notes, warn);
    std::ranges::for_each(labels.messages, warn);
  }
  return labels;
}

// Moves labels to the class table of the training map.
void adopt_classes(LabelledPixels& test, const std::string& test_path, const ClassTable& classes,
                   const std::string& train_path) {
  std::vector<int> label_of;
  for (const int label : pair_classes({test.classes, false, test_path}, {classes, false, train_path}).index) {
    if (label < 0) {
      const ClassEntry& own = test.classes[label_of.size()];
      throw DataError(test_path + ": the class '" + own.name + "' (code " + std::to_string(own.code) +
                      ") does not occur in " + train_path);
    }
    label_of.push_back(label);
  }
  relabel(label_of, test);
  test.classes = classes;
}

Dataset load_scene(const SceneData& data, const std::string& data_folder, const Warn& warn) {
  const std::string image_path = find_file(data.scene, data_folder);
  const std::string train_path = find_file(data.train, data_folder);
  const auto test_paths =
      mapped<std::string>(data.tests, [&](const NamedMap& test) { return find_file(test.map, data_folder); });
  const std::unique_ptr<SceneSource> scene = open_image(image_path, train_path);
  // The training map decides which bands are used (those with content) and which classes there are. Test maps are read
  // in the same bands, and their classes are matched by code.
  const Indices candidates = choose_bands(scene->bands(), {}, scene->name()).bands;
  Extraction train =
      extract_samples(*scene, read_map(train_path, data.train.variable, *scene, warn), candidates, kReadingBytes, {});
  Dataset dataset;
  dataset.wavelengths = wavelengths_of(scene->bands(), train.bands);
  dataset.train = std::move(train.samples);
  for (std::size_t i = 0; i < test_paths.size(); ++i) {
    LabelledPixels labels = read_map(test_paths[i], data.tests[i].map.variable, *scene, warn);
    adopt_classes(labels, test_paths[i], dataset.train.classes, train_path);
    Extraction test = extract_samples_of_bands(*scene, labels, train.bands, kReadingBytes, {});
    dataset.tests.push_back({data.tests[i].name, std::move(test.samples)});
  }
  return dataset;
}

}  // namespace

Dataset load_dataset(const DataSpec& data, const std::string& data_folder, const Warn& warn) {
  if (const auto* tables = std::get_if<TableData>(&data.source)) {
    return load_tables(*tables, data_folder, warn);
  }
  return load_scene(std::get<SceneData>(data.source), data_folder, warn);
}

std::vector<std::string> experiment_files(const DataSpec& data, const std::string& data_folder) {
  std::vector<std::string> paths;
  for (const DataFile* file : files_of(data)) {
    if (const std::optional<std::string> path = existing_file(*file, data_folder)) {
      paths.push_back(*path);
    }
  }
  return paths;
}

}  // namespace parsimap
