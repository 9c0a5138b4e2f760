#include "parsimap/report/inspection_report.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/json/json_text.hpp"
#include "parsimap/report/table.hpp"

#include "accuracy_measures.hpp"
#include "json_parts.hpp"

namespace parsimap {

std::vector<InspectedClass> inspected_classes(const InspectionRecord& record) {
  // Regions are counted by the class of their label; the agreement of a class comes from the confusion matrix of the
  // left-out predictions. Its rows are labels and its columns predictions, and pixels whose class was not known to the
  // classifiers that predicted them are not in it.
  std::vector<InspectedClass> all(record.classes.size());
  for (const RegionEvidence& region : record.evidence.regions) {
    InspectedClass& entry = all[static_cast<std::size_t>(region.evidence.label)];
    ++entry.regions;
    entry.suspicious_regions += region.evidence.margin < 0 ? 1 : 0;
    entry.pixels += static_cast<Index>(region.pixels.size());
  }
  std::vector<InspectedClass> labelled;
  for (std::size_t c = 0; c < all.size(); ++c) {
    all[c].name = record.classes[c].name;
    const TakenFor taken = taken_for(record.evidence.confusion, static_cast<Index>(c), record.classes);
    all[c].agreement = taken.right;
    all[c].taken_for = taken.other;
    if (all[c].regions > 0) {
      labelled.push_back(std::move(all[c]));
    }
  }
  return labelled;
}

std::vector<ConfusedPair> ranked_pairs(const InspectionRecord& record) {
  // The share of mutual confusion of the classes a and b is (n_ab + n_ba) / (n_a + n_b), where n_ab counts the left-out
  // pixels of a that are predicted as b, and n_a all pixels of a. It has no value where neither class was predicted.
  std::vector<ConfusedPair> pairs;
  const CountMatrix& counts = record.evidence.confusion;
  for (const ClassPair& pair : record.wavelengths->pairs) {
    const auto all = counts.row(pair.first).sum() + counts.row(pair.second).sum();
    pairs.push_back({pair, std::nullopt});
    if (all > 0) {
      pairs.back().confused = static_cast<double>(counts(pair.first, pair.second) + counts(pair.second, pair.first)) /
                              static_cast<double>(all);
    }
  }
  // The most confused pairs come first. Pairs of equal confusion, which are often those without any, follow by
  // ascending Bhattacharyya distance: of two pairs without errors, the one whose distributions overlap more is the
  // riskier one.
  std::ranges::stable_sort(pairs, [](const ConfusedPair& a, const ConfusedPair& b) {
    const double first = a.confused.value_or(0);
    const double second = b.confused.value_or(0);
    return first != second ? first > second : a.pair.bhattacharyya < b.pair.bhattacharyya;
  });
  return pairs;
}

Index suspicious_regions(const InspectionRecord& record) {
  return std::ranges::count_if(record.evidence.regions,
                               [](const RegionEvidence& region) { return region.evidence.margin < 0; });
}

constexpr Index kRegionsOnPage = 100;
// Of the loss of a class: at least this, and so many standard errors, since every class is asked for every interval.
constexpr double kSmallRise = 0.005;
constexpr double kClearRise = 2.5;
constexpr Index kLeastRegions = 5;  // of a class, below which a standard error says little
constexpr std::size_t kPairsInText = 10;
constexpr std::size_t kPairsOnPage = 50;

const std::string& class_name(const InspectionRecord& record, Index c) {
  return record.classes[static_cast<std::size_t>(c)].name;
}

// Whether one of the first `most` regions is the only one of its class.
static bool has_unknown(const InspectionRecord& record, Index most) {
  const auto& regions = record.evidence.regions;
  const auto end = regions.begin() + std::min<Index>(most, static_cast<Index>(regions.size()));
  return std::any_of(regions.begin(), end, [](const auto& region) { return !region.evidence.label_known; });
}

static std::string verdict(const InspectionRecord& record) {
  // A region is suspicious if its margin is negative: the evidence for some other class exceeds that for its label.
  const Index suspicious = suspicious_regions(record);
  return "Of " + counted(static_cast<Index>(record.evidence.regions.size()), "region") + " (" +
         counted(static_cast<Index>(record.evidence.pixels.size()), "pixel") + "), " + std::to_string(suspicious) +
         (suspicious == 1 ? " looks like another class than its label to classifiers that were trained without it."
                          : " look like another class than their label to classifiers that were trained without them.");
}

const char* const kUnknownNote =
    "Regions marked * are the only ones of their class: all that is known of them is whether another class claims "
    "them.";

static Table region_table(const InspectionRecord& record, Index most) {
  Table table{"The most suspicious regions, at most " + std::to_string(most),
              {"rank", "label", "most likely", "margin", "p label", "p likely", "pixels", "against", "x", "y"},
              {},
              "rllr"};
  const bool features =
      std::ranges::any_of(record.places, [](const RegionPlace& place) { return place.feature.has_value(); });
  if (features) {
    table.columns.emplace_back("feature");
  }
  for (std::size_t i = 0; i < record.evidence.regions.size() && static_cast<Index>(i) < most; ++i) {
    const RegionEvidence& region = record.evidence.regions[i];
    const LabelEvidence& evidence = region.evidence;
    const RegionPlace& place = record.places[i];
    table.rows.push_back(
        {std::to_string(evidence.rank), class_name(record, evidence.label) + (evidence.label_known ? "" : " *"),
         class_name(record, evidence.likely), std::isfinite(evidence.margin) ? fixed(evidence.margin, 2) : "-",
         fixed(evidence.label_probability, 2), fixed(evidence.likely_probability, 2),
         std::to_string(region.pixels.size()), std::to_string(region.against), coordinate(place.centre[0]),
         coordinate(place.centre[1])});
    if (features) {
      table.rows.back().push_back(place.feature ? std::to_string(*place.feature) : "-");
    }
  }
  return table;
}

static Table class_table(const InspectionRecord& record) {
  Table table{"Classes as they are labelled",
              {"class", "regions", "as another class", "pixels", "agree %", "mostly taken for"},
              {},
              "lrrrrl"};
  for (const InspectedClass& entry : inspected_classes(record)) {
    table.rows.push_back({entry.name, std::to_string(entry.regions), std::to_string(entry.suspicious_regions),
                          std::to_string(entry.pixels), percent(entry.agreement), entry.taken_for.value_or("-")});
  }
  return table;
}

static std::string interval_name(const IntervalRange& range) {
  if (range.wavelengths) {
    const auto whole = [](double value) { return std::to_string(std::lround(value)); };
    return whole((*range.wavelengths)[0]) + "-" + whole((*range.wavelengths)[1]) + " nm";
  }
  return "bands " + std::to_string(range.first + 1) + "-" + std::to_string(range.last + 1);
}

// The class that loses most without an interval, where its loss rises clearly, and by an amount that matters.
// The rise must exceed kSmallRise, so that it matters, and kClearRise of its standard errors. With one standard error
// some of the many combinations of class and interval would seem important by chance.
static std::string most_affected(const InspectionRecord& record, std::size_t interval) {
  const std::vector<ClassImportance>& classes = record.wavelengths->importance.by_class;
  std::string name = "-";
  double largest = kSmallRise;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const IntervalEffect& effect = classes[c].effects[interval];
    if (classes[c].groups >= kLeastRegions &&
        effect.loss_rise > std::max(largest, kClearRise * effect.loss_rise_error)) {
      largest = effect.loss_rise;
      name = record.classes[c].name + " (+" + fixed(effect.loss_rise, 3) + ")";
    }
  }
  return name;
}

