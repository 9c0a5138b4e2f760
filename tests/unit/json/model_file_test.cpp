#include "parsimap/json/model_file.hpp"

#include <boost/crc.hpp>
#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"

#include "json/model_cbor.hpp"
#include "unit/classifier/small_model.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

namespace {

template <typename Value>
void put(std::string& bytes, std::size_t offset, Value value) {
  for (std::size_t i = 0; i < sizeof(Value); ++i) {
    bytes[offset + i] = static_cast<char>(value >> (8 * i));
  }
}

// A file with a right checksum around any payload.
std::string sealed(const std::string& payload, std::uint32_t version = 3) {
  std::string bytes = "PARSIMAP" + std::string(16, '\0') + payload;
  put<std::uint32_t>(bytes, 8, version);
  put<std::uint64_t>(bytes, 12, payload.size());
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), 20);
  crc.process_bytes(payload.data(), payload.size());
  put<std::uint32_t>(bytes, 20, crc.checksum());
  return bytes;
}

// The refusal of a file with this content, its path taken out.
std::string refusal_of_file(const TemporaryFolder& folder, const std::string& bytes) {
  const std::string path = folder.file("x");
  std::filesystem::remove(path);  // rewriting a file in place makes ext4 flush it, for milliseconds each time
  write_file(path, bytes);
  std::string message;
  try {
    load_model(path);
    return "loaded";
  } catch (const DataError& error) {
    message = error.what();
  }
  const std::size_t start = message.find("'" + path + "'");
  return start == std::string::npos ? message : message.erase(start, path.size() + 3);
}

}  // namespace

TEST_CASE("a saved model is the documented head and its CBOR, and loads to the same") {
  const TemporaryFolder folder;
  const std::string bytes = model_bytes(small_model());
  CHECK(bytes == sealed(model_to_cbor(small_model())));
  write_file(folder.file("saved.model"), bytes);
  CHECK(model_to_cbor(load_model(folder.file("saved.model"))) == model_to_cbor(small_model()));
  CHECK(is_model_file(folder.file("saved.model")));
}

TEST_CASE("every truncation is refused as one, with the numbers of bytes") {
  const TemporaryFolder folder;
  const std::string bytes = model_bytes(small_model());
  CHECK(refusal_of_file(folder, "") == "model is empty");
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    const std::string message = refusal_of_file(folder, bytes.substr(0, length));
    const std::string expected =
        length < 24 ? "at least 24 bytes expected, " + std::to_string(length) + " found"
                    : std::to_string(bytes.size()) + " bytes expected, " + std::to_string(length) + " found";
    CHECK(message == "model is truncated: " + expected);
  }
}

TEST_CASE("every changed byte is refused") {
  const TemporaryFolder folder;
  const std::string bytes = model_bytes(small_model());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const std::string message = refusal_of_file(folder, changed);
      CHECK(message != "loaded");
      if (i >= 20) {
        CHECK(message == "model is damaged: its checksum does not match its content");
      }
    }
  }
}

TEST_CASE("foreign files, folders and missing files are refused with what they are") {
  const TemporaryFolder folder;
  CHECK(refusal_of_file(folder, "II*\0 a TIFF file, long enough for a head") == "is not a parsimap model");
  CHECK(refusal_of_file(folder, "no") == "is not a parsimap model");
  CHECK(refusal_of_file(folder, "PARSIMAQ" + std::string(100, '\0')) == "is not a parsimap model");
  CHECK_FALSE(is_model_file(folder.file("x")));
  const std::string path = folder.file("absent");
  CHECK(message_of([&] { load_model(path); }) == "model '" + path + "' does not exist");
  std::filesystem::create_directory(path);
  CHECK(message_of([&] { load_model(path); }) == "model '" + path + "' is not a regular file");
  CHECK_FALSE(is_model_file(path));
  CHECK_FALSE(is_model_file(folder.file("nothing")));
  CHECK_THROWS_AS(load_model("/dev/zero"), DataError);
}

TEST_CASE("models with a kernel of profiles are of a version that older programs refuse, and no others") {
  const TemporaryFolder folder;
  const std::string bytes = model_bytes(small_profiled_model());
  CHECK(bytes == sealed(model_to_cbor(small_profiled_model()), 4));
  write_file(folder.file("saved.model"), bytes);
  CHECK(model_bytes(load_model(folder.file("saved.model"))) == bytes);
  CHECK(model_bytes(model_of_bytes(bytes, "memory")) == bytes);
  Model without = small_model();
  without.profile_score = ProfileScore{};
  CHECK(model_bytes(without)[8] == 3);
}

TEST_CASE("models that combine decision values are of the newest version") {
  for (Model model : {small_model(), small_profiled_model()}) {
    const auto classes = static_cast<Index>(model.classes.size());
    model.combination = Matrix::Identity(classes, classes);
    model.combination(0, 1) = -0.25;
    const std::string bytes = model_bytes(model);
    CHECK(bytes == sealed(model_to_cbor(model), 5));
    CHECK(model_of_bytes(bytes, "memory").combination == model.combination);
  }
}

TEST_CASE("another format version is refused with both versions") {
  const TemporaryFolder folder;
  CHECK(refusal_of_file(folder, sealed("a payload of the future", 7)) ==
        "model has format version 7, which is newer than version 5 that this program reads; use a newer parsimap");
  CHECK(refusal_of_file(folder, sealed(model_to_cbor(small_model()), 1)) ==
        "model has format version 1, which is older than version 3 that this program reads; train it again");
  CHECK(refusal_of_file(folder, sealed(model_to_cbor(small_model()), 0)).starts_with("model is damaged"));
}

TEST_CASE("a size that is not the file's is refused before memory is taken for it") {
  const TemporaryFolder folder;
  std::string bytes = model_bytes(small_model());
  put<std::uint64_t>(bytes, 12, ~std::uint64_t{0});
  CHECK(refusal_of_file(folder, bytes).starts_with("model is truncated: "));
  CHECK(refusal_of_file(folder, model_bytes(small_model()) + "x").starts_with("model is damaged: "));
}

TEST_CASE("a right checksum does not make content right") {
  const TemporaryFolder folder;
  CHECK(refusal_of_file(folder, sealed("")) == "model is not valid: the content is not plain CBOR");
  CHECK(refusal_of_file(folder, sealed(std::string(1 << 20, '\x81'))) ==
        "model is not valid: the content is not plain CBOR");
  CHECK(refusal_of_file(folder, sealed("\xa0")) == "model is not valid: /classes is missing");
}

TEST_CASE("a model that breaks a rule has no bytes, and others are sealed") {
  Model model = small_model();
  model.classifiers[0].C = -1;
  CHECK_THROWS_AS(model_bytes(model), DataError);
  CHECK(model_bytes(small_model()) == sealed(model_to_cbor(small_model())));
}
