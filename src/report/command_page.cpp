#include "parsimap/report/command_page.hpp"

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/experiment_json.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/report/validation_report.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "page_parts.hpp"

namespace parsimap {

namespace mustache = kainjow::mustache;

static mustache::list texts_of(const std::vector<std::string>& sentences) {
  return mapped<mustache::data>(sentences, [](const std::string& text) { return mustache::object{{"text", text}}; });
}

static mustache::list cells_of(const Table& table, const std::vector<std::string>& texts) {
  mustache::list cells;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    cells.push_back(mustache::object{
        {"text", texts[i]}, {"number", table.has_alignment(i, 'r')}, {"interval", table.has_alignment(i, 'i')}});
  }
  return cells;
}

static mustache::data table_data(const Table& whole) {
  const Table table = without_dashes(whole);
  return mustache::object{{"caption", table.caption},
                          {"columns", cells_of(table, table.columns)},
                          {"rows", mapped<mustache::data>(table.rows, [&](const std::vector<std::string>& row) {
                             return mustache::object{{"cells", cells_of(table, row)}};
                           })}};
}

// The width in which a picture is shown: pictures of few pixels are enlarged by a whole factor.
static Index shown_width(const Figure& picture) {
  // A whole factor keeps every pixel a square of equal size. The browser does not interpolate them (image-rendering in
  // page.css).
  constexpr Index kLeast = 640;
  const Index longest = std::max<Index>(1, std::max(picture.width, picture.height));
  return picture.width * std::max<Index>(1, kLeast / longest);
}

static mustache::data picture_data(const Figure& picture) {
  const mustache::list legend = mapped<mustache::data>(picture.legend, [](const LegendEntry& entry) {
    return mustache::object{{"name", entry.name}, {"colour", css_colour(entry.colour)}, {"text", entry.text}};
  });
  const mustache::list images = mapped<mustache::data>(picture.images, [](const PageImage& image) {
    return mustache::object{{"name", image.name}, {"source", image.source}};
  });
  return mustache::object{{"id", picture.id},
                          {"title", picture.title},
                          {"caption", picture.caption},
                          {"images", images},
                          {"two", picture.images.size() == 2},
                          {"beside", picture.beside},
                          {"legend", legend},
                          {"width", std::to_string(shown_width(picture))}};
}

static mustache::data section_data(const Section& section) {
  // Empty tables are left out, so that callers need not ask whether there is anything to show.
  std::vector<Table> tables = section.tables;
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  const auto named = [&](const std::string& name) {
    return mustache::object{{"name", name}, {"drawn", !section.figure_data.empty()}, {"values", section.figure_data}};
  };
  return mustache::object{{"id", section.id},
                          {"heading", section.title},
                          {"folded", section.folded},
                          {"paragraphs", texts_of(section.paragraphs)},
                          {"pictures", mapped<mustache::data>(section.pictures, picture_data)},
                          {"tables", mapped<mustache::data>(tables, table_data)},
                          {"figures", mapped<mustache::data>(section.figures, named)},
                          {"listed", !section.listing.empty()},
                          {"listing", section.listing}};
}

static Table files_in_table(const std::string& caption, const PageFacts& facts, bool main) {
  // Inputs have a role, such as "scene"; the further files of an input have none. The condition selects one of both
  // kinds.
  Table table{caption, {"what", "file", "SHA-256", "bytes"}, {}, "lllr"};
  for (const PageInput& input : facts.inputs) {
    if (input.role.empty() != main) {
      table.rows.push_back({input.role, input.path, input.sum, input.bytes});
    }
  }
  return table;
}

static Table grid_table(const PageFacts& facts) {
  Table table{"Raster", {"", ""}, {}, "l"};
  if (facts.width > 0) {
    table.rows = {{"size", std::to_string(facts.width) + " x " + std::to_string(facts.height) + " pixels"},
                  {"reference system", facts.crs},
                  {"pixel", facts.pixel_size.empty() ? "size unknown" : facts.pixel_size}};
  }
  return table;
}

std::string command_html(const CommandPage& page, const std::string& data) {
  const PageParts parts = page_parts();
  mustache::data content;
  content["title"] = page.title;
  content["judged"] = !page.verdict.empty();
  content["verdict"] = texts_of(page.verdict);
  content["lead"] = page.lead;
  content["origin"] = std::string("parsimap ") + PARSIMAP_VERSION + (page.date.empty() ? "" : ", " + page.date);
  content["sections"] = mapped<mustache::data>(page.sections, section_data);
  content["results"] = json_in_html(data);
  content["licences"] = std::string(parts.licences);
  content["style"] = std::string(parts.style);
  content["script"] = std::string(parts.script);
  mustache::mustache html{std::string(parts.page)};
  return html.render(content);
}

