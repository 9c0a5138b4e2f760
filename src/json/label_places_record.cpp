#include "parsimap/json/label_places_record.hpp"

#include "json_document.hpp"
#include "resampling_document.hpp"

namespace parsimap {

std::string label_places_json(const LabelPlacesRecord& record) {
  Json places = Json::array();
  for (std::size_t i = 0; i < record.places.size(); ++i) {
    const SuggestedPlace& place = record.places[i];
    places.push_back({{"rank", i + 1},
                      {"x", place.position[0]},
                      {"y", place.position[1]},
                      {"column", place.column},
                      {"row", place.row},
                      {"class", place.class_name},
                      {"second_class", place.second_class},
                      {"probability", place.probability},
                      {"second_probability", place.second_probability},
                      {"uncertainty", place.uncertainty},
                      {"novelty", place.novelty}});
  }
  Json stages = Json::object();
  for (const auto& [name, seconds] : record.stages) {
    stages[name] = seconds;
  }
  constexpr double kBytesPerMb = 1 << 20;
  return document_text(
      {{"scene", record.scene},
       {"model", record.model},
       {"file", record.file},
       {"resampled", nullable(record.resampled)},
       {"excluded", record.excluded},
       {"asked", record.asked},
       {"pixels", record.pixels},
       {"least_distance", record.least_distance},
       {"distance_unit", record.distance_unit},
       {"places", places},
       {"seconds", record.seconds},
       {"stages", stages},
       {"peak_memory_mb", record.peak_memory_bytes ? Json(static_cast<double>(*record.peak_memory_bytes) / kBytesPerMb)
                                                   : Json(nullptr)}});
}

}  // namespace parsimap
