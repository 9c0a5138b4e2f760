#include "parsimap/json/accuracy_document.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/core/error.hpp"
#include "parsimap/json/accuracy_record.hpp"

#include "unit/accuracy/small_assessment.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

std::string text_of(const Assessment& record) { return accuracy_json(record, {"accuracy.txt"}, 0.5); }

Assessment accuracy_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("accuracy.json"), text);
  return read_accuracy(folder.file("accuracy.json"));
}

}  // namespace

TEST_CASE("what was written is read again") {
  Assessment record = small_assessment({"yes", "n\"o"});
  record.unclassified_pixels = 3;
  record.conflicting_pixels = 2;
  CHECK(text_of(accuracy_of(text_of(record))) == text_of(record));
  record.intervals.regions = 7;
  record.intervals.kappa.reset();
  record.comparison = small_comparison();
  CHECK(text_of(accuracy_of(text_of(record))) == text_of(record));
  CHECK_FALSE(accuracy_of(text_of(record)).areas);
}

TEST_CASE("areas are shares again") {
  Assessment record = small_assessment({"yes", "no"});
  record.areas = small_areas();
  const Assessment again = accuracy_of(text_of(record));
  REQUIRE(again.areas);
  CHECK(again.areas->design == SamplingDesign::stratified);
  CHECK(again.areas->estimate.pixels == 400);
  CHECK(area_unit(*again.areas).name == "ha");
  const ClassEstimate& wanted = record.areas->estimate.classes[0];
  const ClassEstimate& found = again.areas->estimate.classes[0];
  CHECK(found.mapped_share == doctest::Approx(wanted.mapped_share));
  CHECK(found.share.value == doctest::Approx(wanted.share.value));
  CHECK(found.share.interval->high == doctest::Approx(wanted.share.interval->high));
  CHECK(found.producers_accuracy->value == wanted.producers_accuracy->value);
}

TEST_CASE("another document is refused with its name") {
  const auto refused = [](const std::string& text) { return message_of([&] { accuracy_of(text); }); };
  for (const char* text : {"", "{", "[]", "{}", "{\"classes\": 3}", "{\"classes\": []}"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(accuracy_of(text), DataError);
    CHECK(refused(text).find("accuracy.json") != std::string::npos);
  }
  nlohmann::json document = nlohmann::json::parse(text_of(small_assessment({"yes", "no"})));
  document["confusion"][0][0] = -1;
  CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  for (const nlohmann::json& count :
       {nlohmann::json(0.5), nlohmann::json(std::int64_t{1} << 60U), nlohmann::json("7")}) {
    document["confusion"][0][0] = count;
    CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  }
  CHECK(refused(document.dump()).find("\"7\" is no number of pixels; it must be a document of") != std::string::npos);
  document["confusion"][0].erase(1);
  CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  document = nlohmann::json::parse(text_of(small_assessment({"yes", "no"})));
  document["areas"] = nlohmann::json::object();
  CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  CHECK_THROWS_AS(read_accuracy("/no/such/accuracy.json"), DataError);
}

}  // namespace parsimap::test
