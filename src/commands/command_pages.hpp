// The pages that commands write as reports: their facts (date, raster, inputs), their pictures, and the pages of
// `train`, `assess` and `inspect`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/commands/assess.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/inspection_report.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/quicklook.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Today, as "2026-11-22" in UTC: the only thing on a page that depends on when it is made, beside the times that the
// work took. Where the environment variable SOURCE_DATE_EPOCH has seconds since 1970, it is their day, so that a page
// can be made again as it was (reproducible-builds.org). ConfigError when it is no whole number of seconds.
std::string page_date();

// True for names that end in .html or .htm.
bool is_page(const std::string& path);

// Announces a page. ConfigError: as OutputSet::stage(), and where is_page() does not hold: whatever else has that name
// is no page, and would be replaced.
const StagedOutput& stage_page(OutputSet& outputs, const std::string& role, const std::string& path);

// The command that has made a page, in the page itself: `parsimap verify` runs it again.
struct PageCommand {
  std::vector<std::string> words;  // command_words()
  std::string date;                // page_date()
};
std::string with_command(const std::string& html, const PageCommand& command);
// Nothing where the file names no command. DataError: it cannot be read, or names something else.
std::optional<PageCommand> command_of_page(const std::string& path);

// A file as the options name it, and what it is to the command.
using NamedInput = std::pair<std::string, std::string>;  // role, path

// Facts about the grid and the inputs, with all files that belong to each of them. Files beyond two gigabytes in all
// have no checksum, since that would take longer than a reader waits. IoError when a file cannot be read.
PageFacts page_facts(const std::string& date, const RasterGrid& grid, const std::vector<NamedInput>& inputs);

// Pictures of pages: maps, fields and marks as red, green, blue and opacity of every pixel, row-major.

using Rgba = std::vector<std::uint8_t>;

// Of right and wrong pixels, unless a class has a colour like these: class_colours() gives none.
inline constexpr Colour kRightColour = {25, 25, 25};
inline constexpr Colour kWrongColour = {230, 0, 230};
inline constexpr Colour kRejectedColour = {0, 0, 0};

// Classes in their colours, one for each; transparent where nothing is classified.
Rgba class_picture(const std::vector<std::uint16_t>& codes, const ClassTable& classes,
                   const std::vector<Colour>& colours);

// The same picture pale and grey, as a ground for marks.
Rgba pale(const Rgba& picture);

// Gives the pixel of the picture a colour.
void paint(Rgba& picture, Index position, const Colour& colour);

// Paints a pixel of the raster (row * width + column) where the picture shows it. In a large picture it becomes a
// square of 3 x 3, since a single dot would be hard to see.
void mark(Rgba& picture, const PictureLayout& layout, Index raster_width, std::int64_t pixel, const Colour& colour);

// A step of a scale of colours.
struct ColourStep {
  double below;  // values up to this one, itself excluded
  Colour colour;
  std::string text;
};

// Steps of probabilities, dark where they are low, and of novelty, dark where it is high.
const std::vector<ColourStep>& confidence_steps();
const std::vector<ColourStep>& novelty_steps();

// Values by their steps, transparent where there is none (NaN).
Rgba stepped_picture(const std::vector<float>& values, const std::vector<ColourStep>& steps);
std::vector<LegendEntry> legend_of(const std::vector<ColourStep>& steps);

// "bands 30 (650 nm), 20 (550 nm) and 12 (470 nm) as red, green and blue": those of picture_bands().
std::string picture_bands_text(const BandTable& bands);

// As the image of a page.
PageImage image_of(const std::string& name, const PictureLayout& layout, const Rgba& picture);

// The images of a raster, which all have this layout, with what a reader must know of what they show: nothing where it
// is all, that it is reduced, or a sheet of places. The legend has the colours.
RasterPictures raster_pictures(const PictureLayout& layout, std::vector<PageImage> images,
                               const std::vector<Colour>& colours = {}, std::string scene_bands = {});

// Where a map is right and wrong, as pictures.

// `comparison` is that of the map with `reference`. Reads single rows of the map. Errors as read(); IoError when a
// picture cannot be made.
ErrorPictures error_pictures(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison);

// The report of `assess`.

// The page of an assessment; `comparison` is that of the map with `reference`, and `date` that of the page. Reads
// single rows of the map, and all inputs for their checksums. Errors as read(); IoError when a picture cannot be made.
std::string assess_report(const AssessOptions& options, const Assessment& assessment, ClassMapSource& map,
                          const LabelledPixels& reference, const Comparison& comparison, const std::string& date);

// The report of `inspect`.

// The page of an inspection; `samples` are those that were evaluated, `scene` that from which they are, and `options`
// names and values. Reads single rows of three bands of the scene. Errors as read(); IoError when a picture cannot be
// made.
std::string inspect_report(const InspectionRecord& record,
                           const std::vector<std::pair<std::string, std::string>>& options, const SampleSet& samples,
                           SceneSource& scene, const PageFacts& facts);

// The report of `train`.

struct TrainReportSource {
  const SampleSet& samples;        // of the model
  SceneSource& scene;              // from which they are, or all scenes
  const RasterGrid& grid;          // of the first scene
  const TrainingOptions& options;  // of the training
  std::vector<NamedInput> inputs;  // files that were read
  std::string date;                // of the page
  bool pictures = true;            // whether the scene is one that can be seen, or spectra of a library
};

// The page of a training. Reads single rows of three bands of the scene, and all inputs for their checksums. Errors as
// read(); IoError when a picture cannot be made.
std::string train_report(const Model& model, const TrainingRecord& record, const TrainReportSource& source);

}  // namespace parsimap
