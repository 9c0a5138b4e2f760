#include "command_pages.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <regex>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/report/trust_section.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "inspected_samples.hpp"
#include "job_frame.hpp"

namespace parsimap {

constexpr std::int64_t kMostSummed = std::int64_t{2} << 30U;
constexpr std::size_t kMostFiles = 60;  // of one input, such as a mosaic

// Adds the files of one input; `summed` are the bytes that have a checksum so far.
static void add_files(const NamedInput& input, std::int64_t& summed, std::vector<PageInput>& rows) {
  // The files of a library are inputs one by one, and the header of one is none of a scene.
  std::vector<std::string> files;
  if (input.first != "library") {
    files = files_of_input(input.second);
  }
  if (files.empty()) {
    files = {input.second};
  }
  // The first file is the input itself and has its role; the others are side files. A checksum is computed as long as
  // the sum of all bytes stays below kMostSummed: reading a scene of many gigabytes again would take longer than the
  // command.
  for (std::size_t i = 0; i < std::min(files.size(), kMostFiles); ++i) {
    PageInput row{i == 0 ? input.first : "", files[i], "", "no plain file"};
    if (is_plain_file(files[i])) {
      const std::int64_t bytes = bytes_of_file(files[i]).value_or(0);
      row.bytes = std::to_string(bytes);
      row.sum = "not summed, the files are large";
      if (summed + bytes <= kMostSummed) {
        row.sum = sha256_of_file(files[i]);
        summed += bytes;
      }
    }
    rows.push_back(std::move(row));
  }
  if (files.size() > kMostFiles) {
    rows.push_back({"", "and " + std::to_string(files.size() - kMostFiles) + " more", "", ""});
  }
}

bool is_page(const std::string& path) {
  const std::string name = lower_case(path);
  return name.ends_with(".html") || name.ends_with(".htm");
}

const StagedOutput& stage_page(OutputSet& outputs, const std::string& role, const std::string& path) {
  if (!is_page(path)) {
    throw ConfigError(role + " '" + path + "' is a page of HTML; its name must end in .html");
  }
  return outputs.stage(role, path);
}

std::string page_date() {
  // SOURCE_DATE_EPOCH (reproducible-builds.org) replaces the time of the clock, so that two runs with the same inputs
  // write the same bytes. The upper bound keeps the year at four digits.
  std::time_t now = std::time(nullptr);
  if (const char* const epoch = std::getenv("SOURCE_DATE_EPOCH"); epoch != nullptr) {
    const auto seconds = parse_number<std::int64_t>(epoch);
    constexpr std::int64_t kLatest = 253402300799;  // the last second of the year 9999
    if (!seconds || *seconds < 0 || *seconds > kLatest) {
      throw ConfigError("the environment variable SOURCE_DATE_EPOCH is '" + std::string(epoch) +
                        "'; it must be a whole number of seconds since 1970");
    }
    now = static_cast<std::time_t>(*seconds);
  }
  std::tm day{};
  gmtime_r(&now, &day);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &day);
  return text.data();
}

static const std::string kCommandScript = R"(<script type="application/json" id="command">)";

std::string with_command(const std::string& html, const PageCommand& command) {
  const nlohmann::json document{{"date", command.date}, {"words", command.words}};
  std::string page = html;
  const std::string end = "</body>";
  return page.insert(page.rfind(end), kCommandScript + json_in_html(line_of(document)) + "</script>\n");
}

std::optional<PageCommand> command_of_page(const std::string& path) {
  const std::string text = read_text_file(path);
  const std::size_t begin = text.find(kCommandScript);
  if (begin == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t first = begin + kCommandScript.size();
  try {
    const auto document = nlohmann::json::parse(text.substr(first, text.find("</script>", first) - first));
    PageCommand command{document.at("words").get<std::vector<std::string>>(), document.at("date").get<std::string>()};
    if (!command.words.empty() && !std::regex_match(command.date, std::regex(R"(\d{4}-\d\d-\d\d)"))) {
      throw DataError(path + ": its date is '" + command.date + "'; it must be written as 2026-11-22");
    }
    if (!command.words.empty()) {
      return command;
    }
  } catch (const nlohmann::json::exception&) {
    // As below.
  }
  throw DataError(path + ": what it names as its command is none");
}

PageFacts page_facts(const std::string& date, const RasterGrid& grid, const std::vector<NamedInput>& inputs) {
  const GridText text = grid_text(grid);
  PageFacts facts{date, text.crs, text.pixel_size, pixel_area(grid), grid.width, grid.height, {}};
  for (std::int64_t summed = 0; const NamedInput& input : inputs) {
    add_files(input, summed, facts.inputs);
  }
  return facts;
}

void paint(Rgba& picture, Index position, const Colour& colour) {
  const auto begin = picture.begin() + static_cast<std::ptrdiff_t>(4 * position);
  std::copy(colour.begin(), colour.end(), begin);
  begin[3] = 255;
}

Rgba class_picture(const std::vector<std::uint16_t>& codes, const ClassTable& classes,
                   const std::vector<Colour>& colours) {
  std::map<int, Colour> colour_of;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    colour_of[classes[c].code] = colours[c];
  }
  Rgba picture(4 * codes.size(), 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (const auto found = colour_of.find(codes[i]); found != colour_of.end()) {
      paint(picture, static_cast<Index>(i), found->second);
    }
  }
  return picture;
}

