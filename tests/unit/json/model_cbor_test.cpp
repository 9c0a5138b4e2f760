#include "json/model_cbor.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "parsimap/core/error.hpp"

#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

template <typename First, typename Second>
bool same_bits(const First& first, const Second& second) {
  bool same = first.rows() == second.rows() && first.cols() == second.cols();
  for (Index i = 0; same && i < first.size(); ++i) {
    same = std::bit_cast<std::uint64_t>(first(i % first.rows(), i / first.rows())) ==
           std::bit_cast<std::uint64_t>(second(i % first.rows(), i / first.rows()));
  }
  return same;
}

// The error for the small model's document after `change`.
std::string refusal_of_cbor(const std::function<void(json&)>& change) {
  json document = json::from_cbor(model_to_cbor(small_model()));
  change(document);
  std::string bytes;
  json::to_cbor(document, bytes);
  return message_of([&] { model_from_cbor(bytes); });
}

json array(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
  std::vector<std::uint8_t> bytes(values.size() * 8);
  if (!values.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return {{"shape", {rows, columns}}, {"data", json::binary(bytes)}};
}

std::string encoded(const json& document) {
  std::string bytes;
  json::to_cbor(document, bytes);
  return bytes;
}

bool model_or_data_error(const std::string& bytes) {
  try {
    model_from_cbor(bytes);
  } catch (const DataError&) {
  }
  return true;
}

}  // namespace

TEST_CASE("a kernel of profiles comes back bit by bit, and models without have no word of it") {
  const Model model = small_profiled_model();
  const Model back = model_from_cbor(model_to_cbor(model));
  REQUIRE(back.profile);
  CHECK(same_bits(back.profile->mean, model.profile->mean));
  CHECK(same_bits(back.profile->directions, model.profile->directions));
  CHECK(same_bits(back.profile->deviations, model.profile->deviations));
  CHECK(back.profile->radii == model.profile->radii);
  CHECK(back.profile->metres == model.profile->metres);
  CHECK(back.profile->steps == model.profile->steps);
  CHECK(back.profile_score == model.profile_score);
  CHECK(back.classifiers[1].metric.profile == model.classifiers[1].metric.profile);
  CHECK(same_bits(back.support_spectra, model.support_spectra));
  const json without = json::from_cbor(model_to_cbor(small_model()));
  CHECK(!without.contains("profile"));
  CHECK(!without.contains("profile_score"));
  CHECK(!without["machines"][0].contains("profile"));
  const Model plain = model_from_cbor(model_to_cbor(small_model()));
  CHECK(!plain.profile);
  CHECK(!plain.profile_score);
  CHECK(plain.classifiers[0].metric.profile == ProfileTerm{});
}

TEST_CASE("units of compressed bands come back, must be positive, and models without have none") {
  Model model = small_model();
  CHECK_FALSE(json::from_cbor(model_to_cbor(model)).at("scaling").contains("units"));
  model.scaling.units = Vector::LinSpaced(model.scaling.scale.size(), 1, 3);
  CHECK(same_bits(model_from_cbor(model_to_cbor(model)).scaling.units, model.scaling.units));
  model.scaling.units(1) = 0;
  CHECK_THROWS_AS(check_model(model), DataError);
}

TEST_CASE("the range of training values comes back, and models without it are read") {
  Model model = small_model();
  CHECK_FALSE(model_from_cbor(model_to_cbor(model)).value_range.has_value());
  CHECK_FALSE(json::from_cbor(model_to_cbor(model)).contains("value_range"));
  model.value_range = ValueRange{-0.5, 1.25, true, false, 7};
  const Model back = model_from_cbor(model_to_cbor(model));
  REQUIRE(back.value_range);
  CHECK(back.value_range->low == -0.5);
  CHECK(back.value_range->high == 1.25);
  CHECK(back.value_range->zero);
  CHECK_FALSE(back.value_range->lowest);
  CHECK(back.value_range->alike_samples == 7);
}