static Table interval_table(const InspectionRecord& record) {
  Table table{
      "Intervals of bands, for all classes; needed by: the class whose own loss rises most without it, and by how much",
      {"interval", "needed by", "bands", "loss rise", "error", "right % without", "right % alone"},
      {},
      "llr"};
  const IntervalImportance& importance = record.wavelengths->importance;
  for (std::size_t k = 0; k < importance.intervals.size(); ++k) {
    const IntervalEffect& effect = importance.all.effects[k];
    // Losses are logarithmic losses of all left-out pixels, accuracies are shares of correct predictions.
    table.rows.push_back({interval_name(record.wavelengths->ranges[k]), most_affected(record, k),
                          std::to_string(importance.intervals[k].size()), fixed(effect.loss_rise, 3),
                          fixed(effect.loss_rise_error, 3), percent(effect.without.accuracy),
                          percent(effect.alone.accuracy)});
  }
  return table;
}

static Table pair_table(const InspectionRecord& record, std::size_t most) {
  Table table{"Pairs of classes, the most confused first, at most " + std::to_string(most),
              {"class", "and", "confused %", "Jeffries-Matusita", "Bhattacharyya"},
              {},
              "llr"};
  for (const ConfusedPair& entry : ranked_pairs(record)) {
    if (table.rows.size() < most) {
      table.rows.push_back({class_name(record, entry.pair.first), class_name(record, entry.pair.second),
                            percent(entry.confused), fixed(entry.pair.jeffries_matusita, 3),
                            short_number(entry.pair.bhattacharyya)});
    }
  }
  return table;
}

