#include "shared_options.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/io/gdal/settings.hpp"
#include "parsimap/io/json/colour_file.hpp"

namespace parsimap {
namespace {

// The code in EPSG:n.
int parse_epsg(const std::string& text) {
  const std::string prefix = "EPSG:";
  const bool known = text.starts_with(prefix) || text.starts_with("epsg:");
  const std::optional<int> code = known ? parse_number<int>(text.substr(prefix.size())) : std::nullopt;
  if (!code || *code < 1) {
    throw ConfigError("'" + text + "' must be a code of a coordinate reference system, as in EPSG:32633");
  }
  return *code;
}

// "cloud, shadow" as its words.
std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    words.emplace_back(trimmed(word));
  }
  return words;
}

}  // namespace

OptionSyntax variable_option() {
  return {.name = "variable",
          .kind = OptionKind::text,
          .value_name = "NAME",
          .help = "Array of a MATLAB scene (.mat), where its shape does not tell which",
          .label = "MATLAB array of the scene"};
}

OptionSyntax verbose_option() {
  return {.name = "verbose", .help = "Also print what the solvers have done: kernels, penalties, support vectors"};
}

OptionSyntax resample_option() {
  return {.name = "resample",
          .help =
              "Where the scene lacks bands of the model, compute the model's bands from the scene's by their "
              "wavelengths and widths (FWHM)",
          .label = "Resample to the bands of the model"};
}

OptionSyntax mask_option() {
  return {.name = "mask",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help = "Raster of one band on the scene's grid; pixels where it is 0 or nodata are left out",
          .file = {{FileContent::raster}}};
}

OptionSyntax quality_option() {
  return {.name = "quality",
          .kind = OptionKind::text,
          .value_name = "LIST",
          .help =
              "What a product marks and is left out, separated by commas, as in cloud,shadow; 'parsimap info' lists "
              "what there is; none: nothing; unset: clouds",
          .label = "Leave out what the product marks as"};
}

OptionSyntax orthorectify_option() {
  return {.name = "orthorectify",
          .help =
              "Put a scene in the sensor's own geometry on the map by the geometry lookup table (GLT) that comes with "
              "it, as with EMIT and AVIRIS; a mask lies on the map then",
          .label = "Put the scene on the map"};
}

SceneInput scene_input(const OptionValues& values) {
  return scene_input(values, values.has_argument("SCENE") ? values.argument("SCENE") : "");
}

SceneInput scene_input(const OptionValues& values, const std::string& path) {
  SceneInput input{path, values.text("variable"), values.text("mask")};
  if (const auto names = values.text("quality")) {
    input.quality = comma_list(*names);
  }
  input.orthorectify = values.flag("orthorectify");
  return input;
}

std::vector<OptionSyntax> label_option_syntax() {
  return {
      {.name = "class-field",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "Field of a vector file that holds the class, integer or text",
       .names_field = true,
       .basic = true},
      {.name = "where",
       .kind = OptionKind::text,
       .value_name = "SQL",
       .help = "Condition that selects features of a vector file",
       .label = "Only features where (SQL)",
       .basic = true},
      {.name = "label-variable",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "Array of a MATLAB file of labels (.mat), where its shape does not tell which",
       .label = "MATLAB array of the labels"},
      {.name = "x",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "Column of a table of points (such as .csv) that holds x or the longitude; unset: lon, longitude, x, "
               "easting or the like",
       .label = "Column of x or longitude"},
      {.name = "y",
       .kind = OptionKind::text,
       .value_name = "NAME",
       .help = "Column of a table of points that holds y or the latitude",
       .label = "Column of y or latitude"},
      {.name = "crs",
       .kind = OptionKind::text,
       .value_name = "EPSG:N",
       .help = "Coordinate reference system of labels that do not name theirs, as in EPSG:32633; unset: degrees of "
               "WGS 84 for columns of longitudes and latitudes, else that of the scene or map",
       .check = [](const std::string& text) { parse_epsg(text); },
       .label = "CRS of labels without one"},
      {.name = "classes",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help = "Merge and rename classes of labels as they are read: a table (.csv) with the columns from and to, of "
               "names or codes; without a to they count as unlabelled, and classes that the table lacks keep their "
               "names",
       .label = "Table that merges and renames classes",
       .file = {{FileContent::document}, false, {".csv", ".txt"}}}};
}