TEST_CASE("origins of support spectra come back, and models without have none") {
  Model model = small_model();
  CHECK_FALSE(json::from_cbor(model_to_cbor(model)).contains("origins"));
  const Indices all = consecutive(model.support_spectra.rows());
  model.origins =
      SupportOrigins{{"a.gpkg"}, {0}, {7}, {2}, {1}, all, Indices(all.size(), 0), Vector::Ones(std::ssize(all))};
  const Model back = model_from_cbor(model_to_cbor(model));
  REQUIRE(back.origins);
  CHECK(back.origins->files == model.origins->files);
  CHECK(back.origins->number == Indices{7});
  CHECK(back.origins->part == Indices{2});
  CHECK(back.origins->label == Indices{1});
  CHECK(back.origins->support == all);
  CHECK(same_bits(back.origins->share, model.origins->share));
}

TEST_CASE("early stages come back bit by bit, and a reduction of earlier versions is passed over") {
  Model model = small_model();
  CHECK_FALSE(json::from_cbor(model_to_cbor(model)).contains("early_stages"));
  const Matrix directions = Matrix::Constant(model.support_spectra.cols(), 1, 0.1);
  const EarlyStage stage{{0, 2}, Matrix{{0.1, -3}, {2, 0.25}, {1, 0}, {0.5, -1}}, Vector{{0.125, 0}}, 0.9};
  model.early_stages = EarlyStages{directions, {stage, stage}, 5000};
  const Model back = model_from_cbor(model_to_cbor(model));
  REQUIRE(back.early_stages);
  CHECK(same_bits(back.early_stages->directions, directions));
  CHECK(back.early_stages->pixels == 5000);
  REQUIRE(back.early_stages->stages.size() == 2);
  CHECK(back.early_stages->stages[1].support == stage.support);
  CHECK(same_bits(back.early_stages->stages[1].coefficients, stage.coefficients));
  CHECK(same_bits(back.early_stages->stages[1].leads, stage.leads));
  CHECK(back.early_stages->stages[1].decided == 0.9);
  json earlier = json::from_cbor(model_to_cbor(small_model()));
  earlier["reduction"] = {{"exact_spectra", 20}, {"exact_slope", 2.0}};
  std::string bytes;
  json::to_cbor(earlier, bytes);
  CHECK(model_from_cbor(bytes).softmax_slope == small_model().softmax_slope);
}

TEST_CASE("a model comes back bit by bit") {
  const Model model = small_model();
  const Model back = model_from_cbor(model_to_cbor(model));
  CHECK(back.classes == model.classes);
  CHECK(back.family == model.family);
  CHECK(back.scene_bands == model.scene_bands);
  CHECK(back.bands == model.bands);
  CHECK(back.band_table == model.band_table);
  CHECK(back.dropped_bands == model.dropped_bands);
  CHECK(back.scaling_rule == model.scaling_rule);
  CHECK(same_bits(back.scaling.offset, model.scaling.offset));
  CHECK(same_bits(back.scaling.scale, model.scaling.scale));
  CHECK(same_bits(back.support_spectra, model.support_spectra));
  CHECK(back.softmax_slope == model.softmax_slope);
  REQUIRE(back.classifiers.size() == model.classifiers.size());
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& a = back.classifiers[c];
    const BinaryClassifier& b = model.classifiers[c];
    CHECK(a.samples == b.samples);
    CHECK(a.regions == b.regions);
    CHECK(same_bits(a.metric.directions, b.metric.directions));
    CHECK(same_bits(a.metric.weights, b.metric.weights));
    CHECK(a.metric.rest_weight == b.metric.rest_weight);
    CHECK(a.C == b.C);
    CHECK(std::signbit(a.bias) == std::signbit(b.bias));
    CHECK(a.support == b.support);
    CHECK(same_bits(a.coefficients, b.coefficients));
    CHECK(a.kkt_violation == b.kkt_violation);
    CHECK(a.solver_stop == b.solver_stop);
    CHECK(a.selection.criterion == b.selection.criterion);
    CHECK(a.selection.value == b.selection.value);
    CHECK(a.selection.evaluations == b.selection.evaluations);
    CHECK(a.selection.stop_reason == b.selection.stop_reason);
    CHECK(a.selection.trace == b.selection.trace);
  }
  REQUIRE(back.novelty.size() == model.novelty.size());
  for (std::size_t c = 0; c < model.novelty.size(); ++c) {
    const ClassNovelty& a = back.novelty[c];
    const ClassNovelty& b = model.novelty[c];
    CHECK(same_bits(a.gaussian.mean, b.gaussian.mean));
    CHECK(same_bits(a.gaussian.subspace.directions, b.gaussian.subspace.directions));
    CHECK(same_bits(a.gaussian.subspace.variances, b.gaussian.subspace.variances));
    CHECK(a.gaussian.subspace.noise_variance == b.gaussian.subspace.noise_variance);
    CHECK(same_bits(a.tail.values, b.tail.values));
    CHECK(same_bits(a.tail.probabilities, b.tail.probabilities));
    CHECK(a.tail.exponent == b.tail.exponent);
    CHECK(same_bits(a.samples, b.samples));
    CHECK(a.radius == b.radius);
  }
  const Provenance& a = back.provenance;
  const Provenance& b = model.provenance;
  CHECK(a.program_version == b.program_version);
  CHECK(a.options == b.options);
  CHECK(a.seed == b.seed);
  REQUIRE(a.inputs.size() == 2);
  CHECK(a.inputs[0].path == "scene.hdr");
  CHECK(a.inputs[0].bytes == 123456789012);
  CHECK(a.training_pixels == b.training_pixels);
  CHECK(a.left_out.accuracy == b.left_out.accuracy);
  CHECK(a.left_out.samples == b.left_out.samples);
  CHECK(a.left_out.units == b.left_out.units);
  CHECK(a.left_out.by_region == b.left_out.by_region);
  CHECK(a.left_out.confusion == b.left_out.confusion);
  CHECK(back.shape == model.shape);
  REQUIRE(back.scan.size() == 2);
  CHECK(back.scan[1].shape == model.scan[1].shape);
  CHECK(back.scan[1].point == model.scan[1].point);
  CHECK(back.scan[1].risk == model.scan[1].risk);
  CHECK(back.scan[1].gain == model.scan[1].gain);
  CHECK(back.scan[1].gain_error == model.scan[1].gain_error);
  CHECK(back.scan[1].samples == model.scan[1].samples);
  CHECK(model_to_cbor(back) == model_to_cbor(model));
}

