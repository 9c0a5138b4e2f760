#include "matlab/element_stream.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <filesystem>
#include <initializer_list>
#include <string>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

namespace {

std::string words(std::initializer_list<std::uint32_t> values) {
  std::string bytes;
  for (const std::uint32_t value : values) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>(value >> shift & 0xFFU);
    }
  }
  return bytes;
}

std::string element(std::uint32_t type, const std::string& content) {
  return words({type, static_cast<std::uint32_t>(content.size())}) + content;
}

std::string packed(const std::string& content) {
  uLongf size = compressBound(content.size());
  std::string bytes(size, '\0');
  compress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(content.data()),
           content.size());
  return bytes.substr(0, size);
}

constexpr std::uint32_t kArray = 14;
constexpr std::uint32_t kCompressed = 15;
constexpr std::uint32_t kText = 1;

class Elements {
 public:
  explicit Elements(const std::string& content) {
    file_.path = folder_.file("elements");
    write_file(file_.path, content);
    file_.bytes = static_cast<std::int64_t>(content.size());
    file_.stream.open(file_.path, std::ios::binary);
  }

  ElementStream at(std::int64_t begin) { return {file_, begin}; }
  [[nodiscard]] const std::string& path() const { return file_.path; }

 private:
  TemporaryFolder folder_;
  OpenMatlabFile file_;
};

std::string refusal_of_stream(const std::string& content) {
  Elements elements(content);
  const std::string message = message_of([&] {
    ElementStream stream = elements.at(0);
    static_cast<void>(stream.content_of_part(kText, "name"));
    stream.finish();
  });
  const std::string begin = elements.path() + " is damaged: of the array that begins at byte 0, ";
  return message.rfind(begin, 0) == 0 ? message.substr(begin.size()) : message;
}

}  // namespace

TEST_CASE("element stream: parts of an array, compressed or not") {
  // One part in eight bytes, one of nine bytes with its padding, one at the end without.
  const std::string parts = words({kText | 3U << 16U}) + "abc" + '\0' + element(kText, "nine char") +
                            std::string(7, '\0') + element(kText, "end");
  for (const bool compressed : {false, true}) {
    const std::string array = element(kArray, parts);
    const std::string all = compressed ? element(kCompressed, packed(array)) : array;
    Elements elements("12345678" + all);
    ElementStream stream = elements.at(8);
    CHECK(stream.end() == static_cast<std::int64_t>(8 + all.size()));
    CHECK(stream.content_of_part(kText, "name") == "abc");
    CHECK(stream.content_of_part(kText, "name") == "nine char");
    CHECK(stream.content_of_part(kText, "name") == "end");
    stream.finish();
    CHECK_THROWS_AS(stream.next_part(), DataError);
  }
}

TEST_CASE("element stream: sizes beyond what there is are refused") {
  CHECK(refusal_of_stream(element(kArray, element(kText, "name"))) == "nothing was thrown");
  CHECK(refusal_of_stream(element(kArray, words({kText, 5}) + "name")) == "parts are longer than the whole");
  CHECK(refusal_of_stream(element(kArray, words({kText | 5U << 16U}) + "name")) ==
        "a part has 5 bytes in its tag; there is room for 4");
  CHECK(refusal_of_stream(element(kArray, words({kText}))) == "parts are longer than the whole");
  CHECK(refusal_of_stream(element(kArray, element(2, "name"))) ==
        "the name has the type 2 and 4 bytes; it must have the type 1 and at most 4096 bytes");
  CHECK(refusal_of_stream(element(kArray, element(kText, std::string(5000, 'x')))) ==
        "the name has the type 1 and 5000 bytes; it must have the type 1 and at most 4096 bytes");
  CHECK(refusal_of_stream(element(9, element(kText, "name"))) == "the type is 9; it must be that of arrays, 14");
}

TEST_CASE("element stream: compressed bytes that are damaged or cut are refused") {
  const std::string array = element(kArray, element(kText, "name") + std::string(70000, 'x'));
  const std::string whole = packed(array);
  CHECK(refusal_of_stream(element(kCompressed, whole)) == "nothing was thrown");
  const std::string damaged = "the compressed bytes are damaged or cut off";
  CHECK(refusal_of_stream(element(kCompressed, "")) == damaged);
  CHECK(refusal_of_stream(element(kCompressed, "no zlib")) == damaged);
  CHECK(refusal_of_stream(element(kCompressed, whole.substr(0, whole.size() - 1))) == damaged);
  CHECK(refusal_of_stream(element(kCompressed, whole.substr(0, whole.size() - 100))) == damaged);
  std::string other_sum = whole;
  other_sum.back() = static_cast<char>(other_sum.back() + 1);
  CHECK(refusal_of_stream(element(kCompressed, other_sum)) == damaged);
  const std::string more = "the compressed bytes unpack to more bytes than are declared, or there are more of them";
  CHECK(refusal_of_stream(element(kCompressed, whole + 'x')) == more);
  CHECK(refusal_of_stream(element(kCompressed, packed(array + 'x'))) == more);
  CHECK(refusal_of_stream(element(kCompressed, packed(array.substr(0, array.size() - 1)))) ==
        "the compressed bytes unpack to fewer bytes than are declared");
  CHECK(refusal_of_stream(element(kCompressed, packed(words({kArray, 0x7FFFFFFF}) + element(kText, "name")))) ==
        "2147483647 bytes are declared; 25 compressed ones cannot hold so many");
  CHECK(refusal_of_stream(element(kCompressed, packed(element(9, element(kText, "name"))))) ==
        "the type is 9; it must be that of arrays, 14");
}

TEST_CASE("element stream: a file that has become shorter") {
  Elements elements(element(kArray, element(kText, "name")));
  std::filesystem::resize_file(elements.path(), 14);
  ElementStream stream = elements.at(0);
  CHECK(message_of([&] { stream.next_part(); }) ==
        elements.path() + " changed while it was read: it is shorter than it was");
}