LabelInput label_input(const OptionValues& values, const std::vector<std::string>& files, const Warn& warn) {
  LabelInput input{files, {values.text("class-field"), values.text("where")}, values.text("label-variable")};
  input.options.x_field = values.text("x");
  input.options.y_field = values.text("y");
  if (input.options.x_field.has_value() != input.options.y_field.has_value()) {
    throw ConfigError("--x and --y go together: they name the two columns of coordinates");
  }
  if (const auto crs = values.text("crs")) {
    input.options.epsg = parse_epsg(*crs);
  }
  if (const auto table = values.text("classes")) {
    input.options.rules = read_class_rules(*table, warn);
  }
  return input;
}

OptionSyntax colour_option() {
  return {.name = "colours",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help =
              "Colours of classes: a .json object of names or codes and \"#rrggbb\", or lines 'code red green blue "
              "[name]'",
          .label = "Colours of classes",
          .file = {{FileContent::document}, false, {".json", ".txt", ".clr"}}};
}

std::vector<ColourRule> colour_rules(const OptionValues& values, Listener& listener) {
  const std::optional<std::string> path = values.text("colours");
  if (!path) {
    return {};
  }
  if (std::filesystem::path(*path).extension() == ".json") {
    return read_colour_file(*path);
  }
  return read_colour_list(*path, [&](const std::string& text) { listener.message(text); });
}

std::vector<OptionFile> option_files(const OptionValues& values) {
  std::vector<OptionFile> files;
  for (const char* name : {"colours", "classes", "scenes", "options-file"}) {
    if (const auto path = values.text(name)) {
      files.push_back({std::string("--") + name, *path});
    }
  }
  return files;
}

OptionSyntax report_option() {
  return {.name = "report",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help = "Also write a report as one page of HTML, with figures, that opens without a network",
          .file = {{FileContent::document}, true, {".html"}},
          .basic = true};
}

OptionSyntax ram_option(const std::string& help) {
  constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 30U;
  return {.name = "ram",
          .kind = OptionKind::integer,
          .value_name = "MB",
          .help = help,
          .least = 64,
          .most = kMostMegabytes,
          .label = "Memory (MB)"};
}

std::optional<std::int64_t> ram_bytes(const OptionValues& values) {
  const auto megabytes = values.integer("ram");
  return megabytes ? std::optional(*megabytes << 20U) : std::nullopt;
}

std::int64_t share_memory(const OptionValues& values) {
  constexpr std::int64_t kDefaultRam = std::int64_t{512} << 20U;
  const std::int64_t bytes = ram_bytes(values).value_or(kDefaultRam);
  set_gdal_cache(bytes / 4);
  return bytes - bytes / 4;
}

int thread_count(const OptionValues& values) {
  const char* slurm = std::getenv("SLURM_CPUS_PER_TASK");
  std::int64_t threads = values.integer("threads").value_or(0);
  if (!values.integer("threads") && slurm != nullptr) {
    const auto allotted = parse_number<std::int64_t>(slurm);
    if (!allotted || *allotted < 1 || *allotted > kMostThreads) {
      throw ConfigError("the environment variable SLURM_CPUS_PER_TASK is '" + std::string(slurm) +
                        "'; it must be a number of threads from 1 to " + std::to_string(kMostThreads) +
                        ", or --threads be given");
    }
    threads = *allotted;
  }
  return resolve_threads(static_cast<int>(threads));
}

void apply_settings(const OptionValues& values) {
  initialise_gdal();
  for (const std::string& setting : values.list("config")) {
    const std::size_t equals = setting.find('=');
    set_gdal_option(setting.substr(0, equals), setting.substr(equals + 1));
  }
}

std::vector<OptionSyntax> joined(std::vector<OptionSyntax> first, const std::vector<OptionSyntax>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace parsimap
