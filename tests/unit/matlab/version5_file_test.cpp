#include "matlab/version5_file.hpp"

#include <doctest/doctest.h>
#include <matio.h>
#include <zlib.h>

#include <filesystem>
#include <initializer_list>
#include <string>

#include "parsimap/core/error.hpp"

#include "matlab_fixture.hpp"
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

using namespace parsimap::test;

namespace {

// Of a file with one array 3 x 4 x 50 called cube, with these bytes in place of others.
std::string refusal_of_file(std::size_t place, const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("changed.mat");
  MatlabWriter(path).add_cube<std::uint16_t>("cube", 3, 4, 50);
  std::string content = file_content(path);
  content.replace(place, bytes.size(), bytes);
  write_file(path, content);
  const std::string message = message_of([&] { const Version5File file(path, true); });
  const std::string begin = path + " is damaged: of the array that begins at byte 128, ";
  return message.rfind(begin, 0) == 0 ? message.substr(begin.size()) : message;
}

std::string bytes_of(std::initializer_list<int> values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("matlab version 5: what an array says of itself is checked before memory is taken for it") {
  CHECK(refusal_of_file(160, bytes_of({3, 0, 0, 0, 4})) == "nothing was thrown");
  CHECK(refusal_of_file(140, bytes_of({9})) == "the flags have 9 bytes; they must have 8");
  CHECK(refusal_of_file(156, bytes_of({11})) ==
        "the shape has 11 bytes; it must have 4 for each of two or more dimensions");
  CHECK(refusal_of_file(156, bytes_of({4})) ==
        "the shape has 4 bytes; it must have 4 for each of two or more dimensions");
  CHECK(refusal_of_file(160, bytes_of({-1, -1, -1, -1})) == "a length in the shape is -1; it must not be negative");
  CHECK(refusal_of_file(160, bytes_of({4})) ==
        "the values of cube (4 x 4 x 50, uint16) take 1200 bytes; its shape needs 1600");
  CHECK(refusal_of_file(160, bytes_of({-1, -1, -1, 127, -1, -1, -1, 127, -1, -1, -1, 127}))
            .find(" take 1200 bytes; its ") != std::string::npos);
  // The type and the size of the values; the name is in eight bytes before.
  CHECK(refusal_of_file(184, bytes_of({9})) ==
        "the values of cube (3 x 4 x 50, uint16) are stored as numbers of the type 9, which are none of its class");
  CHECK(refusal_of_file(184, bytes_of({2})) ==
        "the values of cube (3 x 4 x 50, uint16) take 1200 bytes; its shape needs 600");
  CHECK(refusal_of_file(184, bytes_of({14})).find(" are stored as numbers of the type 14, ") != std::string::npos);
  CHECK(refusal_of_file(188, bytes_of({-1, -1, -1, -1})) ==
        "the values of cube (3 x 4 x 50, uint16) take 4294967295 bytes; its shape needs 1200");
  CHECK(refusal_of_file(132, bytes_of({-80, 4})) ==
        "the values of cube (3 x 4 x 50, uint16) take 1200 bytes; there are only 1144");
}

TEST_CASE("matlab version 5: whole numbers that are stored in a smaller type than that of their class") {
  const TemporaryFolder folder;
  const std::string path = folder.file("small.mat");
  MatlabWriter(path).add<std::int16_t>("numbers", {1, 4}, {-1, 2, 300, -400});
  std::string content = file_content(path);
  content[144] = MAT_C_DOUBLE;
  write_file(path, content);
  Version5File file(path, true);
  CHECK(to_string(file.arrays().front()) == "numbers (1 x 4, double)");
  CHECK(file.read<double>(file.arrays().front()) == (Vector(4) << -1, 2, 300, -400).finished());
}

TEST_CASE("matlab version 5: two arrays of one name are both read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("twins.mat");
  MatlabWriter(path).add<double>("twin", {1, 2}, {1, 2});
  const std::string first = file_content(path);
  MatlabWriter(path).add<double>("twin", {1, 3}, {3, 4, 5});
  write_file(path, first + file_content(path).substr(128));
  Version5File file(path, true);
  CHECK(file.read<double>(file.arrays()[0]) == (Vector(2) << 1, 2).finished());
  CHECK(file.read<double>(file.arrays()[1]) == (Vector(3) << 3, 4, 5).finished());
}

TEST_CASE("matlab version 5: damaged compressed values are not read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("packed.mat");
  MatlabWriter(path).add_cube<double>("cube", 30, 40, 50, true);
  const std::string whole = file_content(path);
  const std::size_t step = whole.size() / 20;
  for (std::size_t place = whole.size() - 3; place > 400; place -= step) {
    std::string content = whole;
    content[place] = static_cast<char>(content[place] ^ 0x10);
    write_file(path, content);
    Version5File file(path, true);
    CHECK_THROWS_AS(static_cast<void>(file.read<double>(file.arrays().front())), DataError);
  }
}

TEST_CASE("matlab version 5: an array that has become another one") {
  const TemporaryFolder folder;
  const std::string path = folder.file("replaced.mat");
  MatlabWriter(path).add<double>("cube", {1, 4}, {1, 2, 3, 4});
  Version5File file(path, true);
  MatlabWriter(path).add<double>("cube", {2, 2}, {1, 2, 3, 4});
  CHECK(message_of([&] { static_cast<void>(file.read<double>(file.arrays().front())); }) ==
        path + " changed while it was read: cube (1 x 4, double) has become cube (2 x 2, double)");
}

TEST_CASE("matlab array: its name, shape and type as one text") {
  MatlabArray array;
  array.name = "paviaU";
  array.shape = {610, 340, 103};
  set_type(array, MAT_C_UINT16, false, false);
  CHECK(to_string(array) == "paviaU (610 x 340 x 103, uint16)");
  CHECK(array.real_numbers);
  set_type(array, MAT_C_DOUBLE, false, true);
  CHECK(array.type == "complex double");
  CHECK_FALSE(array.real_numbers);
  set_type(array, MAT_C_UINT8, true, false);
  CHECK(array.type == "logical");
  CHECK(array.real_numbers);
  set_type(array, 200, false, false);
  CHECK(array.type == "unknown");
  CHECK_FALSE(array.real_numbers);
}

TEST_CASE("matlab array: a shape may have more values than integers can count") {
  MatlabArray array;
  CHECK(value_count(array) == 1);
  array.shape = {3, 0, 5};
  CHECK(value_count(array) == 0);
  array.shape.assign(16, 2147483647);
  CHECK(value_count(array) > 1e148);
}
