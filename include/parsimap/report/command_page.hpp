// What a command did as one page of HTML that opens from disk: pictures, tables, figures with their numbers in tables,
// and the charting library are inside, and it loads nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct LegendEntry {
  std::string name;
  Colour colour{};
  std::string text;  // beside the name
};

struct PageImage {
  std::string name;    // such as "scene"
  std::string source;  // a data URI
};

// One image, or two of the same size that the reader wipes between; on paper they stand side by side.
struct Figure {
  std::string id;
  std::string title;
  std::string caption;
  std::vector<PageImage> images;
  Index width = 0;  // pixels of each image
  Index height = 0;
  std::vector<LegendEntry> legend;
  bool beside = false;  // two images stand side by side on the screen, too
};

// Pictures of a raster as a command has drawn them; figure_of() makes a figure of them.
struct RasterPictures {
  std::vector<PageImage> images = {};
  Index width = 0;  // pixels of each picture
  Index height = 0;
  std::vector<LegendEntry> legend = {};  // of classes, in their order, without names where the report knows these
  std::string scene_bands = {};          // what is red, green and blue in the scene; empty where there is none
  std::string shown = {};                // what part of the raster is shown, a sentence or nothing
  bool sheet = false;                    // the pictures are sheets of places
};
Figure figure_of(const RasterPictures& pictures, const std::string& id, const std::string& title,
                 const std::string& caption);

struct Section {
  std::string id;
  std::string title;
  std::vector<std::string> paragraphs = {};
  std::vector<Figure> pictures = {};
  std::vector<Table> tables = {};         // those without rows are left out
  std::vector<std::string> figures = {};  // by their names in html/page.js; those without data are left out
  std::string figure_data = {};           // JSON text, for figures of what the data of the page do not hold
  std::string listing = {};               // text that is shown as it is
  bool folded = false;                    // details, which the reader unfolds and paper leaves out
};

// A file that the page rests on.
struct PageInput {
  std::string role;  // such as "scene"; empty for a further file of the input before, such as a header
  std::string path;
  std::string bytes;
  std::string sum;  // SHA-256, or why there is none
};

// Where a page comes from, and where its pixels lie.
struct PageFacts {
  std::string date;  // "2026-11-22"
  std::string crs;
  std::string pixel_size;            // "30 x 30 m"; empty where it is not known
  std::optional<double> pixel_area;  // square metres
  Index width = 0, height = 0;       // of the raster; 0 where there is none
  std::vector<PageInput> inputs;
};

struct CommandPage {
  std::string title;
  std::vector<std::string> verdict;  // sentences, or none; the first is what a reader wants to know first
  std::string lead;
  std::string date;  // empty: none is shown
  std::vector<Section> sections;
};

// `data` is the JSON text that the figures are drawn from. Of these keys a page has those that its command knows
// something of, and empty lists for `data` and `runs` where it does not:
//   data         the training samples, as in results.json (report/experiment_report.hpp)
//   runs         data (its name), method, repeat, tests: name, samples, overall_accuracy, confusion_matrix (as in
//                results.json), classes: name, trace, weights, rest_weight
//   colours      of the classes of `data`, "#rrggbb"
//   band_numbers, dropped_bands   of the training scene, from 1; dropped_wavelengths (nanometres, where all are known)
//   areas        code, name, colour ("#rrggbb"), pixels of every class of a map
//   histograms   name, caption, counts (of equal bins of [0, 1])
//   reliability  low, high, pixels, confidence (mean), accuracy (share right) of bins of the largest probability
//   wavelengths  as in the document of `inspect --json` (inspection_json()), or null
std::string command_html(const CommandPage& page, const std::string& data);

// What the last two sections of a page have beside its facts.
struct PageOrigin {
  std::string options_title;                                        // of the folded section of options
  const std::vector<std::pair<std::string, std::string>>& options;  // names and values, as resolved
  std::optional<ResamplingFacts> resampled = {};                    // of the scene to the bands of the model
  std::vector<Table> tables = {};                                   // after those of the raster and of the inputs
  std::optional<Table> stages = {};
};
// Adds the sections "inputs" (raster, files that were read with sizes and checksums, further tables) and "run"
// (options, side files of the inputs, stages), and the date. Sections without content are left out.
void add_origin(CommandPage& page, const PageFacts& facts, const PageOrigin& origin);

// Stages of a run, its time and its peak memory.
inline const std::string kStageCaption = "Time and memory; stages may overlap";
Table stage_table(const RunCost& cost);

// Hectares of so many pixels, as in "12.5"; "-" where the area of a pixel is not known.
std::string hectares(std::int64_t pixels, const std::optional<double>& pixel_area);

// "#rrggbb".
std::string css_colour(const Colour& colour);

// JSON as the text of a script element. Every "<" is escaped, which in JSON stands inside of strings alone: so no text
// of the user's can end the element.
std::string json_in_html(const std::string& json);

}  // namespace parsimap
