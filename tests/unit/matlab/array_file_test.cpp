#include "matlab/array_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/core/error.hpp"

#include "matlab/version5_file.hpp"
#include "matlab_fixture.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// A cube and a smaller array.
std::string two_arrays(const TemporaryFolder& folder, bool compressed) {
  const std::string path = folder.file("whole.mat");
  MatlabWriter writer(path);
  writer.add_cube<std::uint16_t>("cube", 3, 4, 50, compressed);
  writer.add<double>("gain", {1, 2}, {0.5, 2}, compressed);
  return path;
}

void check_cube(const std::string& path) {
  const MatlabArrays file(path);
  const Vector values = file.read<double>(file.only({3, 4, 50}, ""));
  REQUIRE(values.size() == 600);
  for (Index i = 0; i < 600; ++i) {
    CHECK(values(i) == static_cast<double>(100 * (i % 3) + 10 * (i / 3 % 4) + i / 12));
  }
}

// The file with the bytes of every number turned round, as machines of the other kind write it.
std::string with_turned_bytes(std::string bytes) {
  const auto turn = [&bytes](std::size_t first, std::size_t count) {
    std::reverse(bytes.begin() + static_cast<Index>(first), bytes.begin() + static_cast<Index>(first + count));
  };
  turn(124, 2);
  turn(126, 2);
  // Tag of the array; tag, flags and class; tag and dimensions.
  for (std::size_t at = 128; at < 172; at += 4) {
    turn(at, 4);
  }
  // The name is in the small format of text, whose tag is one number; the values follow it.
  turn(176, 4);
  turn(184, 4);
  turn(188, 4);
  for (std::size_t at = 192; at + 2 <= bytes.size(); at += 2) {
    turn(at, 2);
  }
  return bytes;
}

}  // namespace

TEST_CASE("matlab: every numeric type, compressed or not, gives the same values") {
  const TemporaryFolder folder;
  const std::string path = folder.file("typed.mat");
  const auto check = [&]<typename Value>(Value) {
    for (const bool compressed : {false, true}) {
      MatlabWriter(path).add_cube<Value>("cube", 3, 4, 50, compressed);
      check_cube(path);
    }
  };
  check(double{});
  check(float{});
  check(std::uint16_t{});
  check(std::int16_t{});
  check(std::uint32_t{});
  check(std::int32_t{});
  check(std::uint64_t{});
  check(std::int64_t{});
}

TEST_CASE("matlab: types of one byte") {
  const TemporaryFolder folder;
  const std::string path = folder.file("bytes.mat");
  {
    MatlabWriter writer(path);
    writer.add<std::uint8_t>("unsigned", {1, 4}, {0, 127, 128, 255});
    writer.add<std::int8_t>("signed", {4, 1}, {0, 127, -128, -1});
  }
  const MatlabArrays file(path);
  CHECK(file.read<double>(file.only({1, 4}, "")) == (Vector(4) << 0, 127, 128, 255).finished());
  CHECK(file.read<double>(file.only({4, 1}, "")) == (Vector(4) << 0, 127, -128, -1).finished());
}

TEST_CASE("matlab: files of machines with the other order of bytes") {
  const TemporaryFolder folder;
  const std::string path = folder.file("turned.mat");
  MatlabWriter(path).add_cube<std::uint16_t>("cube", 3, 4, 50);
  write_file(path, with_turned_bytes(file_content(path)));
  check_cube(path);
}

