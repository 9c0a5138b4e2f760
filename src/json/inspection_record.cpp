#include "parsimap/json/inspection_record.hpp"

#include "fields.hpp"
#include "json_document.hpp"
#include "resampling_document.hpp"

namespace parsimap {
namespace {

Json regions_json(const InspectionRecord& record) {
  Json regions = Json::array();
  for (std::size_t i = 0; i < record.evidence.regions.size(); ++i) {
    const RegionEvidence& region = record.evidence.regions[i];
    const LabelEvidence& evidence = region.evidence;
    const RegionPlace& place = record.places[i];
    regions.push_back({{"rank", evidence.rank},
                       {"label", record.classes[static_cast<std::size_t>(evidence.label)].name},
                       {"likely", record.classes[static_cast<std::size_t>(evidence.likely)].name},
                       {"margin", evidence.margin},
                       {"label_probability", evidence.label_probability},
                       {"likely_probability", evidence.likely_probability},
                       {"label_known", evidence.label_known},
                       {"pixels", region.pixels.size()},
                       {"pixels_against", region.against},
                       {"x", place.centre[0]},
                       {"y", place.centre[1]},
                       {"feature", nullable(place.feature)}});
  }
  return regions;
}

Json classes_json(const InspectionRecord& record) {
  Json classes = Json::array();
  for (const InspectedClass& entry : inspected_classes(record)) {
    classes.push_back({{"name", entry.name},
                       {"regions", entry.regions},
                       {"suspicious_regions", entry.suspicious_regions},
                       {"pixels", entry.pixels},
                       {"agreement", nullable(entry.agreement)},
                       {"taken_for", nullable(entry.taken_for)}});
  }
  return classes;
}

Json effects_json(const ClassImportance& importance) {
  Json effects = Json::array();
  for (const IntervalEffect& effect : importance.effects) {
    effects.push_back({{"loss_rise", effect.loss_rise},
                       {"loss_rise_error", effect.loss_rise_error},
                       {"accuracy_without", effect.without.accuracy},
                       {"loss_alone", effect.alone.loss},
                       {"accuracy_alone", effect.alone.accuracy}});
  }
  return {{"pixels", importance.samples},
          {"regions", importance.groups},
          {"loss", importance.whole.loss},
          {"accuracy", importance.whole.accuracy},
          {"effects", effects}};
}

Json intervals_json(const WavelengthRecord& wavelengths) {
  Json intervals = Json::array();
  for (std::size_t k = 0; k < wavelengths.ranges.size(); ++k) {
    const IntervalRange& range = wavelengths.ranges[k];
    intervals.push_back({{"first_band", range.first + 1},
                         {"last_band", range.last + 1},
                         {"bands", wavelengths.importance.intervals[k].size()},
                         {"wavelengths", nullable(range.wavelengths)}});
  }
  return intervals;
}

Json pairs_json(const InspectionRecord& record) {
  Json pairs = Json::array();
  for (const ConfusedPair& entry : ranked_pairs(record)) {
    pairs.push_back({{"first", record.classes[static_cast<std::size_t>(entry.pair.first)].name},
                     {"second", record.classes[static_cast<std::size_t>(entry.pair.second)].name},
                     {"jeffries_matusita", entry.pair.jeffries_matusita},
                     {"bhattacharyya", entry.pair.bhattacharyya},
                     {"confused", nullable(entry.confused)}});
  }
  return pairs;
}

// null where wavelengths were not judged. Classes without pixels are left out.
Json wavelengths_json(const InspectionRecord& record) {
  if (!record.wavelengths) {
    return nullptr;
  }
  Json classes = Json::array();
  for (std::size_t c = 0; c < record.classes.size(); ++c) {
    const ClassImportance& importance = record.wavelengths->importance.by_class[c];
    if (importance.samples > 0) {
      classes.push_back({{"name", record.classes[c].name}});
      classes.back().update(effects_json(importance));
    }
  }
  return {{"intervals", intervals_json(*record.wavelengths)},
          {"all", effects_json(record.wavelengths->importance.all)},
          {"classes", classes},
          {"pairs", pairs_json(record)}};
}

}  // namespace

std::string inspection_json(const InspectionRecord& record) {
  return document_text({{"regions", regions_json(record)},
                        {"suspicious_regions", suspicious_regions(record)},
                        {"pixels", record.evidence.pixels.size()},
                        {"classes", classes_json(record)},
                        {"confusion", rows_document(record.evidence.confusion)},
                        {"orientation", "rows are labels, columns are likely classes"},
                        {"wavelengths", wavelengths_json(record)},
                        {"repeats", record.repeats},
                        {"seconds", record.seconds},
                        {"stages", named_values(record.stages)},
                        {"model", record.model},
                        {"scene", record.scene},
                        {"labels", record.labels},
                        {"suspects", nullable(record.suspects)},
                        {"resampled", nullable(record.resampled)},
                        {"report", nullable(record.report)}});
}

std::string inspection_data_json(const InspectionRecord& record) {
  return document_text({{"data", Json::array()}, {"runs", Json::array()}, {"wavelengths", wavelengths_json(record)}});
}

}  // namespace parsimap