static std::string whole_spectrum_text(const InspectionRecord& record) {
  // Importance is reported in two complementary ways. Without an interval: the rise of the logarithmic loss when it is
  // replaced by its conditional mean given all other bands, which measures its own information. Alone: the accuracy of
  // classifiers that were trained on the interval, which measures what it has in common with the others as well.
  const ClassImportance& all = record.wavelengths->importance.all;
  const std::string whole = "With all bands " + percent(all.whole.accuracy) + " % of " + std::to_string(all.samples) +
                            " left-out pixels are right, at a logarithmic loss of " + fixed(all.whole.loss, 3) + ".";
  if (all.effects.empty()) {
    return whole;
  }
  // Ties are resolved in favour of the interval of the shortest wavelengths, which comes first.
  std::size_t best = 0;
  for (std::size_t k = 1; k < all.effects.size(); ++k) {
    best = all.effects[k].alone.accuracy > all.effects[best].alone.accuracy ? k : best;
  }
  return whole + " The best interval by itself is " + interval_name(record.wavelengths->ranges[best]) + ": " +
         percent(all.effects[best].alone.accuracy) + " %.";
}

static std::string wavelengths_text(const InspectionRecord& record) {
  return "\nWavelengths. " + whole_spectrum_text(record) +
         "\nloss rise: when the interval is replaced by its prediction from the other bands; alone: by classifiers "
         "trained\n"
         "on the interval, with the settings of the model; needed by: the class whose own loss rises most, and by "
         "how\n"
         "much.\n\n" +
         table_text(interval_table(record)) +
         "\nPairs of classes, the most confused first. Jeffries-Matusita: from 0, the same, to 2, apart.\n\n" +
         table_text(pair_table(record, kPairsInText));
}

static Section wavelength_section(const InspectionRecord& record) {
  return {
      .id = "wavelengths",
      .title = "Which wavelengths matter",
      .paragraphs =
          {whole_spectrum_text(record) +
           " In pixels that were left out of training, each interval of bands is replaced in turn by its "
           "prediction from the other bands: the rise of the loss measures the information that only this interval "
           "has. Then all other bands are replaced by their prediction from the interval: the accuracy that remains "
           "is that of the interval by itself. Intervals are cut where neighbouring bands decorrelate."},
      .tables = {interval_table(record)},
      .figures = {"wavelengths"}};
}

static Section pair_section(const InspectionRecord& record) {
  return {
      .id = "pairs",
      .title = "Pairs of classes",
      .paragraphs = {"Confused is the share of the left-out pixels of both classes that are taken for the other. The "
                     "Jeffries-Matusita distance goes from 0 (the same) to 2 (apart), and follows from the "
                     "Bhattacharyya distance of two normal distributions."},
      .tables = {pair_table(record, kPairsOnPage)}};
}

static Section suspect_section(const InspectionRecord& record, const RasterPictures& pictures) {
  Section section{
      .id = "suspects",
      .title = "Suspicious labels",
      .paragraphs = {"Every region was predicted by classifiers that were trained without it. The margin is their "
                     "evidence for its label less that for the best other class, the median over its pixels; below 0 "
                     "another class is likelier. Against are the pixels that look like another class; x and y are the "
                     "middle of the region. A suspicious label need not be wrong: look at the place."},
      .tables = {region_table(record, kRegionsOnPage)}};
  if (has_unknown(record, kRegionsOnPage)) {
    section.paragraphs.emplace_back(kUnknownNote);
  }
  if (!pictures.images.empty()) {
    section.pictures = {
        figure_of(pictures, "picture-suspects", "Where suspicious labels lie",
                  "Labelled pixels on the pale scene, in the colour of their region's place in the list.")};
  }
  return section;
}

std::string inspection_text(const InspectionRecord& record, Index most) {
  return verdict(record) +
         "\n\nThe most suspicious regions. margin: evidence for the label less that for the best other class;\n"
         "p: probability; against: pixels that look like another class; x, y: middle of the region.\n\n" +
         table_text(region_table(record, most)) +
         (has_unknown(record, most) ? "\n" + std::string(kUnknownNote) + "\n" : "") +
         "\nClasses as they are labelled. agree: pixels that look like their label.\n\n" +
         table_text(class_table(record)) + (record.wavelengths ? wavelengths_text(record) : "") + "\n" +
         time_text(record) + resampled_line(record.resampled) +
         files_text({{"suspects", record.suspects}, {"report", record.report}});
}