TEST_CASE("matlab: the arrays of a file, and the one that is wanted") {
  const TemporaryFolder folder;
  const std::string path = folder.file("mixed.mat");
  {
    MatlabWriter writer(path);
    writer.add_cube<std::int16_t>("scene", 3, 4, 5);
    writer.add_cube<float>("twin", 3, 4, 6);
    writer.add_complex_cube("phases", 2, 2, 2);
    writer.add<std::uint8_t>("mask", {3, 4}, std::vector<std::uint8_t>(12, 1), false, MAT_F_LOGICAL);
    writer.add_text("about", "two scenes");
  }
  const MatlabArrays file(path);
  std::string all;
  for (const MatlabArray& array : file.arrays()) {
    all += to_string(array) + "; ";
  }
  CHECK(all ==
        "scene (3 x 4 x 5, int16); twin (3 x 4 x 6, single); phases (2 x 2 x 2, complex double); "
        "mask (3 x 4, logical); about (1 x 10, char); ");
  CHECK(file.only({3, 4, 6}, "").name == "twin");
  CHECK(file.only({std::nullopt, std::nullopt, 5}, "").name == "scene");
  CHECK(file.only({3, std::nullopt}, "").name == "mask");
  CHECK(message_of([&] {
          static_cast<void>(file.only({3, 4, std::nullopt}, "3 x 4 x bands"));
        }) == path + " has several arrays of 3 x 4 x bands real numbers, scene (3 x 4 x 5, int16), " +
                  "twin (3 x 4 x 6, single); name one of them");
  CHECK(message_of([&] {
          static_cast<void>(file.only({2, 2, 2}, "2 x 2 x 2"));
        }) ==
        path +
            " has no array of 2 x 2 x 2 real numbers; it holds scene (3 x 4 x 5, int16), twin (3 x 4 x 6, single), " +
            "phases (2 x 2 x 2, complex double), mask (3 x 4, logical), about (1 x 10, char)");
}

TEST_CASE("matlab: a file cut off anywhere is not read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("cut.mat");
  for (const bool compressed : {false, true}) {
    const std::string whole = file_content(two_arrays(folder, compressed));
    std::size_t readable = 0;
    for (std::size_t bytes = 128; bytes < whole.size(); ++bytes) {
      write_file(path, whole.substr(0, bytes));
      const std::string message = message_of([&] { const MatlabArrays file(path); });
      CAPTURE(bytes);
      CAPTURE(message);
      const bool cut_off = message.rfind(path + " is cut off: the array that begins at byte ", 0) == 0;
      readable += cut_off ? 0 : 1;
      CHECK((cut_off || message == "nothing was thrown"));
    }
    // Without arrays, and between the two.
    CHECK(readable == 2);
  }
  write_file(path, file_content(two_arrays(folder, false)).substr(0, 1000));
  CHECK(message_of([&] { const MatlabArrays file(path); }) ==
        path + " is cut off: the array that begins at byte 128 ends at byte 1392, but the file has 1000 bytes");
}

TEST_CASE("matlab: files of other kinds") {
  const TemporaryFolder folder;
  const std::string path = folder.file("other.mat");
  const auto message = [&] { return message_of([&] { const MatlabArrays file(path); }); };
  CHECK(message() == path + " cannot be read: No such file or directory");
  CHECK_THROWS_AS(MatlabArrays(folder.file("")), DataError);
  for (const std::size_t bytes : {0, 127, 500}) {
    write_file(path, std::string(bytes, 'x'));
    CHECK(message() == path + " is not a MATLAB file of version 5 to 7.3: it does not begin like one");
  }
  std::string unknown = file_content(two_arrays(folder, false));
  unknown[125] = 9;
  write_file(path, unknown);
  CHECK(message() == path + " is not a MATLAB file of version 5 to 7.3: its header has version 9");
}

TEST_CASE("matlab: version 7.3") {
  const TemporaryFolder folder;
  const std::string path = folder.file("hdf5.mat");
  {
    MatlabWriter writer(path, MAT_FT_MAT73);
    writer.add_cube<std::uint16_t>("cube", 3, 4, 50, true);
    writer.add<double>("gain", {1, 2}, {0.5, 2});
  }
  check_cube(path);
  {
    // HDF5 would take the file cut below for this one as long as it is open.
    const MatlabArrays file(path);
    CHECK(file.read<double>(file.only({1, 2}, "")) == (Vector(2) << 0.5, 2).finished());
  }
  const std::string whole = file_content(path);
  write_file(path, whole.substr(0, whole.size() / 2));
  CHECK(message_of([&] { const MatlabArrays cut(path); }) ==
        path + " is a MATLAB file of version 7.3 (HDF5) that is damaged or cut off");
}

TEST_CASE("matlab: arrays of version 7.3 that are no real numbers are named with their classes") {
  const TemporaryFolder folder;
  const std::string path = folder.file("mixed.mat");
  {
    MatlabWriter writer(path, MAT_FT_MAT73);
    writer.add_cube<std::int16_t>("scene", 3, 4, 5);
    writer.add_complex_cube("phases", 2, 2, 2);
    writer.add<std::uint8_t>("mask", {3, 4}, std::vector<std::uint8_t>(12, 1), false, MAT_F_LOGICAL);
    writer.add_text("about", "two scenes");
  }
  const MatlabArrays file(path);
  CHECK(file.only({3, std::nullopt}, "").name == "mask");
  CHECK(message_of([&] {
          static_cast<void>(file.only({2, 2, 2}, "2 x 2 x 2"));
        }) == path + " has no array of 2 x 2 x 2 real numbers; it holds about (1 x 10, char), mask (3 x 4, logical), " +
                  "phases (2 x 2 x 2, complex double), scene (3 x 4 x 5, int16)");
}