TEST_CASE("a validation comes back, and may be absent") {
  Model model = small_model();
  CHECK_FALSE(model_from_cbor(model_to_cbor(model)).provenance.validation);
  model.provenance.validation = small_validation();
  model.provenance.inputs.front().sha256 = "ab";
  const std::vector<std::int64_t> pixels = {0, 1, 2, 7, 9, 10};
  model.provenance.trained = {{"scene", 4, 3, std::array<double, 6>{5, 1, 0, 7, 0, -1}, "", pixel_runs(pixels)}};
  const std::string bytes = model_to_cbor(model);
  const Model back = model_from_cbor(bytes);
  REQUIRE(back.provenance.validation);
  CHECK(back.provenance.inputs.front().sha256 == "ab");
  REQUIRE(back.provenance.trained.size() == 1);
  CHECK(back.provenance.trained.front().runs.size() == 3);
  CHECK(pixels_of_runs(back.provenance.trained.front().runs) == pixels);
  CHECK(back.provenance.trained.front().geotransform == model.provenance.trained.front().geotransform);
  model.provenance.trained.front().width = 3;
  CHECK_THROWS_AS(model_from_cbor(model_to_cbor(model)), DataError);
  const Validation& validation = *back.provenance.validation;
  CHECK(validation.grouping == "regions");
  CHECK(validation.groups == 9);
  CHECK(validation.buffer == 12.5);
  CHECK(validation.buffer_unit == "m");
  REQUIRE(validation.results.size() == 3);
  CHECK(validation.results[2].repeat == 1);
  CHECK(validation.results[1].untested_pixels == 5);
  CHECK(validation.results[0].confusion == small_validation().results[0].confusion);
  CHECK(model_to_cbor(back) == bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK_THROWS_AS(model_from_cbor(bytes.substr(0, length)), DataError);
  }
}

TEST_CASE("a model of a version that counted neither regions nor what left-out pixels were taken for is read") {
  json document = json::from_cbor(model_to_cbor(small_model()));
  document["machines"][0].erase("regions");
  document["provenance"]["left_out"].erase("confusion");
  document["provenance"]["left_out"]["covariance"] = json::array({{0.01, 0.002}, {0.002, 0.03}});
  const Model back = model_from_cbor(encoded(document));
  CHECK_FALSE(back.classifiers[0].regions);
  CHECK(back.classifiers[1].regions == 4);
  CHECK_FALSE(back.provenance.left_out.confusion);
}

