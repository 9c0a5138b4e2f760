#include "matlab/version5_file.hpp"

#include <doctest/doctest.h>
#include <matio.h>

#include "parsimap/core/error.hpp"

#include "matlab_fixture.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
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