CommandPage inspection_page(const InspectionRecord& record,
                            const std::vector<std::pair<std::string, std::string>>& options,
                            const RasterPictures& pictures, const PageFacts& facts) {
  CommandPage page;
  page.title = record.labels.empty() ? "Labels" : "Labels of " + base_name(record.labels.front());
  page.verdict = {verdict(record)};
  page.sections = {
      suspect_section(record, pictures),
      {.id = "classes",
       .title = "Classes",
       .paragraphs = {"Agree is the share of the labelled pixels that look like their label to these classifiers."},
       .tables = {class_table(record)}}};
  if (record.wavelengths) {
    page.verdict.push_back(whole_spectrum_text(record));
    page.sections.push_back(wavelength_section(record));
    page.sections.push_back(pair_section(record));
  }
  add_origin(page, facts,
             {.options_title = "Options, time and side files",
              .options = options,
              .resampled = record.resampled,
              .tables = {files_table({{"suspects", record.suspects}})},
              .stages = stage_table(record)});
  return page;
}

// What `inspect` found, as its document and as the data of its page.

static PARSIMAP_RECORD(const InspectedClass, name, regions, suspicious_regions, pixels, agreement, taken_for);

static void list_fields(const IntervalEffect& effect, Fields& field) {
  PARSIMAP_FIELDS(effect, loss_rise, loss_rise_error);
  field("accuracy_without", effect.without.accuracy);
  field("loss_alone", effect.alone.loss);
  field("accuracy_alone", effect.alone.accuracy);
}

static void list_fields(const ClassImportance& importance, Fields& field) {
  field("pixels", importance.samples);
  field("regions", importance.groups);
  PARSIMAP_FIELDS(importance.whole, loss, accuracy);
  field("effects", importance.effects);
}

static void list_region(Fields& field, const InspectionRecord& record, std::size_t i) {
  const RegionEvidence& region = record.evidence.regions[i];
  const LabelEvidence& evidence = region.evidence;
  const RegionPlace& place = record.places[i];
  field("rank", evidence.rank);
  field("label", class_name(record, evidence.label));
  field("likely", class_name(record, evidence.likely));
  PARSIMAP_FIELDS(evidence, margin, label_probability, likely_probability, label_known);
  field("pixels", region.pixels.size());
  field("pixels_against", region.against);
  field("x", place.centre[0]);
  field("y", place.centre[1]);
  field("feature", place.feature);
}

static void list_interval(Fields& field, const WavelengthRecord& wavelengths, std::size_t k) {
  const IntervalRange& range = wavelengths.ranges[k];
  field("first_band", range.first + 1);
  field("last_band", range.last + 1);
  field("bands", wavelengths.importance.intervals[k].size());
  field("wavelengths", range.wavelengths);
}

static void list_pair(Fields& field, const InspectionRecord& record, const ConfusedPair& entry) {
  field("first", class_name(record, entry.pair.first));
  field("second", class_name(record, entry.pair.second));
  PARSIMAP_FIELDS(entry.pair, jeffries_matusita, bhattacharyya);
  field("confused", entry.confused);
}

// null where wavelengths were not examined. Classes without pixels are left out.
static void list_wavelengths(Fields& field, const InspectionRecord& record) {
  field.group("wavelengths", record.wavelengths, [&](const WavelengthRecord& wavelengths) {
    const std::vector<ClassImportance>& by_class = wavelengths.importance.by_class;
    // Classes of the model without evaluated pixels have no importance; the entries of the others keep the order of the
    // model.
    const Indices present = indices_where(by_class.size(), [&](std::size_t c) { return by_class[c].samples > 0; });
    const std::vector<ConfusedPair> pairs = ranked_pairs(record);
    field.groups("intervals", wavelengths.ranges.size(), [&](std::size_t k) { list_interval(field, wavelengths, k); });
    field("all", wavelengths.importance.all);
    field.groups("classes", present.size(), [&](std::size_t i) {
      field("name", class_name(record, present[i]));
      list_fields(by_class[static_cast<std::size_t>(present[i])], field);
    });
    field.groups("pairs", pairs.size(), [&](std::size_t i) { list_pair(field, record, pairs[i]); });
  });
}

std::string inspection_json(const InspectionRecord& record) {
  return document_text([&](Fields& field) {
    field.groups("regions", record.evidence.regions.size(), [&](std::size_t i) { list_region(field, record, i); });
    field("suspicious_regions", suspicious_regions(record));
    field("pixels", record.evidence.pixels.size());
    field("classes", inspected_classes(record));
    field("confusion", record.evidence.confusion);
    field("orientation", "rows are labels, columns are likely classes");
    list_wavelengths(field, record);
    PARSIMAP_FIELDS(record, repeats, seconds);
    field.numbers_by_name("stages", record.stages);
    PARSIMAP_FIELDS(record, model, scene, labels, suspects, resampled, report);
  });
}

std::string inspection_data_json(const InspectionRecord& record) {
  return document_text([&](Fields& field) {
    field("data", std::vector<std::string>());
    field("runs", std::vector<std::string>());
    list_wavelengths(field, record);
  });
}

}  // namespace parsimap