Rgba pale(const Rgba& picture) {
  constexpr double kLightest = 245;
  constexpr double kContrast = 0.35;
  Rgba result = picture;
  for (std::size_t i = 0; i + 3 < result.size(); i += 4) {
    // Luma of Rec. 601, then compressed to the range from kLightest - kContrast 255 (156) to kLightest: the ground
    // keeps its structure, and every colour of a class stays darker or more saturated than it. The opacity is left as
    // it is.
    const double grey = 0.3 * picture[i] + 0.59 * picture[i + 1] + 0.11 * picture[i + 2];
    const auto level = static_cast<std::uint8_t>(std::lround(kLightest - kContrast * (255 - grey)));
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(i), 3, level);
  }
  return result;
}

void mark(Rgba& picture, const PictureLayout& layout, Index raster_width, std::int64_t pixel, const Colour& colour) {
  constexpr Index kLarge = 300;  // pixels of a picture, beyond which it is not enlarged
  // In large pictures a single pixel is hardly visible, and is drawn as a square of 3 x 3. Small pictures are enlarged
  // by the page instead. Where the raster is shown with fewer pixels, a mark covers the pixel that stands for the
  // place.
  const Index reach = std::max(layout.width, layout.height) > kLarge ? 1 : 0;
  for (const Index position : layout.positions_of(pixel, raster_width)) {
    const Index x = position % layout.width;
    const Index y = position / layout.width;
    for (Index row = std::max<Index>(0, y - reach); row <= std::min(layout.height - 1, y + reach); ++row) {
      for (Index column = std::max<Index>(0, x - reach); column <= std::min(layout.width - 1, x + reach); ++column) {
        paint(picture, row * layout.width + column, colour);
      }
    }
  }
}

const std::vector<ColourStep>& confidence_steps() {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  static const std::vector<ColourStep> steps = {{0.5, {129, 15, 124}, "below 0.5"},
                                                {0.7, {136, 86, 167}, "0.5 to 0.7"},
                                                {0.9, {140, 150, 198}, "0.7 to 0.9"},
                                                {0.99, {179, 205, 227}, "0.9 to 0.99"},
                                                {kAll, {226, 236, 244}, "0.99 and more"}};
  return steps;
}

const std::vector<ColourStep>& novelty_steps() {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  static const std::vector<ColourStep> steps = {{0.5, {239, 239, 234}, "below 0.5"},
                                                {0.9, {254, 217, 142}, "0.5 to 0.9"},
                                                {0.95, {254, 153, 41}, "0.9 to 0.95"},
                                                {0.99, {217, 95, 14}, "0.95 to 0.99"},
                                                {kAll, {120, 30, 4}, "0.99 and more"}};
  return steps;
}

Rgba stepped_picture(const std::vector<float>& values, const std::vector<ColourStep>& steps) {
  Rgba picture(4 * values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) {
      // Steps ascend and the last one has no upper bound, so that it also takes what the search does not find. Pixels
      // without a value stay transparent.
      const auto step = std::find_if(steps.begin(), steps.end() - 1,
                                     [&](const ColourStep& one) { return values[i] < static_cast<float>(one.below); });
      paint(picture, static_cast<Index>(i), step->colour);
    }
  }
  return picture;
}

std::vector<LegendEntry> legend_of(const std::vector<ColourStep>& steps) {
  return mapped<LegendEntry>(steps, [](const ColourStep& step) { return LegendEntry{step.text, step.colour, ""}; });
}

std::string picture_bands_text(const BandTable& bands) {
  const std::array<Index, 3> shown = picture_bands(bands);
  std::array<std::string, 3> names;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::optional<double>& wavelength = bands[static_cast<std::size_t>(shown[i])].wavelength;
    names[i] = std::to_string(shown[i] + 1) + (wavelength ? " (" + short_number(std::round(*wavelength)) + " nm)" : "");
  }
  return "bands " + names[0] + ", " + names[1] + " and " + names[2] + " as red, green and blue";
}

