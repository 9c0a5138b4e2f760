#include "parsimap/report/mapping_report.hpp"

#include <algorithm>

#include "parsimap/core/text.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/report/training_report.hpp"

#include "json_parts.hpp"

namespace parsimap {

// "75.0"; "-" where there is no pixel at all.
static std::string share_text(std::int64_t pixels, std::int64_t all) {
  return percent(quotient(static_cast<double>(pixels), static_cast<double>(all)));
}

// The classes of the most pixels, "maple (40.0 %) and oak (33.1 %)".
static std::string largest_text(const MappingRecord& record) {
  std::vector<ClassPixels> classes = record.classes;
  // A stable order keeps classes of equal size in the order of the class table, so that the same map has the same text.
  std::ranges::stable_sort(classes, [](const auto& a, const auto& b) { return a.pixels > b.pixels; });
  const auto text = [&](const ClassPixels& entry) {
    return entry.name + " (" + share_text(entry.pixels, record.classified) + " %)";
  };
  std::string largest = text(classes.front());
  if (classes.size() > 1 && classes[1].pixels > 0) {
    largest += " and " + text(classes[1]);
  }
  return largest;
}

static std::vector<std::string> verdict(const MappingRecord& record, const MapCertainty& certainty,
                                        const PageFacts& facts) {
  if (record.classified == 0 || record.classes.empty()) {
    return {"No pixel was classified: " + grouped(record.rejected) + " were rejected, and " +
            grouped(record.pixels - record.rejected) + " have no data."};
  }
  const auto used = std::ranges::count_if(record.classes, [](const ClassPixels& entry) { return entry.pixels > 0; });
  const std::string area = facts.pixel_area ? " (" + hectares(record.classified, facts.pixel_area) + " ha)" : "";
  // The order of the sentences is that of their importance: what was mapped, how certain it is, what has no class, and
  // what is unlike the training classes. Sentences without content are left out.
  std::vector<std::string> sentences = {"Mapped " + counted(record.classified, "pixel") + area + " in " +
                                        counted(used, "class") + "; most of it is " + largest_text(record) + "."};
  if (certainty.sure) {
    sentences.push_back(percent(certainty.sure) +
                        " % of the pixels with data have a class of probability 0.9 or more.");
  }
  if (record.rejected > 0) {
    sentences.push_back(counted(record.rejected, "pixel") + " (" +
                        share_text(record.rejected, record.classified + record.rejected) +
                        " % of those with data) were rejected and have no class.");
  }
  if (record.undeclared > 0) {
    sentences.push_back(
        counted(record.undeclared, "pixel") +
        " whose bands are all 0, one value far from all training values, or far below them count as no data.");
  }
  // Novelty is 1 minus the p-value of the distance of a spectrum from its class (docs/method.md, "Novelty"): 5 % of the
  // pixels of known surfaces exceed 0.95 by construction. A larger share indicates surfaces without labels.
  if (certainty.novel) {
    sentences.push_back(percent(certainty.novel) +
                        " % of the pixels with data are unlike all classes of training (novelty of 0.95 or more); of "
                        "known surfaces it would be about 5 %.");
  }
  return sentences;
}

static Section certainty_section(const MappingRecord& record, const MapPictures& pictures, const Section& trust) {
  Section section = trust;
  section.figures.emplace_back("histogram");
  const auto add = [&](const std::string& name, const std::string& title, const std::string& caption,
                       const std::vector<PageImage>& images, const std::vector<LegendEntry>& legend) {
    if (!images.empty()) {
      section.pictures.push_back({"picture-" + name, title, caption, images, pictures.width, pictures.height, legend});
    }
  };
  add("rejected", "Rejected pixels", "Black pixels had data, but no class that was sure enough.", pictures.rejected,
      {{"rejected", {0, 0, 0}, counted(record.rejected, "pixel")}});
  add("confidence", "Confidence", "The largest probability of every pixel; dark where the map is unsure.",
      pictures.confidence, pictures.confidence_legend);
  add("novelty", "Novelty",
      "How unlike all classes of training every pixel is; dark places may be surfaces that nobody labelled.",
      pictures.novelty, pictures.novelty_legend);
  return section;
}

static std::int64_t without_data(const MappingRecord& record) {
  return record.pixels - record.classified - record.rejected;
}

static Table pixel_table(const MappingRecord& record) {
  return {"Pixels of the scene",
          {"", "pixels"},
          {{"classified", std::to_string(record.classified)},
           {"rejected", std::to_string(record.rejected)},
           {"no data", std::to_string(without_data(record))},
           {"all", std::to_string(record.pixels)}}};
}

static NamedFiles output_files(const MappingRecord& record) {
  NamedFiles files = {{"map", record.map}};
  for (const LayerFile& layer : record.layers) {
    files.emplace_back(layer.name, layer.file);
  }
  files.emplace_back("segments classified", record.segments_out);
  files.emplace_back("polygons", record.polygons);
  files.emplace_back("STAC item", record.stac);
  return files;
}

// "neighbours:1:2 (chosen by auto)"; "none".
static std::string regularisation_text(const MappingRecord& record) {
  return record.regularisation +
         (record.regularise == record.regularisation ? "" : " (chosen by " + record.regularise + ")");
}

// What was planned, of a map of which no part was made.
static std::string plan_text(const MappingRecord& record) {
  const MapShard& shard = *record.shard;
  return "Planned " + std::to_string(shard.shard.count) + " parts of " + record.map +
         ".\nRegularised: " + regularisation_text(record) + "\nParts: " + shard.folder + "\n";
}

// "Part 3 of 64 of map.tif: rows 513 to 768.", of a part.
static std::string shard_text(const MappingRecord& record) {
  if (!record.shard) {
    return "";
  }
  const MapShard& shard = *record.shard;
  return "Part " + std::to_string(shard.shard.number) + " of " + std::to_string(shard.shard.count) + " of " +
         record.map + ": " +
         (shard.rows.size() == 0
              ? "no rows"
              : "rows " + std::to_string(shard.rows.first + 1) + " to " + std::to_string(shard.rows.last)) +
         (shard.done ? ", which was complete already.\n" : ".\n");
}

Table class_pixel_table(const std::vector<ClassPixels>& classes, const std::string& pixels) {
  Table table{"", {"code", "class", pixels}, {}, "rlr"};
  for (const ClassPixels& entry : classes) {
    table.rows.push_back({std::to_string(entry.code), entry.name, std::to_string(entry.pixels)});
  }
  return table;
}

// Classes with their pixels and shares of the classified pixels.
static Table class_table(const std::vector<ClassPixels>& classes, std::int64_t classified) {
  Table table = class_pixel_table(classes, "pixels");
  table.columns.emplace_back("share %");
  for (std::size_t c = 0; c < classes.size(); ++c) {
    table.rows[c].push_back(share_text(classes[c].pixels, classified));
  }
  return table;
}

static Table area_table(const std::vector<ClassPixels>& classes, std::int64_t classified, const PageFacts& facts) {
  Table table = class_table(classes, classified);
  table.caption = facts.pixel_area ? "Mapped area" : "Mapped pixels; their area is not known";
  table.columns.emplace_back("ha");
  for (std::size_t c = 0; c < classes.size(); ++c) {
    table.rows[c].push_back(hectares(classes[c].pixels, facts.pixel_area));
  }
  return table;
}

// The features that most hangs on.
static Section deciding_section(const MappingRecord& record, const PageFacts& facts) {
  constexpr std::size_t kShown = 20;
  std::vector<DecidingFeature> features = record.deciding;
  std::ranges::stable_sort(features, [](const auto& a, const auto& b) {
    return a.hanging != b.hanging ? a.hanging > b.hanging : a.pixels > b.pixels;
  });
  features.resize(std::min(kShown, features.size()));
  Table table{"Labelled features on which most of the map hangs",
              {"feature", "class", "speaks most for, pixels", "ha", "hang on it, pixels", "ha"},
              {},
              "llrrrr"};
  for (const DecidingFeature& one : features) {
    table.rows.push_back({std::to_string(one.feature) + (one.part > 1 ? ", part " + std::to_string(one.part) : "") +
                              (one.labels.empty() ? "" : " of " + base_name(one.labels)),
                          one.name, std::to_string(one.pixels), hectares(one.pixels, facts.pixel_area),
                          std::to_string(one.hanging), hectares(one.hanging, facts.pixel_area)});
  }
  return {.id = "deciding",
          .title = "Labels that decide",
          .paragraphs = {"Every pixel is counted at the feature that speaks most for its class before neighbours are "
                         "asked, compared with what the feature says on average over the scene. It hangs on the "
                         "feature if another class would lead without that difference: check these labels first."},
          .tables = {table}};
}

// "Prediction sets of 90 %: 1.4 classes on average; none for 1.0 % of the pixels, one for 70.1 %. In every set, ..."
static std::string sets_sentence(const SetSizes& sets) {
  std::int64_t all = 0;
  double classes = 0;
  for (std::size_t size = 0; size < sets.pixels.size(); ++size) {
    all += sets.pixels[size];
    classes += static_cast<double>(size) * static_cast<double>(sets.pixels[size]);
  }
  std::string text = "Prediction sets of " + percent(sets.level) + " %: ";
  if (all == 0) {
    return text + "no pixel";
  }
  text += fixed(classes / static_cast<double>(all), 2) + " classes on average; none for " +
          share_text(sets.pixels[0], all) + " % of the pixels, one for " + share_text(sets.pixels[1], all) + " %.";
  std::vector<std::string> always;
  for (const SetClass& one : sets.classes) {
    if (one.threshold == 0) {
      always.push_back(one.name + " (units left out: " + std::to_string(one.units) + ")");
    }
  }
  return always.empty() ? text : text + " In every set, for lack of units: " + listed(always, " and ") + ".";
}

// The map in a picture, beside its scene where that is known.
static Figure map_picture(const std::vector<ClassPixels>& classes, std::int64_t classified,
                          const MapPictures& pictures) {
  Figure picture = figure_of(pictures, "picture-map", "Class map",
                             std::string("Chequered pixels are not classified") +
                                 (pictures.rejected.empty() ? "." : ", those rejected included."));
  for (std::size_t c = 0; c < picture.legend.size(); ++c) {
    picture.legend[c].name = classes[c].name;
    if (classified > 0) {
      picture.legend[c].text = share_text(classes[c].pixels, classified) + " %";
    }
  }
  return picture;
}

std::string mapping_text(const MappingRecord& record) {
  if (record.shard && record.shard->shard.number == 0) {
    return plan_text(record);
  }
  // Shares are those of the classified pixels. Rejected pixels and pixels without data are both 0 in the map and are
  // counted separately.
  Table table = class_table(record.classes, record.classified);
  if (record.rejected > 0) {
    table.rows.push_back({"0", "unclassified (rejected)", std::to_string(record.rejected), ""});
  }
  table.rows.push_back({"0", "unclassified (no data)", std::to_string(without_data(record)), ""});
  std::string text = shard_text(record) + "Classified " + std::to_string(record.classified) + " of " +
                     std::to_string(record.pixels) + " pixels of " + record.scene + " with " + record.model + ".\n\n" +
                     table_text(table) + "\n" + time_text(record);
  if (record.regularise != "none") {
    text += "Regularised: " + regularisation_text(record) + "\n";
  }
  if (record.region) {
    text += "Region: " + *record.region + "\n";
  }
  if (record.segments) {
    text += "Segments: " + std::to_string(record.segment_count) + " of " + *record.segments + "\n";
  }
  text += record.sets ? sets_sentence(*record.sets) + "\n" : "";
  text += resampled_line(record.resampled);
  if (record.shard) {
    return text + "Parts: " + record.shard->folder + "\n";
  }
  return text + files_text(output_files(record)) + files_text({{"report", record.report}});
}

static std::vector<std::string> map_paragraphs(const MappingRecord& record) {
  std::vector<std::string> paragraphs = {"Regularised: " + regularisation_text(record) + "."};
  if (record.sets) {
    paragraphs.push_back(sets_sentence(*record.sets));
  }
  return paragraphs;
}

CommandPage map_page(const MappingRecord& record, const MapPictures& pictures, const MapCertainty& certainty,
                     const PageFacts& facts, const std::vector<std::pair<std::string, std::string>>& options) {
  CommandPage page;
  page.title = "Map of " + base_name(record.scene);
  page.verdict = verdict(record, certainty, facts);
  page.lead = grouped(record.classified) + " of " + counted(record.pixels, "pixel") +
              (record.region ? " of the region " + base_name(*record.region) : "") +
              " were classified with the model " + base_name(record.model) + ".";
  page.sections = {
      {.id = "map", .title = "Map", .pictures = {map_picture(record.classes, record.classified, pictures)}},
      {.id = "classes",
       .title = "Classes",
       .paragraphs = map_paragraphs(record),
       .tables = {area_table(record.classes, record.classified, facts), pixel_table(record)},
       .figures = {"areas"}},
      certainty_section(record, pictures, certainty.trust)};
  if (!record.deciding.empty()) {
    page.sections.push_back(deciding_section(record, facts));
  }
  NamedFiles files = output_files(record);
  files.insert(files.end() - 2, {"segments", record.segments});
  add_origin(page, facts,
             {.options_title = "Options, time and side files",
              .options = options,
              .resampled = record.resampled,
              .tables = {files_table(files)},
              .stages = stage_table(record)});
  return page;
}

static std::string mosaic_text(const MosaicRecord& mosaic) {
  return "\nMosaic of " + std::to_string(mosaic.scenes) + " maps: " + std::to_string(mosaic.classified) + " of " +
         std::to_string(mosaic.pixels) + " pixels have a class; where several maps have one (" +
         std::to_string(mosaic.contested) + " pixels) the most confident counts.\n\n" +
         table_text(class_table(mosaic.classes, mosaic.classified)) + "\nMosaic: " + mosaic.path + "\n";
}

std::string scenes_text(const ScenesRecord& record) {
  Table table{"", {"scene", "pixels", "classified", "rejected"}, {}};
  std::string files;
  std::string failures;
  for (const SceneOutcome& outcome : record.scenes) {
    if (outcome.record) {
      const MappingRecord& map = *outcome.record;
      table.rows.push_back(
          {outcome.scene, std::to_string(map.pixels), std::to_string(map.classified), std::to_string(map.rejected)});
      files += map.map.empty() ? "" : "Map: " + map.map + "\n";
    } else {
      table.rows.push_back({outcome.scene, "-", "failed", "-"});
      failures += "Failed: " + outcome.failure + "\n";
    }
  }
  // Scenes that failed have no record, and their reasons follow the list of the files that were written.
  const auto done =
      std::ranges::count_if(record.scenes, [](const SceneOutcome& outcome) { return outcome.record.has_value(); });
  return "Classified " + std::to_string(done) + " of " + std::to_string(record.scenes.size()) + " scenes with " +
         record.model + ".\n\n" + table_text(table) + "\n" + time_text({record.seconds}) + files + failures +
         (record.mosaic ? mosaic_text(*record.mosaic) : "");
}

// The confusion of left-out pixels is drawn with that of the map, and so is not drawn here.
static std::vector<Section> learnt_sections(const Model& model) {
  std::vector<Section> sections = model_sections(model);
  std::erase_if(sections, [](const Section& section) { return section.id == "confusion"; });
  for (Section& section : sections) {
    std::erase(section.figures, "confusion");
  }
  sections.front().title = "Training";
  sections.front().paragraphs = training_verdict(model);
  return sections;
}

CommandPage combined_page(const CombinedPage& content) {
  const MapContent& map = content.map;
  CommandPage page;
  page.title = "Map, accuracy and training of " + base_name(map.path);
  page.verdict = accuracy_verdict(content.assessment);
  // Only the first sentence about the training is repeated here; all of them introduce the section on the training.
  page.verdict.push_back(training_verdict(content.model).front());
  page.lead = "The map " + base_name(map.path) + " of " + counted(map.classified, "pixel") +
              (content.facts.pixel_area ? " (" + hectares(map.classified, content.facts.pixel_area) + " ha)" : "") +
              ", compared with the reference " + base_name(content.assessment.reference) + ".";
  page.sections = {{.id = "map",
                    .title = "Map",
                    .pictures = {map_picture(map.classes, map.classified, content.pictures)},
                    .tables = {area_table(map.classes, map.classified, content.facts)}}};
  // Map, accuracy and training follow each other, as the questions of a reader do.
  add_all(page.sections, accuracy_sections(content.assessment, content.errors));
  add_all(page.sections, learnt_sections(content.model));
  add_origin(page, content.facts,
             {.options_title = "Options of the training, and side files",
              .options = content.model.provenance.options,
              .tables = {training_input_table(content.model)}});
  return page;
}

// What `classify` and `report` made, as documents.

PARSIMAP_RECORD(DecidingFeature, labels, feature, part, name, pixels, hanging);
static PARSIMAP_RECORD(SetClass, name, units, threshold);
PARSIMAP_RECORD(SetSizes, level, pixels, classes);
PARSIMAP_RECORD(ResamplingFacts, scene, scene_bands, used_bands, bands, narrower, largest_distance);

void list_band(Fields& field, Index band, const Band& known) {
  Band written = known;
  field("band", band + 1);
  list_fields(written, field);
}

// Rows count from 0.
static void list_fields(const MapShard& shard, Fields& field) {
  PARSIMAP_FIELDS(shard.shard, number, count);
  field("first_row", shard.rows.first);
  field("rows", shard.rows.size());
  field("complete_before", shard.done);
  field("folder", shard.folder);
}

static void list_entry(Fields& field, const ClassPixels& entry) { PARSIMAP_FIELDS(entry, name, pixels, code); }

void list_class_pixels(Fields& field, const std::vector<ClassPixels>& classes) {
  field.groups("classes", classes.size(), [&](std::size_t c) { list_entry(field, classes[c]); });
}

void list_class_shares(Fields& field, const std::vector<ClassPixels>& classes, std::int64_t classified) {
  field.groups("classes", classes.size(), [&](std::size_t c) {
    list_entry(field, classes[c]);
    field("share", quotient(static_cast<double>(classes[c].pixels), static_cast<double>(classified)));
  });
}

void list_fields(const MappingRecord& record, Fields& field) {
  PARSIMAP_FIELDS(record, map, pixels, classified);
  list_class_shares(field, record.classes, record.classified);
  field("seconds", record.seconds);
  field.numbers_by_name("stages", record.stages);
  // All pixels of the scene count, also those without data, over the wall-clock time of the complete command.
  field("pixels_per_second", quotient(static_cast<double>(record.pixels), record.seconds));
  field("peak_memory_mb", megabytes(record.peak_memory_bytes));
  PARSIMAP_FIELDS(record, scene, model);
  for (const LayerFile& layer : record.layers) {
    // Every possible layer has a key, null where it was not written, so that the document always has the same keys.
    std::string key = layer.name;
    std::ranges::replace(key, ' ', '_');
    field(key, layer.file);
  }
  field("deciding_features", record.deciding.empty() ? std::nullopt : std::optional(record.deciding));
  PARSIMAP_FIELDS(record, sets, segments, segments_out);
  field("segment_count", record.segments ? std::optional(record.segment_count) : std::nullopt);
  PARSIMAP_FIELDS(record, region, resampled, polygons, stac, report, rejected, undeclared, regularise, regularisation,
                  shard);
}

std::string mapping_json(const MappingRecord& record) {
  return document_text([&](Fields& field) { list_fields(record, field); });
}

std::string scenes_json(const ScenesRecord& record) {
  return document_text([&](Fields& field) {
    field("model", record.model);
    field.groups("scenes", record.scenes.size(), [&](std::size_t i) {
      const SceneOutcome& outcome = record.scenes[i];
      if (outcome.record) {
        list_fields(*outcome.record, field);
      } else {
        PARSIMAP_FIELDS(outcome, scene, failure);
      }
    });
    field.group("mosaic", record.mosaic, [&](const MosaicRecord& mosaic) {
      field("map", mosaic.path);
      PARSIMAP_FIELDS(mosaic, scenes, pixels, classified, contested);
      list_class_shares(field, mosaic.classes, mosaic.classified);
    });
    field("seconds", record.seconds);
  });
}

std::string report_json(const std::string& page) {
  return document_text([&](Fields& field) { field("report", page); });
}

}  // namespace parsimap
