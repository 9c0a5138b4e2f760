#include "common_options.hpp"

#include <cmath>
#include <limits>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/vector/segments.hpp"

namespace parsimap {

static void check_setting(const std::string& text) {
  // A key is needed; the value may be empty.
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw ConfigError("'" + text + "' must have the form KEY=VALUE");
  }
}

// The code in EPSG:n.
static int parse_epsg(const std::string& text) {
  const std::string prefix = "EPSG:";
  const bool known = text.starts_with(prefix) || text.starts_with("epsg:");
  const std::optional<int> code = known ? parse_number<int>(text.substr(prefix.size())) : std::nullopt;
  if (!code || *code < 1) {
    throw ConfigError("'" + text + "' must be a code of a coordinate reference system, as in EPSG:32633");
  }
  return *code;
}

// "cloud, shadow" as its words.
static std::vector<std::string> comma_words(const std::string& text) { return parts_of(text, ","); }

static std::string comma_text(const std::vector<std::string>& words) { return separated(words, ","); }

static double parse_nodata(const std::string& text) {
  const std::optional<double> value = parse_number<double>(text);
  if (!value && text != "none") {
    throw ConfigError("'" + text + "' must be a number, or none");
  }
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

static std::string nodata_text(double value) {
  return std::isnan(value) ? "none" : number_text(value, std::numeric_limits<double>::max_digits10);
}

// Megabytes in an option, bytes in the field.
static Field megabytes(std::optional<std::int64_t>& bytes) {
  // The option is in units of 2^20 bytes.
  return held_as<std::int64_t>(
      OptionKind::integer, bytes, [](std::int64_t value) { return value << 20U; },
      [](std::int64_t value) { return value >> 20U; });
}

std::vector<OptionSyntax> common_options(ConsoleOptions& console, JobOptions& job) {
  std::vector<OptionSyntax> options = {
      {.name = "help",
       .short_name = 'h',
       .help = "Print help on the main options, or with --help all on every option",
       .field = bound(console.help),
       .only_command_line = true,
       .effect = Effect::run},
      {.name = "version",
       .help = "Print the program's version",
       .field = bound(console.version),
       .only_command_line = true,
       .effect = Effect::run},
      {.name = "quiet",
       .short_name = 'q',
       .help = "Print nothing but errors and, with --json, the result",
       .field = bound(console.quiet),
       .effect = Effect::run},
      {.name = "progress",
       .value_name = "STYLE",
       .help = "Progress on standard error: auto (a bar if that is a terminal), bar, or json (one object per line)",
       .field = bound(console.progress),
       .choices = {"auto", "bar", "json"},
       .effect = Effect::run}};
  const OptionSyntax json{.name = "json",
                          .help = "Print one JSON document instead of readable text",
                          .field = bound(console.json),
                          .effect = Effect::run};
  // The option --json is listed behind --threads, the first of a job, in the help and in the documents.
  std::vector<OptionSyntax> of_job = job_options(job);
  of_job.insert(of_job.begin() + 1, json);
  add_all(options, of_job);
  return options;
}

std::vector<OptionSyntax> job_options(JobOptions& job) {
  return {
      {.name = "threads",
       .help = "Threads to compute with, 0 for all processors, or as many as the environment variable OMP_NUM_THREADS "
               "says; results do not depend on it; unset: as many as SLURM_CPUS_PER_TASK says, or 0",
       .field = bound(job.threads),
       .most = kMostThreads,
       .effect = Effect::run},
      {.name = "options-file",
       .help = "Read options from a JSON object with the option names as keys; options on the command line replace "
               "them",
       .field = bound(job.options_file),
       .only_command_line = true,
       .file = {{FileContent::document}, false, {".json"}},
       .effect = Effect::run},
      {.name = "overwrite", .help = "Replace outputs that exist", .field = bound(job.overwrite), .effect = Effect::run},
      {.name = "config",
       .value_name = "KEY=VALUE",
       .help = "Set a configuration option of GDAL; never from an options file",
       .field = bound(job.gdal_settings, check_setting),
       .only_command_line = true,
       .label = "Settings of GDAL"}};
}

OptionSyntax ram_option(JobOptions& job, const std::string& help) {
  constexpr std::int64_t kLeastMegabytes = 64;
  constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 30U;
  return {.name = "ram",
          .value_name = "MB",
          .help = help,
          .field = megabytes(job.ram_bytes),
          .least = kLeastMegabytes,
          .most = kMostMegabytes,
          .label = "Memory (MB)",
          .effect = Effect::run};
}

OptionSyntax verbose_option(bool& verbose) {
  return {.name = "verbose",
          .help = "Also print kernels, penalties, support vectors, and variables of the environment that are ignored",
          .field = bound(verbose),
          .effect = Effect::run};
}

OptionSyntax dry_run_option(JobOptions& job) {
  return {.name = "dry-run",
          .help =
              "Write nothing: check inputs and outputs, and say what would be read and written and about how much "
              "memory and time the work takes",
          .field = bound(job.dry_run),
          .label = "Only say what would be done",
          .effect = Effect::run};
}

OptionSyntax report_option(std::optional<std::string>& report) {
  return {.name = "report",
          .help = "Also write a report as one page of HTML, with figures, that opens without a network",
          .field = bound(report),
          .file = {{FileContent::document}, true, {".html"}},
          .basic = true,
          .effect = Effect::run};
}

OptionSyntax colour_option(std::optional<std::string>& colours) {
  return {.name = "colours",
          .help =
              "Colours of classes: a .json object of names or codes and \"#rrggbb\", or lines 'code red green blue "
              "[name]'",
          .field = bound(colours),
          .label = "Colours of classes",
          .file = {{FileContent::document}, false, {".json", ".txt", ".clr"}}};
}

OptionSyntax resample_option(bool& resample) {
  return {.name = "resample",
          .help =
              "Where the scene lacks bands of the model, compute the model's bands from the scene's by their "
              "wavelengths and widths (FWHM)",
          .field = bound(resample),
          .label = "Resample to the bands of the model"};
}

ArgumentSyntax scene_argument(std::string& path, const std::string& bands) {
  return {
      .name = "SCENE",
      .help = "Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens" +
              (bands.empty() ? " (for ENVI the data file or its .hdr), or MATLAB file" : ", or MATLAB file, " + bands),
      .field = bound(path),
      .file = {{FileContent::raster}}};
}

ArgumentSyntax model_argument(std::string& path, const std::string& help) {
  return {.name = "MODEL", .help = help, .field = bound(path), .file = {{FileContent::document}, false, {".parsimap"}}};
}

ArgumentSyntax map_argument(std::string& path, const std::string& help) {
  return {.name = "MAP", .help = help, .field = bound(path), .file = {{FileContent::raster}}};
}

OptionSyntax map_option(const std::string& name, std::optional<std::string>& path, const std::string& label,
                        const std::string& help) {
  return {.name = name,
          .value_name = "MAP",
          .help = help,
          .field = bound(path),
          .label = label,
          .file = {{FileContent::raster}}};
}

OptionSyntax variable_option(std::optional<std::string>& variable) {
  return {.name = "variable",
          .value_name = "NAME",
          .help = "Array of a MATLAB scene (.mat), where its shape does not tell which",
          .field = bound(variable),
          .label = "MATLAB array of the scene"};
}

OptionSyntax region_option(SceneInput& scene, const std::string& help) {
  return {.name = "region",
          .help = help +
                  ": polygons of a vector file in any coordinate reference system, or XMIN,YMIN,XMAX,YMAX in "
                  "that of the scene",
          .field = bound(scene.region),
          .file = {{FileContent::vector}},
          .files = [&scene] {
            const bool file = scene.region && !is_box(*scene.region);
            return file ? std::vector{*scene.region} : std::vector<std::string>();
          }};
}

OptionSyntax orthorectify_option(SceneInput& scene) {
  return {.name = "orthorectify",
          .help =
              "Put a scene in the sensor's own geometry on the map by the geometry lookup table (GLT) that comes with "
              "it, as with EMIT and AVIRIS; a mask lies on the map then",
          .field = bound(scene.orthorectify),
          .label = "Put the scene on the map"};
}

OptionSyntax lookup_option(SceneInput& scene) {
  return {.name = "glt",
          .help =
              "Geometry lookup table of a scene in the sensor's own geometry; unset: that which lies beside it under "
              "the same name",
          .field = bound(scene.lookup),
          .label = "Geometry lookup table",
          .file = {{FileContent::raster}}};
}

std::vector<OptionSyntax> scene_options(SceneInput& scene) {
  return {
      {.name = "mask",
       .help = "Raster of one band on the scene's grid; pixels where it is 0 or nodata are left out",
       .field = bound(scene.mask),
       .file = {{FileContent::raster}}},
      {.name = "quality",
       .value_name = "LIST",
       .help = "What a product marks and is left out, separated by commas, as in cloud,shadow; 'parsimap info' lists "
               "what there is; none: nothing; unset: clouds",
       .field = bound(scene.quality, comma_words, comma_text),
       .label = "Leave out what the product marks as"},
      {.name = "nodata",
       .value_name = "VALUE",
       .help =
           "Value of the scene, as stored, that means no data beside those that its file declares; none: no other. "
           "Unset: pixels of which all bands have one value, which is 0 or far from all training values, or lie far "
           "below these, hold no data, unless training pixels are like that",
       .field = bound(scene.nodata, parse_nodata, nodata_text),
       .label = "Further nodata value"},
      {.name = "bands-by-position",
       .help =
           "Where neither wavelengths nor names tell which bands of two scenes are the same, or only one of both has "
           "them, take bands at equal positions",
       .field = bound(scene.bands_by_position),
       .label = "Match bands by position"},
      orthorectify_option(scene),
      lookup_option(scene),
      variable_option(scene.variable)};
}

ArgumentSyntax labels_argument(LabelInput& labels, const std::function<bool()>& has_argument) {
  return {.name = "LABELS",
          .help =
              "Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with --class-field, or "
              "regions of interest of ENVI (.xml, .txt)",
          .field = {.kind = OptionKind::text,
                    // Arguments are stored behind options.
                    .store =
                        [&labels](const OptionValue& value) {
                          // --labels has already filled the list with further files; the argument is the first file and
                          // decides on the classes.
                          labels.files.insert(labels.files.begin(), std::get<std::string>(value));
                        },
                    .value = [&labels, has_argument]() -> std::optional<OptionValue> {
                      const bool there = has_argument() && !labels.files.empty();
                      return there ? std::optional<OptionValue>(labels.files.front()) : std::nullopt;
                    }},
          .file = {{FileContent::raster, FileContent::vector}}};
}

OptionSyntax further_labels_option(LabelInput& labels, const std::function<bool()>& has_argument,
                                   const std::string& help) {
  Field field = bound(labels.files);
  field.value = [&labels, has_argument]() -> std::optional<OptionValue> {
    std::vector<std::string> further = labels.files;
    if (has_argument() && !further.empty()) {
      // The first file is the argument LABELS, which is listed as such; the others are values of this option.
      further.erase(further.begin());
    }
    return further.empty() ? std::nullopt : std::optional<OptionValue>(further);
  };
  return {.name = "labels", .help = help, .field = field, .label = "Further labels", .file = {{FileContent::vector}}};
}

std::vector<OptionSyntax> label_options(LabelInput& labels) {
  LabelOptions& options = labels.options;
  return {
      {.name = "class-field",
       .value_name = "NAME",
       .help = "Field of a vector file that holds the class, integer or text; unset: class in files that parsimap "
               "wrote and "
               "in spectral libraries, and otherwise the only field",
       .field = bound(options.class_field),
       .names_field = true,
       .basic = true},
      {.name = "where",
       .value_name = "SQL",
       .help = "Condition that selects features of a vector file",
       .field = bound(options.where),
       .label = "Only features where (SQL)",
       .basic = true},
      {.name = "layer",
       .value_name = "NAME",
       .help = "Layer of a vector file in which several layers have the class field",
       .field = bound(options.layer),
       .label = "Layer of the labels"},
      {.name = "label-variable",
       .value_name = "NAME",
       .help = "Array of a MATLAB file of labels (.mat), where its shape does not tell which",
       .field = bound(labels.variable),
       .label = "MATLAB array of the labels"},
      {.name = "x",
       .value_name = "NAME",
       .help = "Column of a table of points (such as .csv) that holds x or the longitude; unset: lon, longitude, x, "
               "easting or the like",
       .field = bound(options.x_field),
       .label = "Column of x or longitude"},
      {.name = "y",
       .value_name = "NAME",
       .help = "Column of a table of points that holds y or the latitude",
       .field = bound(options.y_field),
       .label = "Column of y or latitude"},
      {.name = "crs",
       .value_name = "EPSG:N",
       .help = "Coordinate reference system of labels that do not name theirs, as in EPSG:32633; unset: degrees of "
               "WGS 84 for columns of longitudes and latitudes, else that of the scene or map",
       .field = bound(options.epsg, parse_epsg, [](int code) { return "EPSG:" + std::to_string(code); }),
       .label = "CRS of labels without one"},
      {.name = "zero-class",
       .help = "The class 0 of the labels is a class of its own instead of unlabelled; maps give it the code after the "
               "largest",
       .field = bound(options.zero_class),
       .label = "Class 0 is a class"},
      {.name = "classes",
       .help = "Merge and rename classes of labels as they are read: a table (.csv) with the columns from and to, of "
               "names or codes; without a to they count as unlabelled, and classes that the table lacks keep their "
               "names",
       .field = bound(labels.class_table),
       .label = "Table that merges and renames classes",
       .file = {{FileContent::document}, false, {".csv", ".txt"}}}};
}

OptionSyntax group_field_option(LabelInput& labels, const std::string& help) {
  return {.name = "group-field",
          .value_name = "NAME",
          .help = help,
          .field = bound(labels.options.group_field),
          .names_field = true,
          .basic = true};
}

OptionSyntax seed_option(std::uint64_t& seed, const std::string& help) {
  return {.name = "seed", .help = help, .field = bound(seed)};
}

}  // namespace parsimap