Figure figure_of(const RasterPictures& pictures, const std::string& id, const std::string& title,
                 const std::string& caption) {
  const std::string scene = pictures.scene_bands.empty() ? ""
                                                         : " The scene: " + pictures.scene_bands +
                                                               ", each stretched between its 2nd and 98th percentile.";
  return {id,
          title,
          pictures.shown + caption + scene,
          pictures.images,
          pictures.width,
          pictures.height,
          pictures.legend,
          pictures.sheet};
}

void add_origin(CommandPage& page, const PageFacts& facts, const PageOrigin& origin) {
  Section inputs{.id = "inputs",
                 .title = "Where it comes from",
                 .tables = {grid_table(facts),
                            files_in_table("Files that were read, with the checksums of their bytes", facts, true)}};
  if (origin.resampled) {
    inputs.paragraphs = {resampling_text(*origin.resampled) + "."};
  }
  add_all(inputs.tables, origin.tables);
  Table options{"Options as resolved", {"option", "value"}, {}, "l"};
  for (const auto& [name, value] : origin.options) {
    options.rows.push_back({name, value});
  }
  Section run{
      .id = "run",
      .title = origin.options_title,
      .tables = {std::move(options),
                 files_in_table("Further files of these, such as headers and the sources of a mosaic", facts, false),
                 origin.stages.value_or(Table{})},
      .folded = true};
  for (Section* section : {&inputs, &run}) {
    if (!section->paragraphs.empty() ||
        std::ranges::any_of(section->tables, [](const Table& table) { return !table.rows.empty(); })) {
      page.sections.push_back(std::move(*section));
    }
  }
  page.date = facts.date;
}

Table stage_table(const RunCost& cost) {
  Table table{kStageCaption, {"stage", "used"}, {}};
  for (const auto& [name, duration] : cost.stages) {
    table.rows.push_back({name, seconds_text(duration)});
  }
  table.rows.push_back({"all", seconds_text(cost.seconds)});
  if (cost.peak_memory_bytes) {
    table.rows.push_back({"peak memory", short_number(static_cast<double>(*cost.peak_memory_bytes >> 20U)) + " MB"});
  }
  return table;
}

std::string hectares(std::int64_t pixels, const std::optional<double>& pixel_area) {
  constexpr double kSquareMetres = 1e4;
  if (!pixel_area) {
    return "-";
  }
  // Below 10 ha three decimals are written: 0.001 ha is 10 square metres.
  const double area = static_cast<double>(pixels) * *pixel_area / kSquareMetres;
  return fixed(area, area < 10 ? 3 : 1);
}

std::string css_colour(const Colour& colour) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", colour[0], colour[1], colour[2]);
  return text.data();
}

std::string json_in_html(const std::string& json) {
  // Inside of a script element only "</script" and "<!--" have a meaning to HTML. Both begin with "<", which JSON
  // contains in texts only, where its escape sequence means the same.
  std::string text;
  for (const char letter : json) {
    text += letter == '<' ? "\\u003c" : std::string(1, letter);
  }
  return text;
}

// The data that the figures of pages are drawn from; command_page.hpp says what they mean.

static PARSIMAP_RECORD(const PageHistogram, name, caption, counts);
static PARSIMAP_RECORD(const ReliabilityBin, low, high, pixels, confidence, accuracy);

