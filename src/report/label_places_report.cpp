#include "parsimap/report/label_places_report.hpp"

#include "parsimap/report/text_table.hpp"

namespace parsimap {

std::string label_places_text(const LabelPlacesRecord& record) {
  TextTable table({Alignment::right, Alignment::right, Alignment::right, Alignment::left, Alignment::left,
                   Alignment::right, Alignment::right});
  table.add_row({"rank", "x", "y", "class", "or", "uncertainty", "novelty"});
  for (std::size_t i = 0; i < record.places.size(); ++i) {
    const SuggestedPlace& place = record.places[i];
    table.add_row({std::to_string(i + 1), coordinate(place.position[0]), coordinate(place.position[1]),
                   place.class_name, place.second_class, four_decimals(place.uncertainty),
                   four_decimals(place.novelty)});
  }
  return "Places to label next, of " + std::to_string(record.pixels) + " pixels of " + record.scene + " with " +
         record.model + ", at least " + short_number(record.least_distance) + " " + record.distance_unit +
         " apart.\n\n" + table.text() + "\n" + time_text(record.seconds, record.stages) +
         memory_text(record.peak_memory_bytes) +
         (record.resampled ? "Resampled: " + resampling_text(*record.resampled) + "\n" : "") +
         "Places: " + record.file + "\n";
}

}  // namespace parsimap