TEST_CASE("what the accuracy of left-out pixels is weighted by comes back, and must fit the classes") {
  Model model = small_model();
  CHECK(model_from_cbor(model_to_cbor(model)).provenance.left_out.map_shares.size() == 0);
  LeftOutScores& left_out = model.provenance.left_out;
  left_out.map_shares = Vector{{0.25, 0.75}};
  const LeftOutScores back = model_from_cbor(model_to_cbor(model)).provenance.left_out;
  CHECK(back.map_shares == left_out.map_shares);
  left_out.map_shares(0) = 0.5;
  CHECK_THROWS_AS(model_from_cbor(model_to_cbor(model)), DataError);
}

TEST_CASE("the expected accuracy has an entry for each class, and problems of classes that there are") {
  Model model = small_model();
  model.provenance.expected->problem_classes = {1};
  CHECK(model_from_cbor(model_to_cbor(model)).provenance.expected->problem_classes == std::vector<int>{1});
  for (const int other : {-1, 2}) {
    model.provenance.expected->problem_classes = {other};
    CHECK_THROWS_AS(model_from_cbor(model_to_cbor(model)), DataError);
  }
  model.provenance.expected->problem_classes.clear();
  model.provenance.expected->classes.resize(3);
  CHECK_THROWS_AS(model_from_cbor(model_to_cbor(model)), DataError);
}

TEST_CASE("what balanced class weights change comes back, and must be accuracies") {
  Model model = small_model();
  CHECK_FALSE(model_from_cbor(model_to_cbor(model)).provenance.left_out.balanced);
  model.provenance.left_out.balanced = {0.8, 0.7, 0.6, 0.75, 55};
  CHECK(model_from_cbor(model_to_cbor(model)).provenance.left_out.balanced == model.provenance.left_out.balanced);
  model.provenance.left_out.balanced->average_without = 1.5;
  CHECK_THROWS_AS(model_from_cbor(model_to_cbor(model)), DataError);
}

TEST_CASE("a judged rule for neighbours comes back with its exponent, which must be above 0") {
  Model model = small_model();
  model.spatial = SpatialRecord{"auto", {false, true}};
  const std::string before = model_to_cbor(model);
  CHECK(model_from_cbor(before).spatial->rule.empty());
  model.spatial->rule = "gaussian:2";
  model.spatial->exponent = 1.25;
  const Model back = model_from_cbor(model_to_cbor(model));
  CHECK(back.spatial->rule == "gaussian:2");
  CHECK(back.spatial->exponent == 1.25);
  model.spatial->exponent = 0;
  CHECK_THROWS_AS(model_from_cbor(model_to_cbor(model)), DataError);
}

TEST_CASE("widths of bands come back, and models of a version that did not keep them are read") {
  Model model = small_model();
  model.band_table[0].fwhm = 6.5;
  CHECK(model_from_cbor(model_to_cbor(model)).band_table == model.band_table);
  json document = json::from_cbor(model_to_cbor(model));
  for (json& band : document["band_table"]) {
    REQUIRE(band.erase("fwhm") == 1);
  }
  CHECK_FALSE(model_from_cbor(encoded(document)).band_table[0].fwhm);
}

TEST_CASE("a Gaussian model without directions, names beyond ASCII and an unsolved criterion come back") {
  Model model = small_model();
  model.family = KernelFamily::gaussian;
  model.classes[0].name = "caf\xc3\xa9";
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.metric.directions.resize(3, 0);
    classifier.metric.weights.resize(0);
  }
  model.classifiers[0].selection.value = std::numeric_limits<double>::infinity();
  const Model back = model_from_cbor(model_to_cbor(model));
  CHECK(back.classifiers[1].metric.directions.rows() == 3);
  CHECK(back.classifiers[1].metric.directions.cols() == 0);
  CHECK(back.classes[0].name == "caf\xc3\xa9");
  CHECK(back.classifiers[0].selection.value == std::numeric_limits<double>::infinity());
}