namespace {

struct PageTest {
  std::string name;
  std::string sentence;  // that a caption begins with
  std::optional<ConfusionMatrix> confusion;
};

void list_test(Fields& field, PageTest test) {
  field("name", test.name);
  field("sentence", test.sentence);
  field("samples", test.confusion->pixels());
  field("overall_accuracy", test.confusion->overall_accuracy());
  list_confusion(test.confusion, field);
}

// To the figures all that a page knows is a run of a method on data.
void list_run(Fields& field, const std::string& data, const MethodName& method, const std::vector<PageTest>& tests,
              const Model* model) {
  field("data", data);
  field("method", method);
  field("repeat", 0);
  field.groups("tests", tests.size(), [&](std::size_t i) { list_test(field, tests[i]); });
  field.groups("classes", model != nullptr ? model->classifiers.size() : 0, [&](std::size_t c) {
    const BinaryClassifier& classifier = model->classifiers[c];
    const Vector& weights = classifier.metric.weights;
    field("name", model->classes[c].name);
    field("trace", classifier.selection.trace);
    field("weights", std::vector(weights.begin(), weights.end()));
    field("rest_weight", classifier.metric.rest_weight);
  });
}

// The test set of a training is its validation, or else the training pixels that were left out in turn.
void list_training_run(Fields& field, const Model& model, const std::string& data) {
  std::vector<PageTest> tests;
  if (const auto& validation = model.provenance.validation) {
    // A validation trains complete models and is preferred to the left-out pixels, as in training_verdict().
    const std::string title = validation_title(*validation);
    tests.push_back(
        {title, "These pixels were tested in " + title + ".", validation_scores(*validation, model.classes).pooled});
  } else if (const auto& left_out = model.provenance.left_out.confusion) {
    tests.push_back({"left-out training pixels", "These training pixels were left out in turn.",
                     ConfusionMatrix(class_names(model.classes), *left_out)});
  }
  const std::string criterion = model.classifiers.empty() ? "" : model.classifiers.front().selection.criterion;
  list_run(field, data, {to_string(model.family), criterion, ""}, tests, &model);
}

// The test set of an assessment is the reference.
void list_assessment_run(Fields& field, const Assessment& record) {
  // The figure of the confusion matrix is the same for all pages: a map is shown as the method "against REFERENCE" on
  // the data MAP.
  const std::string reference = base_name(record.reference);
  list_run(field, base_name(record.map), {"against " + reference, "", ""},
           {{reference, "These are the pixels of " + reference + " that have a class in the map.", record.confusion}},
           nullptr);
}

// `assessment` is that of a map of the model, where there is one.
void list_training(Fields& field, const Model& model, const DataDescription& samples,
                   const std::vector<double>& dropped_wavelengths, const std::vector<Colour>& colours,
                   const Assessment* assessment = nullptr) {
  field("data", std::vector{samples});
  // The figures were made for experiments, whose unit is a run. The training is one run, with its left-out pixels as
  // the test, and an assessment of a map is another one, with the reference as the test.
  field.groups("runs", assessment != nullptr ? 2 : 1, [&](std::size_t i) {
    if (i == 0) {
      list_training_run(field, model, samples.name);
    } else {
      list_assessment_run(field, *assessment);
    }
  });
  field("colours", mapped<std::string>(colours, css_colour));
  // Bands are counted from 1 on pages and from 0 in the program.
  field("band_numbers", mapped<Index>(model.bands, [](Index band) { return band + 1; }));
  field("dropped_bands", mapped<Index>(model.dropped_bands, [](const DroppedBand& band) { return band.band + 1; }));
  field("dropped_wavelengths", dropped_wavelengths);
  field("unit_design", model.provenance.units);
}

void list_areas(Fields& field, const std::vector<ClassPixels>& classes, const std::vector<Colour>& colours) {
  field.groups("areas", colours.size(), [&](std::size_t c) {
    PARSIMAP_FIELDS(classes[c], code, name);
    field("colour", css_colour(colours[c]));
    field("pixels", classes[c].pixels);
  });
}

}  // namespace

std::string training_data_json(const Model& model, const DataDescription& samples, const BandTable& scene_bands,
                               const std::vector<Colour>& colours) {
  const Indices dropped = mapped<Index>(model.dropped_bands, &DroppedBand::band);
  return document_text(
      [&](Fields& field) { list_training(field, model, samples, wavelengths_of(scene_bands, dropped), colours); });
}

std::string mapping_data_json(const MappingRecord& record, const std::vector<Colour>& colours,
                              const std::vector<PageHistogram>& histograms) {
  return document_text([&](Fields& field) {
    field("data", std::vector<std::string>());
    field("runs", std::vector<std::string>());
    list_areas(field, record.classes, colours);
    field("histograms", histograms);
  });
}

std::string assessment_data_json(const Assessment& record) {
  return document_text([&](Fields& field) {
    field("data", std::vector<std::string>());
    field.groups("runs", 1, [&](std::size_t) { list_assessment_run(field, record); });
    if (record.reliability) {
      field("reliability", record.reliability->bins());
    }
  });
}

std::string model_data_json(const Model& model) {
  return document_text(
      [&](Fields& field) { list_training(field, model, describe_model(model), {}, class_colours(model.classes)); });
}

std::string combined_data_json(const CombinedData& data) {
  return document_text([&](Fields& field) {
    list_training(field, data.model, describe_model(data.model), {}, class_colours(data.model.classes),
                  &data.assessment);
    list_areas(field, data.map_classes, data.map_colours);
  });
}

}  // namespace parsimap
