#include "parsimap/commands/sample.hpp"

#include <filesystem>
#include <memory>

#include "parsimap/accuracy/agreement_map.hpp"
#include "parsimap/accuracy/change_map.hpp"
#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"

#include "assessment/sample_file.hpp"
#include "command_pages.hpp"
#include "common_options.hpp"
#include "job_frame.hpp"

namespace parsimap {
namespace {

void read_expectation(const std::string& text, PlanOptions& plan) {
  const std::size_t split = text.rfind('=');
  const auto accuracy = parse_number<double>(text.substr(split == std::string::npos ? 0 : split + 1));
  if (!accuracy || !(*accuracy > 0) || *accuracy >= 1) {
    throw ConfigError("the expected accuracy is '" + text +
                      "'; it must be a number above 0 and below 1, or CLASS=NUMBER");
  }
  if (split == std::string::npos) {
    plan.expected = *accuracy;
  } else {
    plan.expected_by[text.substr(0, split)] = *accuracy;
  }
}

PlanOptions plan_of(const SampleOptions& options) {
  PlanOptions plan = options.plan;
  plan.aims = mapped<Aim>(options.aims, parse_aim);
  plan.cluster_points = options.draw.block_points;
  for (const std::string& text : options.expected) {
    read_expectation(text, plan);
  }
  if ((options.strata || options.compared) && plan.design != SamplingDesign::stratified) {
    throw ConfigError(std::string(options.strata ? "--strata" : "--compare") + " only goes with --design stratified");
  }
  if (options.compared) {
    if (options.strata || options.earlier) {
      throw ConfigError(std::string(options.strata ? "--strata" : "--earlier") +
                        " does not go with --compare, whose strata are where the maps agree and where they differ");
    }
    // Where the maps agree, points say nothing of their difference.
    plan.allocation = Allocation::neyman;
    plan.least = 2;
  }
  return plan;
}

// Strata without a pixel of the map, or a map without strata, are no strata of it; neither are maps to compare that
// agree.
void check_strata(const Population& population, const ClassMapSource& map, const ClassMapSource& strata,
                  bool compared) {
  if (compared && population.pixels.row(1).sum() == 0) {
    throw DataError("there is nothing to sample: " + strata.name() + " is complete, as they differ at no pixel");
  }
  if (population.outside_strata > 0) {
    throw DataError(strata.name() + " has no stratum at " + std::to_string(population.outside_strata) +
                    " pixels that " + map.name() + " classifies; strata must cover the map");
  }
}

PixelLayer layer_of(const std::vector<DrawnPoint>& points, const SampleRecord& record, Index width,
                    const std::vector<std::string>& classes) {
  PixelLayer layer{std::filesystem::path(*record.out).stem().string(), PixelGeometry::centre, sample_fields(), {}, {}};
  const std::string plan = plan_text(record.plan.design, record.aims);
  for (const DrawnPoint& point : points) {
    const auto order = static_cast<std::int64_t>(layer.features.size()) + 1;
    const std::string& stratum = record.plan.strata[static_cast<std::size_t>(point.stratum)].name;
    layer.features.push_back({{point.pixel},
                              {order, std::monostate(), stratum, point.probability, point.cluster,
                               std::int64_t{point.pixel / width}, std::int64_t{point.pixel % width}, plan}});
  }
  layer.style = order_style("Points to label", "order", "Point", std::ssize(points), classes);
  return layer;
}

}  // namespace

SampleRecord plan_and_draw(const SampleOptions& options, Listener& listener) {
  Job job(options, listener);
  PlanOptions asked = plan_of(options);
  keep_labels("--out", options.out.value_or(""));
  const StagedOutput* points = options.out ? &stage_pixel_layers(job.outputs(), "--out", *options.out) : nullptr;
  job.stage_page("--report", options.report);
  const std::unique_ptr<ClassMapSource> map = changes_since(options.earlier, open_class_map(options.map));
  const std::unique_ptr<ClassMapSource> compared =
      options.compared ? open_on_grid(*options.compared, *map, "maps to compare must lie on one grid") : nullptr;
  const std::unique_ptr<ClassMapSource> strata =
      options.strata ? open_on_grid(*options.strata, *map, "strata must lie on the map's grid")
      : compared     ? std::make_unique<AgreementMap>(*map, *compared)
                     : nullptr;
  const RasterGrid& grid = map->grid();
  if (options.out && !grid.geotransform && !grid.control_points.empty()) {
    throw DataError(map->name() + " is in the sensor's own geometry, where points cannot be labelled; 'parsimap " +
                    "classify --orthorectify' makes a map on the ground, and so does gdalwarp");
  }
  const std::vector<std::string> classes = class_names(map->classes());
  // The map is read twice: once to count the pixels of the strata, which decide how many are drawn, and once to find
  // those whose ranks were drawn. No list of all pixels is ever made.
  listener.plan({{"counting", 1}, {"drawing", options.out ? 1.0 : 0}});
  listener.progress("counting");
  const Population population = count_population(*map, strata.get());
  if (map->unlabelled_zeros() > 0) {
    listener.message(map->name() + ": pixels of 0, which belong to no class and are not sampled: " +
                     std::to_string(map->unlabelled_zeros()) + "; " + kMapZero);
  }
  asked.extent = population.bounds.window();
  if (strata) {
    check_strata(population, *map, *strata, compared != nullptr);
  }
  SampleRecord record;
  static_cast<SampleFiles&>(record) = static_cast<const SampleFiles&>(options);
  record.plan = plan_sample(population.pixels, class_names((strata ? *strata : *map).classes()), classes, asked);
  record.aims = asked.aims;
  record.seed = options.draw.seed;
  record.pixel_area = pixel_area(grid);
  job.end_stage(record, "count");
  if (points != nullptr) {
    listener.progress("drawing");
    const std::vector<DrawnPoint> drawn = draw_sample(*map, strata.get(), record.plan, options.draw);
    record.points = static_cast<std::int64_t>(drawn.size());
    write_pixel_layers(*points, grid,
                       {layer_of(drawn, record, grid.width, class_names(ChangeMap::reference_classes(*map)))});
    job.end_stage(record, "draw");
  }
  if (job.has_page()) {
    const PageFacts facts = page_facts(job.date(), grid, inputs_of(options));
    job.write_page(command_html(sample_page(record, facts, settings(options)), R"({"data": [], "runs": []})"));
  }
  job.publish(record);
  return record;
}

static std::vector<OptionSyntax> size_options(SampleOptions& options) {
  PlanOptions& plan = options.plan;
  return {
      {.name = "aim",
       .value_name = "MEASURE:ERROR",
       .help = "Largest standard error: overall:0.01 of the overall accuracy, users:CLASS:0.05 of a user's accuracy, "
               "area:CLASS:0.005 of the share of a class, difference:0.01 of the accuracies of two maps",
       .field = bound(options.aims, [](const std::string& text) { parse_aim(text); }),
       .choices = {"overall:", "users:", "area:", "difference:"},
       .basic = true},
      {.name = "size",
       .help = "Number of points; unset: as many as the aims need",
       .field = bound(plan.size),
       .least = 2,
       .basic = true},
      {.name = "design",
       .value_name = "DESIGN",
       .help = "simple, stratified, systematic (a grid), or clusters (blocks, and points in each)",
       .field = bound(plan.design, parse_design),
       .choices = {"simple", "stratified", "systematic", "clusters"},
       .basic = true},
      {.name = "allocation",
       .value_name = "RULE",
       .help = "How points are divided among strata: proportional to their pixels, equal, or neyman, by pixels and "
               "expected standard deviation",
       .field = bound(plan.allocation, parse_allocation),
       .choices = {"proportional", "equal", "neyman"}},
      {.name = "least",
       .help = "Least number of points in a stratum, which rare classes get",
       .field = bound(plan.least),
       .least = 2},
      {.name = "expect",
       .value_name = "ACCURACY",
       .help = "User's accuracy that is expected, of all classes or of one (CLASS=0.9); unset: 0.85",
       .field = bound(options.expected, [](const std::string& text) {
         PlanOptions unused;
         read_expectation(text, unused);
       })}};
}

static std::vector<OptionSyntax> draw_options(SampleOptions& options) {
  constexpr Index kMostPixels = 10000;
  return {map_option("earlier", options.earlier, "Earlier map",
                     "Plan a sample of the changes since an earlier map on the same grid: classes and strata are pairs "
                     "such as 'forest -> water'"),
          map_option("compare", options.compared, "Map to compare",
                     "Plan a sample that shows which of two maps on the same grid is better, from as few points as "
                     "possible: they lie where the maps differ"),
          {.name = "strata",
           .help = "Class raster of the strata, on the grid of the map; unset: the classes of the map",
           .field = bound(options.strata),
           .file = {{FileContent::raster}}},
          {.name = "block",
           .value_name = "PIXELS",
           .help = "Of clusters: side of a block",
           .field = bound(options.draw.block),
           .least = 2,
           .most = kMostPixels},
          {.name = "block-points",
           .help = "Of clusters: points in a block",
           .field = bound(options.draw.block_points),
           .least = 1,
           .most = kMostPixels},
          {.name = "correlation",
           .value_name = "RHO",
           .help = "Of clusters: how alike pixels of a block are expected to be in being right or wrong; unset: 0.3",
           .field = bound(options.plan.correlation, NumberRange{.least = 0, .most = 1})},
          seed_option(options.draw.seed, "Seed of the drawing"),
          {.name = "out",
           .short_name = 'o',
           .help = "GeoPackage of points to write (.gpkg), with a style for QGIS; unset: the sample is planned only",
           .field = bound(options.out),
           .label = "Points",
           .file = {{FileContent::vector}, true, {".gpkg"}},
           .basic = true,
           .effect = Effect::run},
          report_option(options.report)};
}

CommandSyntax describe(SampleOptions& options) {
  return {
      .name = "sample",
      .summary = "Plan and draw a sample that shows how accurate a map is",
      .details =
          "Finds how many points a map needs for standard errors that are asked for, and draws them at random, with\n"
          "their probabilities. Enter the class of each point in the field 'class', in the order of the field\n"
          "'order', and give the file to 'parsimap assess', which says after any number of points what\n"
          "holds now and how many more reach the aim.",
      .arguments = {map_argument(options.map)},
      .options = joined(size_options(options), draw_options(options))};
}

Command sample_command() { return command_of(plan_and_draw, sample_json, sample_text); }

}  // namespace parsimap
