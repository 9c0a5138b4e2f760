#include "parsimap/report/accuracy_report.hpp"

#include <algorithm>

#include "parsimap/core/text.hpp"
#include "parsimap/report/table.hpp"

#include "accuracy_measures.hpp"
#include "comparison_table.hpp"

namespace parsimap {

// Codes of the map; "-" for a class that it does not have. Where codes are not known, classes are numbered from 1.
static NamedCodes classes_of(const Assessment& record) {
  NamedCodes classes{record.confusion.names(), {}};
  for (std::size_t c = 0; c < classes.names.size(); ++c) {
    classes.codes.push_back(record.codes.empty() ? std::to_string(c + 1)
                            : record.codes[c]    ? std::to_string(*record.codes[c])
                                                 : "-");
  }
  return classes;
}

static Table class_table(const Assessment& record) {
  Table table{"By class", {"", "class", "reference", "map"}, {}, "rlrrririri"};
  // How many regions the pixels of a class lie in says more than their number.
  const bool by_region = record.intervals.regions.has_value();
  if (by_region) {
    table.columns.insert(table.columns.begin() + 3, "regions");
    table.alignment.insert(3, "r");
  }
  const NamedCodes classes = classes_of(record);
  for (Index c = 0; c < record.confusion.size(); ++c) {
    const ClassAccuracy accuracy = record.confusion.class_accuracy(c);
    std::vector<std::string> row = {classes.codes[static_cast<std::size_t>(c)],
                                    classes.names[static_cast<std::size_t>(c)],
                                    std::to_string(accuracy.reference_pixels), std::to_string(accuracy.map_pixels)};
    const ClassIntervals& intervals = record.intervals.classes[static_cast<std::size_t>(c)];
    if (by_region) {
      row.insert(row.begin() + 3, intervals.regions ? std::to_string(*intervals.regions) : "-");
    }
    for (const Measure& measure : class_measures(record.confusion, c, intervals)) {
      row.insert(row.end(), {value_text(measure, measure.value), interval_text(measure)});
      if (c == 0) {
        table.columns.insert(table.columns.end(), {measure.title, ""});
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

static Table overall_table(const Assessment& record) {
  Table table{"Of all classes", {"measure", "value", ""}, {}, "lri"};
  for (const Measure& measure : overall_measures(record.confusion, record.intervals)) {
    table.rows.push_back({measure.title, value_text(measure, measure.value), interval_text(measure)});
  }
  table.rows.push_back({"pixels compared", std::to_string(record.confusion.pixels()), ""});
  if (record.unclassified_pixels > 0) {
    table.rows.push_back({"unclassified in the map, not counted", std::to_string(record.unclassified_pixels), ""});
  }
  if (record.conflicting_pixels > 0) {
    table.rows.push_back({"claimed by two reference classes, dropped", std::to_string(record.conflicting_pixels), ""});
  }
  return table;
}

// What the intervals take for independent, and which of them are from few regions.
static std::vector<std::string> intervals_notes(const Assessment& record) {
  if (!record.intervals.regions) {
    return {"In brackets: 95 % intervals for pixels drawn independently; for neighbouring pixels they are too narrow."};
  }
  std::vector<std::string> notes = {"In brackets: 95 % intervals from the " +
                                    std::to_string(*record.intervals.regions) +
                                    " regions of the reference as wholes, since pixels of one are not independent."};
  std::vector<Measure> measures = overall_measures(record.confusion, record.intervals);
  for (Index c = 0; c < record.confusion.size(); ++c) {
    add_all(measures, class_measures(record.confusion, c, record.intervals.classes[static_cast<std::size_t>(c)]));
  }
  const auto any = [&](double from, double below) {
    return std::ranges::any_of(measures, [&](const Measure& measure) {
      const double regions = measure.interval ? measure.interval->regions.value_or(kEnoughRegions) : kEnoughRegions;
      return regions >= from && regions < below;
    });
  };
  if (any(kFewestRegions, kEnoughRegions)) {
    notes.emplace_back("*  From regions that count as fewer than 20 of equal size: the interval is approximate.");
  }
  if (any(0, kFewestRegions)) {
    notes.emplace_back("** From regions that count as fewer than 10 of equal size: the interval is not reliable.");
  }
  return notes;
}

// What is known of reference pixels that the model was trained on. The second value tells whether they are so many that
// the accuracy cannot stand without it.
static std::pair<std::string, bool> overlap_text(const Assessment& record) {
  constexpr double kMostShare = 0.01;
  const TrainingOverlap& overlap = *record.overlap;
  if (!overlap.unknown.empty()) {
    return {"It is not known whether reference pixels are training pixels: " + overlap.unknown + ".", false};
  }
  if (overlap.pixels == 0) {
    return {"No reference pixel is a training pixel of the model.", false};
  }
  const auto most = [](std::int64_t all) { return kMostShare * static_cast<double>(all); };
  const auto regions = record.intervals.regions;
  const bool many = static_cast<double>(overlap.pixels) > most(record.confusion.pixels()) ||
                    (overlap.regions && static_cast<double>(*overlap.regions) > most(regions.value_or(0)));
  std::string text =
      grouped(overlap.pixels) + " of " + counted(record.confusion.pixels(), "reference pixel") +
      (overlap.regions && regions ? ", in " + grouped(*overlap.regions) + " of " + grouped(*regions) + " regions,"
                                  : "") +
      " are training pixels of the model";
  if (many) {
    text += ": the accuracy is too high. Without these " + std::string(overlap.regions ? "regions" : "pixels") + ": ";
    text += overlap.other_accuracy ? "overall accuracy " + percent(overlap.other_accuracy) + " % of " +
                                         counted(overlap.other_pixels, "pixel")
                                   : "nothing is left to compare";
  }
  return {text + ".", many};
}

// How the reference was read, and how much of it was used.
static std::string reference_text(const Assessment& record) {
  const ReferenceFacts& facts = record.facts;
  std::string text =
      separated(facts.options, ", ", [](const auto& option) { return "--" + option.first + " " + option.second; });
  if (facts.features) {
    text += (text.empty() ? "" : "; ") + counted(*facts.features, "feature") + " used, " +
            grouped(facts.outside_features) + " without a pixel on the map";
  }
  return text + (facts.sha256.empty() ? "" : (text.empty() ? "" : "; ") + ("SHA-256 " + facts.sha256));
}

static Table area_table(const AreaAssessment& areas, const NamedCodes& classes) {
  // Estimates are shares of the classified area. One common factor converts shares, standard errors and the ends of
  // intervals to the unit of the table, such as hectares.
  const AreaUnit unit = area_unit(areas);
  const auto text = [&](double share) { return part_text(share, unit.factor); };
  Table table{"Areas in " + unit.name + ", estimated from the reference as a probability sample",
              {"", "class", "mapped " + unit.name, "estimated " + unit.name, "std. error", "", "producer's %", "",
               "user's %", ""},
              {},
              "rlrrririri"};
  for (std::size_t c = 0; c < classes.names.size(); ++c) {
    const ClassEstimate& entry = areas.estimate.classes[c];
    const auto& interval = entry.share.interval;
    std::vector<std::string> row = {classes.codes[c],
                                    classes.names[c],
                                    text(entry.mapped_share),
                                    text(entry.share.value),
                                    text(entry.share.standard_error),
                                    interval ? "(" + text(interval->low) + " to " + text(interval->high) + ")" : ""};
    for (const std::optional<Estimate>& accuracy : {entry.producers_accuracy, entry.users_accuracy}) {
      row.insert(row.end(),
                 {accuracy ? percent(accuracy->value) : "-", accuracy ? percent_interval(accuracy->interval) : ""});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The changes of the matrix: those of the map, and those that only the reference has, by their names.
static std::vector<ChangeClass> all_changes(const AssessedChange& change, const std::vector<std::string>& names) {
  std::vector<ChangeClass> changes = change.classes;
  for (std::size_t c = changes.size(); c < names.size(); ++c) {
    const std::string arrow = ChangeClass().name();
    const std::size_t place = names[c].find(arrow);
    changes.push_back(
        {names[c].substr(0, place), place == std::string::npos ? "" : names[c].substr(place + arrow.size())});
  }
  return changes;
}

// A cell for each earlier class, in rows, and each later one; empty for changes that neither map nor reference have.
static Table change_table(const AreaAssessment& areas, const AssessedChange& change,
                          const std::vector<std::string>& names) {
  const AreaUnit unit = area_unit(areas);
  Table table{
      "Estimated " + unit.name + " by the class in " + base_name(change.earlier) + " (rows) and in the map (columns)",
      {"from"},
      {}};
  std::vector<std::string> rows;
  const auto place = [](std::vector<std::string>& list, const std::string& name) {
    const auto found = std::ranges::find(list, name) - list.begin();
    if (found == std::ssize(list)) {
      list.push_back(name);
    }
    return static_cast<std::size_t>(found);
  };
  const std::vector<ChangeClass> changes = all_changes(change, names);
  for (std::size_t c = 0; c < changes.size(); ++c) {
    const std::size_t row = place(rows, changes[c].earlier);
    const std::size_t column = place(table.columns, changes[c].later);
    const Estimate& share = areas.estimate.classes[c].share;
    const auto text = [&](double part) { return part_text(part, unit.factor); };
    table.rows.resize(rows.size(), {changes[c].earlier});
    table.rows[row].resize(std::max(table.rows[row].size(), column + 1));
    table.rows[row][column] =
        text(share.value) +
        (share.interval ? " (" + text(share.interval->low) + " to " + text(share.interval->high) + ")" : "");
  }
  for (std::vector<std::string>& row : table.rows) {
    row.resize(table.columns.size());
  }
  return table;
}

static Table area_overall_table(const AreaEstimate& estimate) {
  return {"Of the whole map",
          {"measure", "value", ""},
          {{"overall accuracy %", percent(estimate.overall_accuracy.value),
            percent_interval(estimate.overall_accuracy.interval)},
           {"quantity disagreement %", percent(estimate.disagreement.quantity), ""},
           {"allocation disagreement %", percent(estimate.disagreement.allocation), ""}},
          "lri"};
}

static std::string design_text(SamplingDesign design) {
  return design == SamplingDesign::clusters     ? "sample in two stages"
         : design == SamplingDesign::systematic ? "systematic sample"
                                                : to_string(design) + " random sample";
}

static std::string quoted_list(const std::vector<std::string>& names) {
  return names.empty() ? "" : "'" + separated(names, "', '") + "'";
}

static std::string fixed_interval_note(const AreaAssessment& areas) {
  if (!areas.sample) {
    return "In brackets: 95 % intervals, +- 1.96 standard errors; none where the sample units all agree.";
  }
  return areas.design == SamplingDesign::simple
             ? "In brackets: exact 95 % intervals, for a sample of this size that was decided before."
             : "In brackets: 95 % intervals (Wilson's, of effective numbers of points), for a sample of this size that "
               "was decided before.";
}

// What holds while the sample grows, and how far the aims are.
static Table growing_table(const SampleProgress& sample, const std::vector<std::string>& names) {
  Table table{"Intervals that hold however often one looks",
              {"", "95 % interval of the share", "of user's accuracy"},
              {},
              "lii"};
  if (sample.overall_accuracy) {
    table.rows.push_back({"overall accuracy", percent_interval(sample.overall_accuracy), "-"});
  }
  const auto text = [](const std::optional<Interval>& interval) {
    return interval ? percent_interval(interval) : std::string("-");
  };
  for (std::size_t c = 0; c < sample.classes.size() && sample.overall_accuracy; ++c) {
    table.rows.push_back({names[c], text(sample.classes[c].share), text(sample.classes[c].users_accuracy)});
  }
  return table;
}

static std::vector<std::string> progress_notes(const AreaAssessment& areas) {
  const SampleProgress& sample = *areas.sample;
  std::vector<std::string> notes = {"From the first " + grouped(sample.labelled) + " of " +
                                    counted(sample.planned, "point") + " of " + base_name(sample.file) + "."};
  for (const AimProgress& aim : sample.aims) {
    if (!aim.standard_error) {
      notes.push_back("Aim " + aim.aim + ": no labelled point says anything of it yet.");
      continue;
    }
    const std::int64_t more = *aim.points - sample.labelled;
    std::string text = "Aim " + aim.aim + ": the standard error is " + percent(*aim.standard_error) + " %";
    text += more <= 0 ? ", and the aim is met." : "; about " + counted(more, "more point") + " reach the aim";
    if (more > 0) {
      const std::int64_t lacking = *aim.points - sample.planned;
      text += lacking > 0 ? ", " + grouped(lacking) + " beyond this sample: plan another one of that size." : ".";
    }
    notes.push_back(text);
  }
  if (areas.design == SamplingDesign::systematic) {
    notes.emplace_back("A systematic sample has no intervals that stay valid while it grows.");
  } else if (!sample.overall_accuracy) {
    notes.emplace_back(
        "The map leaves points of the sample unclassified, so that no intervals that stay valid while the sample grows "
        "are known.");
  }
  return notes;
}

static std::vector<std::string> area_notes(const AreaAssessment& areas) {
  std::vector<std::string> notes = {fixed_interval_note(areas)};
  if (areas.sample) {
    add_all(notes, progress_notes(areas));
  }
  if (areas.unclassified_pixels > 0) {
    notes.push_back("Left out as unclassified in the map: " + std::to_string(areas.unclassified_pixels) + " pixels.");
  }
  if (areas.pixels_outside_strata > 0) {
    notes.push_back("Left out as outside the strata: " + std::to_string(areas.pixels_outside_strata) + " pixels.");
  }
  if (!areas.merged_strata.empty()) {
    notes.push_back("Strata merged because they have too few sample units: " + quoted_list(areas.merged_strata) + ".");
  }
  if (!areas.estimate.single_unit_strata.empty()) {
    notes.push_back("Strata of one sample unit, which shows no variance and counts with the largest possible: " +
                    quoted_list(areas.estimate.single_unit_strata) + ".");
  }
  return notes;
}

static std::string indented(const std::vector<std::string>& sentences) {
  return separated(sentences, "", [](const std::string& sentence) { return "  " + sentence + "\n"; });
}

// What must be known to read the numbers is said below them: what the population is, strata of a single unit, strata
// merged.
static std::string area_text(const AreaAssessment& areas, const NamedCodes& classes,
                             const std::optional<AssessedChange>& change) {
  // The estimates follow Olofsson et al. (2014), or Stehman (2014) for strata other than the classes of the map: mapped
  // and estimated areas side by side, producer's and user's accuracies of the whole map and not of the sample, and the
  // matrix of estimated shares of the area.
  const AreaUnit unit = area_unit(areas);
  const std::string strata = areas.sample   ? "the inclusion probabilities of " + base_name(areas.sample->file)
                             : areas.strata ? "strata of " + *areas.strata
                                            : std::string("the map's classes as strata");
  const std::string size = unit.name == "pixels" ? "" : " (" + short_number(unit.factor) + " " + unit.name + ")";
  std::string changes;
  if (change) {
    const Table table = change_table(areas, *change, classes.names);
    changes = table.caption + "\n\n" + table_text(table) + "\n";
  }
  return "Areas and accuracy of all " + std::to_string(areas.estimate.pixels) + " classified pixels" + size +
         ",\nestimated from a " + design_text(areas.design) + " with " + strata + "\n\n" +
         table_text(area_table(areas, classes)) + "\n" + changes +
         table_text(area_overall_table(areas.estimate), Titles::hidden) +
         "\nEstimated shares of the area in percent: rows are reference, columns are map.\n\n" +
         table_text(
             matrix_table(classes, areas.estimate.shares, kCorner, [](double share) { return percent(share); })) +
         (areas.sample && areas.sample->overall_accuracy
              ? "\nIntervals that hold at every size of the sample, however often one looks.\n\n" +
                    table_text(growing_table(*areas.sample, classes.names))
              : "") +
         "\n" + indented(area_notes(areas));
}

static Section error_section(const Assessment& record, const ErrorPictures& errors) {
  const std::int64_t right = record.confusion.counts().diagonal().sum();
  Figure picture = figure_of(errors, "picture-errors", "Where the map is right and wrong",
                             "The map beside its reference pixels: those that it has right and wrong, on the pale map. "
                             "Chequered pixels are not classified.");
  // The two colours of the comparison come before those of the classes, because they are what the picture is about.
  picture.legend.insert(picture.legend.begin(),
                        {{"right", errors.right, counted(right, "reference pixel")},
                         {"wrong", errors.wrong, counted(record.confusion.pixels() - right, "reference pixel")}});
  return {.id = "errors", .title = "Errors", .pictures = {std::move(picture)}};
}

static Section reliability_section(const Reliability& reliability) {
  const auto error = reliability.expected_calibration_error();
  return {.id = "probabilities",
          .title = "Probabilities",
          .paragraphs = {"By the largest probability at the reference pixels; expected calibration error " +
                         (error ? short_number(*error) : std::string("unknown")) + "."},
          .figures = {"reliability"}};
}

// The points say how much better one of the maps is, but not how accurate they are.
static bool only_compares(const Assessment& record) {
  return record.comparison && record.comparison->sampled && !record.areas;
}

std::string accuracy_text(const Assessment& record) {
  const std::string facts = reference_text(record);
  std::string text = "Accuracy of " + record.map + "\nagainst     " + record.reference + "\n" +
                     (facts.empty() ? "" : "            " + facts + "\n") +
                     (record.overlap ? "\n" + overlap_text(record).first + "\n" : "");
  if (!only_compares(record)) {
    text +=
        "\nConfusion matrix in pixels: rows are reference, columns are map.\n\n" +
        table_text(matrix_table(classes_of(record), record.confusion.counts().cast<double>(), kCorner, pixel_count)) +
        "\n" + table_text(class_table(record)) + "\n" + table_text(overall_table(record), Titles::hidden) + "\n" +
        indented(intervals_notes(record));
  }
  if (record.areas) {
    text += "\n" + area_text(*record.areas, classes_of(record), record.change);
  }
  if (record.comparison) {
    text += "\nCompared with " + record.comparison->map + "\n\n" +
            table_text(comparison_table(*record.comparison), Titles::hidden) + "\n" +
            indented(comparison_notes(*record.comparison));
  }
  return text;
}

std::vector<std::string> accuracy_verdict(const Assessment& record) {
  constexpr std::size_t kMostPairs = 3;
  // With areas the estimate for the whole map comes first, since it is what a reader of a map asks for; the counts of
  // the sample follow. A note says where the interval is too narrow, and then come the most confused pairs of classes.
  if (only_compares(record)) {
    return comparison_notes(*record.comparison);
  }
  std::vector<std::string> sentences;
  if (record.overlap && overlap_text(record).second) {
    sentences.push_back(overlap_text(record).first);
  }
  if (record.areas) {
    const Estimate& overall = record.areas->estimate.overall_accuracy;
    sentences.push_back("Overall accuracy of the whole map " + accuracy_with_interval(overall.value, overall.interval) +
                        ", estimated from a " + design_text(record.areas->design) + ".");
  }
  // The accuracy of the sample itself is that of the map only for a simple random sample. With an estimate for the
  // whole map it is therefore introduced as a property of the sample.
  const std::string measure = record.areas ? "In the sample itself: overall accuracy" : "Overall accuracy";
  sentences.push_back(accuracy_verdict(
      {measure, record.confusion.overall_accuracy(), record.intervals.overall_accuracy, "reference pixel"},
      record.confusion));
  if (!record.areas && !record.intervals.regions) {
    sentences.emplace_back(
        "The interval takes every pixel by itself, and is too narrow where reference pixels are "
        "neighbours.");
  }
  add_all(sentences, confused_pairs(record.confusion, kMostPairs));
  return sentences;
}

std::vector<Section> accuracy_sections(const Assessment& record, const ErrorPictures& errors) {
  std::vector<std::string> notes = intervals_notes(record);
  if (record.overlap) {
    notes.push_back(overlap_text(record).first);
  }
  std::vector<Section> sections;
  if (!only_compares(record)) {
    sections.push_back({.id = "accuracy",
                        .title = "Accuracy",
                        .paragraphs = notes,
                        .tables = {overall_table(record), class_table(record)}});
    if (!errors.images.empty()) {
      sections.push_back(error_section(record, errors));
    }
    sections.push_back({.id = "confusion", .title = "Confusion matrix", .figures = {"confusion"}});
  }
  if (record.areas) {
    sections.push_back(
        {.id = "areas-section",
         .title = "Areas",
         .paragraphs = area_notes(*record.areas),
         .tables = {area_table(*record.areas, classes_of(record)), area_overall_table(record.areas->estimate)}});
    if (record.change) {
      sections.back().tables.push_back(change_table(*record.areas, *record.change, record.confusion.names()));
    }
    if (record.areas->sample) {
      sections.back().tables.push_back(growing_table(*record.areas->sample, record.confusion.names()));
    }
  }
  if (record.comparison) {
    sections.push_back({.id = "comparison",
                        .title = "Second map",
                        .paragraphs = comparison_notes(*record.comparison),
                        .tables = {comparison_table(*record.comparison)}});
  }
  if (record.reliability) {
    sections.push_back(reliability_section(*record.reliability));
  }
  return sections;
}

CommandPage assessment_page(const Assessment& record, const ErrorPictures& errors, const PageFacts& facts,
                            const std::vector<std::pair<std::string, std::string>>& options,
                            const std::optional<Section>& trust) {
  CommandPage page;
  page.title = "Accuracy of " + base_name(record.map);
  page.verdict = accuracy_verdict(record);
  page.lead = "The map " + base_name(record.map) + " compared with the reference " + base_name(record.reference) + ".";
  if (const std::string read = reference_text(record); !read.empty()) {
    page.lead += " " + read + ".";
  }
  page.sections = accuracy_sections(record, errors);
  if (trust) {
    page.sections.push_back(*trust);
  }
  add_origin(page, facts, {.options_title = "Options and side files", .options = options});
  return page;
}

}  // namespace parsimap