TEST_CASE("matlab: a file that becomes shorter while it is read is not read as zeros") {
  const TemporaryFolder folder;
  for (const bool compressed : {false, true}) {
    const std::string path = two_arrays(folder, compressed);
    const MatlabArrays file(path);
    const MatlabArray& gain = file.only({1, 2}, "");
    CHECK(file.read<double>(gain)(1) == 2);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 4);
    CHECK_THROWS_AS(static_cast<void>(file.read<double>(gain)), std::runtime_error);
  }
}

TEST_CASE("matlab: a size that the file cannot hold is not believed") {
  const TemporaryFolder folder;
  const std::string path = folder.file("lie.mat");
  const auto refusal = [&] { return message_of([&] { const MatlabArrays file(path); }); };
  const std::string damaged = path + " is damaged: of the array that begins at byte 128, ";
  MatlabWriter(path).add_cube<std::uint16_t>("cube", 3, 4, 50);
  std::string bytes = file_content(path);
  bytes.replace(160, 12, std::string("\x0a\0\0\0\x0c\0\0\0\0\x09\x3d\0", 12));  // 10 x 12 x 4,000,000
  write_file(path, bytes);
  CHECK(refusal() ==
        damaged + "the values of cube (10 x 12 x 4000000, uint16) take 1200 bytes; its shape needs 960000000");
  // The same, compressed by zlib: what unpacks to the head of such an array.
  const std::string head = file_content(path).substr(0, 128);
  const std::string packed(
      "\x78\xda\xe3\x63\x60\x60\x08\x00\x62\x36\x20\xe6\x00\x62\x6e\x06\x08\x60\x05\x62\x1e\x20\xe6\x82"
      "\xd2\x0c\x9c\xb6\x60\x71\x46\x20\x66\x01\xe2\xe4\xd2\xa4\x54\x06\x28\x9b\xa1\xc0\xc2\x92\x01\x0d"
      "\x00\x00\x7e\xa6\x03\x6e",
      54);
  const std::string tag("\x0f\0\0\0\x36\0\0\0", 8);
  write_file(path, head + tag + packed);
  CHECK(refusal() ==
        damaged + "the values of cube (10 x 12 x 4000000, uint16) take 960000000 bytes; there are only 16");
}

TEST_CASE("matlab: what version 7.3 declares is not believed where the file is too small") {
  const TemporaryFolder folder;
  const std::string path = folder.file("lie.mat");
  MatlabWriter(path, MAT_FT_MAT73).add_cube<std::uint16_t>("cube", 3, 4, 50);
  const std::string bytes = file_content(path);
  const std::string shape("\x32\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0", 24);
  std::string changed = bytes;
  for (std::size_t at = bytes.find(shape); at != std::string::npos; at = bytes.find(shape, at + 1)) {
    changed.replace(at + 3, 1, "\x7f");
  }
  write_file(path, changed);
  CHECK(message_of([&] {
          static_cast<void>(MatlabArrays(path).only({3, 4, std::nullopt}, "3 x 4 x bands"));
        }) == path + ": the size of cube (3 x 4 x 2130706482, uint16) is wrong: a file of " +
                  std::to_string(bytes.size()) + " bytes cannot hold so many values");
}

TEST_CASE("matlab: an array of zeros that compresses as well as any is read") {
  const TemporaryFolder folder;
  const std::string path = folder.file("zeros.mat");
  MatlabWriter(path).add<std::uint8_t>("zeros", {1000, 2000}, std::vector<std::uint8_t>(2'000'000, 0), true);
  const MatlabArrays file(path);
  CHECK(file.read<float>(file.only({1000, 2000}, "")).maxCoeff() == 0);
}

TEST_CASE("matlab: what is no regular file is not opened") {
  CHECK(message_of([] { const MatlabArrays file("/dev/zero"); }) ==
        "/dev/zero is a device; an input must be a regular file");
}
