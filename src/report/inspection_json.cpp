// What `inspect` found, as its document and as the data of its page.
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/inspection_report.hpp"

#include "json_parts.hpp"

namespace parsimap {

static void list_fields(const InspectedClass& entry, Fields& field) {
  field("name", entry.name);
  field("regions", entry.regions);
  field("suspicious_regions", entry.suspicious_regions);
  field("pixels", entry.pixels);
  field("agreement", entry.agreement);
  field("taken_for", entry.taken_for);
}

static void list_fields(const IntervalEffect& effect, Fields& field) {
  field("loss_rise", effect.loss_rise);
  field("loss_rise_error", effect.loss_rise_error);
  field("accuracy_without", effect.without.accuracy);
  field("loss_alone", effect.alone.loss);
  field("accuracy_alone", effect.alone.accuracy);
}

static void list_fields(const ClassImportance& importance, Fields& field) {
  field("pixels", importance.samples);
  field("regions", importance.groups);
  field("loss", importance.whole.loss);
  field("accuracy", importance.whole.accuracy);
  field("effects", importance.effects);
}

namespace {

const std::string& class_name(const InspectionRecord& record, Index c) {
  return record.classes[static_cast<std::size_t>(c)].name;
}

void list_region(Fields& field, const InspectionRecord& record, std::size_t i) {
  const RegionEvidence& region = record.evidence.regions[i];
  const LabelEvidence& evidence = region.evidence;
  const RegionPlace& place = record.places[i];
  field("rank", evidence.rank);
  field("label", class_name(record, evidence.label));
  field("likely", class_name(record, evidence.likely));
  field("margin", evidence.margin);
  field("label_probability", evidence.label_probability);
  field("likely_probability", evidence.likely_probability);
  field("label_known", evidence.label_known);
  field("pixels", region.pixels.size());
  field("pixels_against", region.against);
  field("x", place.centre[0]);
  field("y", place.centre[1]);
  field("feature", place.feature);
}

void list_interval(Fields& field, const WavelengthRecord& wavelengths, std::size_t k) {
  const IntervalRange& range = wavelengths.ranges[k];
  field("first_band", range.first + 1);
  field("last_band", range.last + 1);
  field("bands", wavelengths.importance.intervals[k].size());
  field("wavelengths", range.wavelengths);
}

void list_pair(Fields& field, const InspectionRecord& record, const ConfusedPair& entry) {
  field("first", class_name(record, entry.pair.first));
  field("second", class_name(record, entry.pair.second));
  field("jeffries_matusita", entry.pair.jeffries_matusita);
  field("bhattacharyya", entry.pair.bhattacharyya);
  field("confused", entry.confused);
}

// null where wavelengths were not examined. Classes without pixels are left out.
void list_wavelengths(Fields& field, const InspectionRecord& record) {
  field.group("wavelengths", record.wavelengths, [&](const WavelengthRecord& wavelengths) {
    const std::vector<ClassImportance>& by_class = wavelengths.importance.by_class;
    // Classes of the model without evaluated pixels have no importance; the entries of the others keep the order of the
    // model.
    std::vector<std::size_t> present;
    for (std::size_t c = 0; c < record.classes.size(); ++c) {
      if (by_class[c].samples > 0) {
        present.push_back(c);
      }
    }
    const std::vector<ConfusedPair> pairs = ranked_pairs(record);
    field.groups("intervals", wavelengths.ranges.size(), [&](std::size_t k) { list_interval(field, wavelengths, k); });
    field("all", wavelengths.importance.all);
    field.groups("classes", present.size(), [&](std::size_t i) {
      field("name", record.classes[present[i]].name);
      list_fields(by_class[present[i]], field);
    });
    field.groups("pairs", pairs.size(), [&](std::size_t i) { list_pair(field, record, pairs[i]); });
  });
}

}  // namespace

std::string inspection_json(const InspectionRecord& record) {
  return document_text([&](Fields& field) {
    field.groups("regions", record.evidence.regions.size(), [&](std::size_t i) { list_region(field, record, i); });
    field("suspicious_regions", suspicious_regions(record));
    field("pixels", record.evidence.pixels.size());
    field("classes", inspected_classes(record));
    field("confusion", record.evidence.confusion);
    field("orientation", "rows are labels, columns are likely classes");
    list_wavelengths(field, record);
    field("repeats", record.repeats);
    field("seconds", record.seconds);
    field.numbers_by_name("stages", record.stages);
    field("model", record.model);
    field("scene", record.scene);
    field("labels", record.labels);
    field("suspects", record.suspects);
    field("resampled", record.resampled);
    field("report", record.report);
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