PageImage image_of(const std::string& name, const PictureLayout& layout, const Rgba& picture) {
  return {name, png_data_uri(layout.width, layout.height, picture)};
}

static bool is_sheet(const PictureLayout& layout) { return layout.tiles.size() > 1; }

static std::string layout_text(const PictureLayout& layout) {
  const PictureTile& first = layout.tiles.front();
  if (is_sheet(layout)) {
    const auto shown = static_cast<std::int64_t>(layout.tiles.size());
    return "Data lie in few and far places: " + (shown < layout.places ? grouped(shown) + " of " : "all ") +
           counted(layout.places, "place") + " are shown one beside the other, " + std::to_string(first.source.width) +
           " x " + std::to_string(first.source.height) + " pixels each, in the order of their rows. ";
  }
  return first.width < first.source.width ? "Evenly spread pixels of a larger raster are shown. " : "";
}

RasterPictures raster_pictures(const PictureLayout& layout, std::vector<PageImage> images,
                               const std::vector<Colour>& colours, std::string scene_bands) {
  RasterPictures pictures{std::move(images),      layout.width,        layout.height,   {},
                          std::move(scene_bands), layout_text(layout), is_sheet(layout)};
  pictures.legend = mapped<LegendEntry>(colours, [](const Colour& colour) { return LegendEntry{"", colour, ""}; });
  return pictures;
}

// Some of the reference pixels, spread evenly over their list: enough to find the places that have many.
static std::vector<std::int64_t> some_pixels(const LabelledPixels& reference) {
  constexpr std::size_t kMost = 100000;
  // At most kMost pixels with a constant stride over the list, which is independent of any random numbers.
  const std::size_t step = reference.pixels.size() / kMost + 1;
  const auto shown = indices_where(reference.pixels.size(), [&](std::size_t i) { return i % step == 0; });
  return mapped<std::int64_t>(values_at(reference.pixels, shown), &LabelledPixel::pixel);
}

// The first of the candidates that is unlike the colours of all classes, or the last.
static Colour unlike(const std::vector<Colour>& colours, const std::vector<Colour>& candidates) {
  constexpr double kAlike = 40;  // in the cube of red, green and blue
  const auto differs = [&](const Colour& candidate) {
    return std::ranges::none_of(colours, [&](const Colour& colour) {
      return std::hypot(candidate[0] - colour[0], candidate[1] - colour[1], candidate[2] - colour[2]) < kAlike;
    });
  };
  return *std::find_if(candidates.begin(), candidates.end() - 1, differs);
}

// Wrong pixels last, so that no right one hides them.
static void mark_pixels(Rgba& picture, const PictureLayout& layout, Index width, const LabelledPixels& reference,
                        const Comparison& comparison, const Colour& right_colour, const Colour& wrong_colour) {
  for (const bool right : {true, false}) {
    for (std::size_t i = 0; i < reference.pixels.size(); ++i) {
      const LabelledPixel& pixel = reference.pixels[i];
      const Index label = comparison.columns[i];
      if (label >= 0 && (label == comparison.match.row_of(pixel)) == right) {
        mark(picture, layout, width, pixel.pixel, right ? right_colour : wrong_colour);
      }
    }
  }
}

ErrorPictures error_pictures(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison) {
  const ClassMapPicture shown = class_map_picture(map, some_pixels(reference));
  const std::vector<Colour> colours = class_colours(map.classes());
  const Rgba ground = class_picture(shown.codes, map.classes(), colours);
  Rgba marked = pale(ground);
  const Colour right = unlike(colours, {kRightColour, {0, 110, 140}, {255, 255, 255}});
  const Colour wrong = unlike(colours, {kWrongColour, {230, 0, 0}, {0, 230, 0}, {255, 255, 0}});
  mark_pixels(marked, shown.layout, map.grid().width, reference, comparison, right, wrong);
  ErrorPictures pictures{
      raster_pictures(shown.layout,
                      {image_of("Map", shown.layout, ground), image_of("Right and wrong", shown.layout, marked)},
                      colours),
      right, wrong};
  for (std::size_t c = 0; c < colours.size(); ++c) {
    pictures.legend[c].name = map.classes()[c].name;
  }
  return pictures;
}

