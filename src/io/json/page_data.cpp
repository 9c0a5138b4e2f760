#include "parsimap/io/json/page_data.hpp"

#include "parsimap/io/json/experiment_results.hpp"
#include "parsimap/report/command_page.hpp"

#include "json_document.hpp"

namespace parsimap {
namespace {

Json numbers_from_one(const Indices& indices) {
  Json json = Json::array();
  for (const Index index : indices) {
    json.push_back(index + 1);
  }
  return json;
}

}  // namespace

std::string page_data_json(const PageData& data) {
  ExperimentRecord record;
  record.configuration = "{}";
  record.data = data.data;
  record.runs = data.runs;
  const Json results = Json::parse(results_json(record));
  Json areas = Json::array();
  for (const PageArea& area : data.areas) {
    areas.push_back({{"code", area.pixels.code},
                     {"name", area.pixels.name},
                     {"colour", css_colour(area.colour)},
                     {"pixels", area.pixels.pixels}});
  }
  Json histograms = Json::array();
  for (const PageHistogram& histogram : data.histograms) {
    histograms.push_back({{"name", histogram.name}, {"caption", histogram.caption}, {"counts", histogram.counts}});
  }
  Json reliability = Json::array();
  for (const ReliabilityBin& bin : data.reliability) {
    reliability.push_back({{"low", bin.low},
                           {"high", bin.high},
                           {"pixels", bin.pixels},
                           {"confidence", bin.confidence},
                           {"accuracy", bin.accuracy}});
  }
  return document_text({{"data", results["data"]},
                        {"runs", results["runs"]},
                        {"band_numbers", numbers_from_one(data.band_numbers)},
                        {"dropped_bands", numbers_from_one(data.dropped_bands)},
                        {"dropped_wavelengths", data.dropped_wavelengths},
                        {"areas", areas},
                        {"histograms", histograms},
                        {"reliability", reliability}});
}

}  // namespace parsimap
