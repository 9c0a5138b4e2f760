#include "parsimap/io/json/inspection_record.hpp"

#include "fields.hpp"
#include "json_document.hpp"

namespace parsimap {
namespace {

Json stages_json(const StageSeconds& stages) {
  Json json = Json::object();
  for (const auto& [name, seconds] : stages) {
    json[name] = seconds;
  }
  return json;
}

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

}  // namespace

std::string inspection_json(const InspectionRecord& record) {
  return document_text({{"regions", regions_json(record)},
                        {"suspicious_regions", suspicious_regions(record)},
                        {"pixels", record.evidence.pixels.size()},
                        {"classes", classes_json(record)},
                        {"confusion", rows_document(record.evidence.confusion)},
                        {"orientation", "rows are labels, columns are likely classes"},
                        {"repeats", record.repeats},
                        {"seconds", record.seconds},
                        {"stages", stages_json(record.stages)},
                        {"model", record.model},
                        {"scene", record.scene},
                        {"labels", record.labels},
                        {"suspects", nullable(record.suspects)},
                        {"report", nullable(record.report)}});
}

std::string inspection_data_json(const InspectionRecord&) {
  return document_text({{"data", Json::array()}, {"runs", Json::array()}});
}

}  // namespace parsimap