std::string assess_report(const AssessOptions& options, const Assessment& assessment, ClassMapSource& map,
                          const LabelledPixels& reference, const Comparison& comparison, const std::string& date) {
  const PageFacts facts = page_facts(date, map.grid(), inputs_of(options));
  std::optional<Section> trust;
  if (assessment.overlap && assessment.overlap->unknown.empty()) {
    trust = trust_section(load_model(assessment.overlap->model), raster_metadata(options.map, kSceneItem));
  }
  const ErrorPictures errors = error_pictures(map, reference, comparison);
  return command_html(assessment_page(assessment, errors, facts, settings(options), trust),
                      assessment_data_json(assessment));
}

namespace {

// The pixels of the regions of a step of the list, and how many regions there are.
struct StepRegions {
  std::vector<std::int64_t> pixels;
  std::int64_t regions = 0;
};

std::vector<StepRegions> regions_by_step(const InspectionRecord& record, const SampleSet& samples) {
  std::vector<StepRegions> steps(suspicion_steps().size());
  for (const RegionEvidence& region : record.evidence.regions) {
    StepRegions& step = steps[suspicion_step(region.evidence, record.evidence.regions.size())];
    ++step.regions;
    for (const Index row : region.pixels) {
      step.pixels.push_back(samples.places[static_cast<std::size_t>(row)].pixel);
    }
  }
  return steps;
}

RasterPictures suspect_pictures(const InspectionRecord& record, const SampleSet& samples, SceneSource& scene) {
  // The last step holds the regions that look like their label. All others are suspicious, and the places of their
  // pixels are shown first where the data of a scene are so sparse that only some places fit into the picture.
  std::vector<std::int64_t> preferred;
  const std::vector<StepRegions> regions = regions_by_step(record, samples);
  for (std::size_t i = 0; i + 1 < regions.size(); ++i) {
    preferred.insert(preferred.end(), regions[i].pixels.begin(), regions[i].pixels.end());
  }
  const ScenePicture shown = scene_picture(scene, picture_bands(scene.bands()), preferred);
  Rgba marked = pale(shown.rgba);
  // The least suspicious first: in a small picture others are drawn over them.
  for (std::size_t i = regions.size(); i-- > 0;) {
    for (const std::int64_t pixel : regions[i].pixels) {
      mark(marked, shown.layout, scene.grid().width, pixel, suspicion_steps()[i].colour);
    }
  }
  RasterPictures pictures = raster_pictures(
      shown.layout, {image_of("Scene", shown.layout, shown.rgba), image_of("Labels", shown.layout, marked)}, {},
      picture_bands_text(scene.bands()));
  for (std::size_t i = 0; i < regions.size(); ++i) {
    pictures.legend.push_back(
        {suspicion_steps()[i].label, suspicion_steps()[i].colour, counted(regions[i].regions, "region")});
  }
  return pictures;
}

}  // namespace

std::string inspect_report(const InspectionRecord& record,
                           const std::vector<std::pair<std::string, std::string>>& options, const SampleSet& samples,
                           SceneSource& scene, const PageFacts& facts) {
  return command_html(inspection_page(record, options, suspect_pictures(record, samples, scene), facts),
                      inspection_data_json(record));
}

static RasterPictures training_pictures(const SampleSet& samples, SceneSource& scene,
                                        const std::vector<Colour>& colours) {
  std::vector<std::int64_t> pixels = pixels_of(samples.places);
  std::erase(pixels, SamplePlace::kNoPixel);
  const ScenePicture shown = scene_picture(scene, picture_bands(scene.bands()), pixels);
  Rgba marked = pale(shown.rgba);
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    if (samples.places[i].in_scene()) {
      const Colour& colour = colours[static_cast<std::size_t>(samples.labels[i])];
      mark(marked, shown.layout, scene.grid().width, samples.places[i].pixel, colour);
    }
  }
  return raster_pictures(
      shown.layout, {image_of("Scene", shown.layout, shown.rgba), image_of("Training pixels", shown.layout, marked)},
      colours, picture_bands_text(scene.bands()));
}

std::string train_report(const Model& model, const TrainingRecord& record, const TrainReportSource& source) {
  const BandTable& bands = source.scene.bands();
  const DataDescription description =
      describe_samples(base_name(record.scene.empty() ? record.libraries.front() : record.scene), source.samples,
                       wavelengths_of(bands, model.bands), {source.options.dimension}, source.options.scaling);
  const std::vector<Colour> colours = class_colours(model.classes);
  const RasterPictures pictures =
      source.pictures ? training_pictures(source.samples, source.scene, colours) : RasterPictures{};
  const PageFacts facts = page_facts(source.date, source.pictures ? source.grid : RasterGrid{}, source.inputs);
  return command_html(training_page(model, record, pictures, facts),
                      training_data_json(model, description, bands, colours));
}

}  // namespace parsimap
