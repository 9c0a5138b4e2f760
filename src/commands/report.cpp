#include "parsimap/commands/report.hpp"

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/report/accuracy_documents.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/samples/class_colours.hpp"
#include "parsimap/samples/class_table.hpp"

#include "command_pages.hpp"
#include "common_options.hpp"
#include "job_frame.hpp"
#include "maps/map_work.hpp"

namespace parsimap {

static void check_options(const ReportOptions& options) {
  // Options that describe an input are refused without this input, since they would have no effect.
  if (options.scene.path.empty() && (options.scene.variable || options.scene.orthorectify)) {
    throw ConfigError("--variable and --orthorectify only go with --scene");
  }
  const LabelOptions& labels = options.reference.options;
  if (options.reference.files.empty() && (labels.class_field || labels.where || options.reference.variable)) {
    throw ConfigError("--class-field, --where and --label-variable only go with --reference");
  }
}

// Counts the pixels of every class.
static MapContent content_of(ClassMapSource& map) {
  MapContent content{map.name(), without_pixels(map.classes()), 0};
  // Codes need not be consecutive: a table of 65 536 entries gives the class of each code without a search.
  const Indices index = index_of_codes(map.classes());
  for (std::vector<std::uint16_t> codes; const Window& window : row_strips(map.grid())) {
    map.read(window, codes);
    for (const std::uint16_t code : codes) {
      if (code != 0) {
        ++content.classes[static_cast<std::size_t>(index[code])].pixels;
        ++content.classified;
      }
    }
  }
  return content;
}

static MapPictures map_pictures(const ReportOptions& options, ClassMapSource& map, const std::vector<Colour>& colours,
                                Listener& listener) {
  // The layout (which pixels of the raster are shown, and where) follows from the map. The picture of the scene uses
  // the same layout, so that both pictures show the same places.
  const ClassMapPicture shown = class_map_picture(map);
  std::vector<PageImage> images;
  std::string scene_bands;
  if (!options.scene.path.empty()) {
    const InputScene scene = open_input_scene(options.scene, listener);
    check_same_grid(scene.source->grid(), scene.source->name(), map.grid(), map.name(),
                    "the scene must lie on the map's grid");
    const BandTable& bands = scene.source->bands();
    const Rgba picture = scene_picture_in(shown.layout, *scene.source, picture_bands(bands));
    images.push_back(image_of("Scene", shown.layout, picture));
    scene_bands = picture_bands_text(bands);
  }
  images.push_back(image_of("Map", shown.layout, class_picture(shown.codes, map.classes(), colours)));
  return {raster_pictures(shown.layout, std::move(images), colours, std::move(scene_bands))};
}

static ErrorPictures errors_of(const ReportOptions& options, ClassMapSource& map, const Assessment& assessment,
                               Listener& listener) {
  if (options.reference.files.empty()) {
    return {};
  }
  const LabelledPixels reference = read_label_input(options.reference, map.grid(), map.name());
  tell_reading(reference, listener);
  const Comparison comparison = compare(map, reference, options.reference.files.front());
  // The document of accuracies may be older than the map or the reference. Counting again is the only reliable test
  // whether the picture of errors and the numbers on the page describe the same comparison.
  if (comparison.confusion.counts() != assessment.confusion.counts()) {
    listener.warn("accuracy-of-other-map",
                  options.accuracy + " counts " + counted(assessment.confusion.pixels(), "reference pixel") +
                      " otherwise than the map and " + options.reference.files.front() + " give (" +
                      counted(comparison.confusion.pixels(), "pixel") + "): is it of another reference or map?");
  }
  return error_pictures(map, reference, comparison);
}

// Files are the same by their digests, where these are known, whatever they are called.
static void warn_of_others(const ReportOptions& options, const Assessment& assessment, Listener& listener) {
  const auto differ = [](const std::string& known, const std::string& path) {
    return !known.empty() && label_file(path).sha256 != known;
  };
  const ReferenceFacts& facts = assessment.facts;
  if (facts.map_sha256.empty() && base_name(assessment.map) != base_name(options.map)) {
    listener.warn("accuracy-of-other-map",
                  options.accuracy + " is the accuracy of " + assessment.map + ", not of " + options.map);
  } else if (differ(facts.map_sha256, options.map)) {
    listener.warn("accuracy-of-other-map", options.accuracy + " is the accuracy of another map than " + options.map +
                                               ", or the map was changed since it was assessed: their SHA-256 differ");
  }
  if (!options.reference.files.empty() && differ(facts.sha256, options.reference.files.front())) {
    listener.warn("accuracy-of-other-map", options.accuracy + " was made with another reference than " +
                                               options.reference.files.front() + ": their SHA-256 differ");
  }
  if (differ(raster_metadata(options.map, kModelDigestItem), options.model)) {
    listener.warn("accuracy-of-other-map",
                  options.map + " was made with another model than " + options.model + ": their SHA-256 differ");
  }
}

void write_report(const ReportOptions& asked, Listener& listener) {
  check_options(asked);
  Job job(asked, listener);
  ReportOptions options = asked;
  complete_label_options(options.reference, listener);
  // The page is staged before model, accuracy and map are read, so that an output that cannot be written fails at once.
  job.stage_page("--output", options.page);
  const Model model = load_or_explain(options.model);
  const Assessment assessment = read_accuracy(options.accuracy);
  const std::unique_ptr<ClassMapSource> map = open_class_map(options.map);
  warn_of_others(options, assessment, listener);
  const MapContent content = content_of(*map);
  const std::vector<Colour> map_colours = class_colours(map->classes());
  const MapPictures pictures = map_pictures(options, *map, map_colours, listener);
  const ErrorPictures errors = errors_of(options, *map, assessment, listener);
  const PageFacts facts = page_facts(job.date(), map->grid(), inputs_of(options));
  job.write_page(command_html(combined_page({model, content, assessment, pictures, errors, facts}),
                              combined_data_json({model, assessment, content.classes, map_colours})));
  job.publish();
}

static std::vector<OptionSyntax> report_options(ReportOptions& options) {
  return {{.name = "output",
           .short_name = 'o',
           .help = "Page to write",
           .field = bound(options.page),
           .label = "Page",
           .file = {{FileContent::document}, true, {".html"}},
           .basic = true},
          {.name = "scene",
           .help = "Scene of the map, to be shown beside it",
           .field = bound(options.scene.path),
           .file = {{FileContent::raster}},
           .basic = true},
          variable_option(options.scene.variable),
          orthorectify_option(options.scene),
          lookup_option(options.scene),
          {.name = "reference",
           .help = "Reference of the accuracy, to show where the map is right and wrong; labels are "
                   "read as 'parsimap assess' reads them",
           .field = labels_argument(options.reference, [] { return true; }).field,
           .file = {{FileContent::raster, FileContent::vector}},
           .basic = true}};
}

static void run_report(const ReportOptions& options, CommandListener& listener) {
  if (options.page.empty()) {
    throw ConfigError("--output is missing; it names the page to write, such as -o page.html");
  }
  write_report(options, listener);
  listener.result(listener.json() ? report_json(options.page) : "Report: " + options.page + "\n");
}

CommandSyntax describe(ReportOptions& options) {
  return {
      .name = "report",
      .summary = "Put model, map and accuracy on one page",
      .details =
          "Writes one page of HTML about a model, a map made with it and the accuracy of that map: verdict, pictures,\n"
          "areas, errors, spectra and what all of it comes from. It opens without a network, and prints.",
      .arguments = {model_argument(options.model),
                    map_argument(options.map, "Class map of 'parsimap classify'"),
                    {.name = "ACCURACY",
                     .help =
                         "Document of 'parsimap assess': accuracy.json of 'parsimap assess --output-dir', or what it "
                         "prints as JSON",
                     .field = bound(options.accuracy),
                     .file = {{FileContent::document}, false, {".json"}}}},
      .options = joined(report_options(options), label_options(options.reference))};
}

Command report_command() { return command_of<ReportOptions>(run_report); }

}  // namespace parsimap