TEST_CASE("arrays are little-endian float64 in row-major order, as documented") {
  const json document = json::from_cbor(model_to_cbor(small_model()));
  CHECK(document["support_spectra"]["shape"] == json({4, 3}));
  const auto& bytes = document["support_spectra"]["data"].get_binary();
  // The second element is row 0, column 1: 2.0 = 0x4000000000000000.
  CHECK(std::vector<std::uint8_t>(bytes.begin() + 8, bytes.begin() + 16) ==
        std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0x40});
  const auto& support = document["machines"][0]["support"]["data"].get_binary();
  CHECK(std::vector<std::uint8_t>(support.begin() + 16, support.end()) ==
        std::vector<std::uint8_t>{3, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("missing fields and wrong types are named with their path") {
  CHECK(refusal_of_cbor([](json& d) { d.erase("bands"); }) == "/bands is missing");
  CHECK(refusal_of_cbor([](json& d) { d["machines"][1].erase("C"); }) == "/machines/1/C is missing");
  CHECK(refusal_of_cbor([](json& d) { d["novelty"][0].erase("mean"); }) == "/novelty/0/mean is missing");
  CHECK(refusal_of_cbor([](json& d) { d["machines"][1]["C"] = "1"; }) == "/machines/1/C must be a number");
  CHECK(refusal_of_cbor([](json& d) { d["classes"] = 4; }) == "/classes must be a list");
  CHECK(refusal_of_cbor([](json& d) { d["classes"][0] = 4; }) == "/classes/0 must be a map");
  CHECK(refusal_of_cbor([](json& d) { d["classes"][0]["name"] = nullptr; }) == "/classes/0/name must be text");
  CHECK(refusal_of_cbor([](json& d) { d["classes"][0]["code"] = 2147483648; }) ==
        "/classes/0/code must be a whole number from 0 to 2147483647");
  CHECK(refusal_of_cbor([](json& d) {
          d["classes"][0]["colour"] = {1, 2};
        }) == "/classes/0/colour must be a list of length 3");
  CHECK(refusal_of_cbor([](json& d) { d["classes"][0]["colour"][2] = 256; }) ==
        "/classes/0/colour/2 must be a whole number from 0 to 255");
  CHECK(refusal_of_cbor([](json& d) { d["provenance"]["seed"] = -1; }) ==
        "/provenance/seed must be a whole number that is not negative");
  CHECK(refusal_of_cbor([](json& d) { d["kernel"] = "linear"; }) ==
        "kernel 'linear' is unknown; it must be hdda, pca or gaussian");
  CHECK(refusal_of_cbor([](json& d) { d = json::array(); }) == "the document must be a map");
}

TEST_CASE("shapes that do not fit their bytes are refused") {
  const auto data = "/support_spectra/data must be as long as its shape ";
  CHECK(refusal_of_cbor([](json& d) { d["support_spectra"]["shape"] = {4, 4}; }) == std::string(data) + "4 x 4 asks");
  CHECK(refusal_of_cbor([](json& d) { d["support_spectra"]["shape"] = {0, 3}; }) == std::string(data) + "0 x 3 asks");
  // Products that overflow 64 bits to the right size must not be believed.
  const std::int64_t huge = std::int64_t{1} << 62U;
  CHECK(refusal_of_cbor([&](json& d) { d["support_spectra"]["shape"] = {huge, huge}; }).starts_with(data));
  CHECK(refusal_of_cbor([&](json& d) { d["support_spectra"]["shape"] = {12, huge + 1}; }).starts_with(data));
  CHECK(refusal_of_cbor([](json& d) {
          d["support_spectra"]["shape"] = {-4, -3};
        }) == "/support_spectra/shape/0 must be a whole number from 0 to 9223372036854775807");
  CHECK(refusal_of_cbor([](json& d) { d["support_spectra"]["shape"] = {12}; }) ==
        "/support_spectra/shape must be a list of length 2");
  CHECK(refusal_of_cbor([](json& d) { d["support_spectra"]["data"] = "text"; }) ==
        "/support_spectra/data must be a byte string");
  CHECK(refusal_of_cbor([](json& d) { d["support_spectra"]["data"] = json::binary({1, 2, 3}); }).starts_with(data));
  CHECK(refusal_of_cbor([](json& d) { d["bands"]["shape"] = {1, 3}; }) == "/bands must be an array of one column");
  CHECK(refusal_of_cbor([](json& d) {
          d["machines"][0]["weights"]["shape"] = {1, 2};
        }) == "/machines/0/weights must be an array of one column");
  // No bytes at all, but an absurd number of empty rows.
  CHECK(
      refusal_of_cbor([&](json& d) { d["support_spectra"] = array(huge, 0, {}); }).starts_with("support_spectra is "));
}

TEST_CASE("content with right types but broken rules is refused") {
  CHECK(refusal_of_cbor([](json& d) {
          d["scaling"]["scale"] = array(3, 1, {1, 0, 1});
        }) == "scaling scale holds a value that is not positive");
  CHECK(refusal_of_cbor([](json& d) {
          d["scaling"]["offset"] = array(3, 1, {1, std::nan(""), 1});
        }) == "scaling offset holds a value that is not finite");
  CHECK(refusal_of_cbor([](json& d) { d["softmax_slope"] = std::nan(""); }).starts_with("softmax_slope is nan"));
  CHECK(refusal_of_cbor([](json& d) { d["machines"].erase(1); }) == "machines is 1 x 1; it must be 2 x 1");
}

TEST_CASE("no bytes crash the reader: every prefix, every byte replaced, every bit flipped") {
  const std::string bytes = model_to_cbor(small_model());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK_THROWS_AS(model_from_cbor(bytes.substr(0, length)), DataError);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    for (int bit = 0; bit < 8; ++bit) {
      changed[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      CHECK(model_or_data_error(changed));
    }
    changed[i] = '\xff';
    CHECK(model_or_data_error(changed));
  }
}

TEST_CASE("nesting, indefinite lengths and claimed lengths cannot exhaust stack or memory") {
  const std::string deep(1 << 22, '\x81');                             // lists of one list of one list ...
  const std::string strings(1 << 22, '\x7f');                          // indefinite text in indefinite text ...
  const std::string byte_strings(1 << 22, '\x5f');                     // the same for bytes
  const std::string tags(1 << 22, '\xc1');                             // tags of tags
  const std::string claimed = "\x9b\x7f\xff\xff\xff\xff\xff\xff\xff";  // a list of 2^63 - 1 items
  const std::string text = "\x7b\x7f\xff\xff\xff\xff\xff\xff\xff";     // text of as many bytes
  for (const std::string& bytes : {deep, strings, byte_strings, tags, claimed, text}) {
    CHECK(message_of([&] { model_from_cbor(bytes); }) == "the content is not plain CBOR");
  }
}

TEST_CASE("what an encoder writes is plain, up to the depth allowed") {
  const json document = {{"a", {1, -2, 3.5, 1e300, nullptr, true, 70000, -5000000000}},
                         {"b", json::binary(std::vector<std::uint8_t>(300))},
                         {"c", {{"d", json::array()}}}};
  CHECK(is_plain_cbor(encoded(document), 3));
  CHECK_FALSE(is_plain_cbor(encoded(document), 2));
  CHECK(is_plain_cbor(encoded(7), 0));
  CHECK(is_plain_cbor(encoded(std::string(70000, 'x')), 0));
}

TEST_CASE("every prefix and every longer text is refused") {
  const std::string bytes = encoded({{"a", {1, 2.5, "text"}}, {"b", json::binary({1, 2})}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK_FALSE(is_plain_cbor(bytes.substr(0, length), 5));
  }
  CHECK_FALSE(is_plain_cbor(bytes + bytes, 5));
}

TEST_CASE("indefinite lengths, tags and reserved heads are refused") {
  for (const std::string bytes :
       {"\x9f\xff", "\xbf\xff", "\x7f\x61x\xff", "\x5f\x41x\xff", "\xc1\x01", "\x1c", "\xff"}) {
    CHECK_FALSE(is_plain_cbor(bytes, 5));
  }
}

TEST_CASE("claimed lengths beyond the bytes are refused, also where doubling them would wrap around") {
  const std::string length("\x80\x00\x00\x00\x00\x00\x00\x00", 8);  // 2^63
  for (const char head : {'\x5b', '\x7b', '\x9b', '\xbb'}) {
    CHECK_FALSE(is_plain_cbor(head + length, 5));
  }
}
