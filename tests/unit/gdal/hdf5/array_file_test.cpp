#include "parsimap/gdal/hdf5/array_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <numeric>

#include "parsimap/core/error.hpp"

#include "support/hdf5_file.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {
namespace {

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

void write_arrays(const std::string& path) {
  Hdf5Writer file(path);
  file.array("plain", {2, 3, 4}, counted(24));
  file.array("group/inner/chunked", {5, 6}, counted(30), {2, 4});
  file.array<std::uint16_t>("whole", {3}, {1, 2, 65535});
  file.array<double>("nothing", {0, 3}, {});
  file.numbers("plain", "_FillValue", {-9999});
  file.numbers("/", "list", {1, 2.5});
  file.text("/", "who", "somebody ");
  file.texts("group/names", {"first", " second "});
  file.dimensions("plain", {"rows", "columns", "bands"});
}

}  // namespace

TEST_CASE("arrays are described as the file has them") {
  const TemporaryFolder folder;
  write_arrays(folder.file("a.h5"));
  CHECK(is_hdf5_file(folder.file("a.h5")));
  const auto file = std::make_unique<ArrayFile>(folder.file("a.h5"));
  CHECK(file->bytes() == static_cast<std::int64_t>(std::filesystem::file_size(folder.file("a.h5"))));
  CHECK(file->members("/") ==
        std::vector<std::string>{"bands", "columns", "group", "nothing", "plain", "rows", "whole"});
  CHECK(file->members("group") == std::vector<std::string>{"inner", "names"});
  CHECK(file->members("none").empty());
  const FileArray plain = file->need("plain");
  CHECK(plain.shape == std::vector<std::int64_t>{2, 3, 4});
  CHECK(plain.chunk.empty());
  CHECK(plain.dimensions == std::vector<std::string>{"rows", "columns", "bands"});
  CHECK(plain.type == "Float32");
  CHECK(plain.value_bytes == 4);
  CHECK(plain.fill == -9999.0);
  CHECK(plain.text() == "plain (2 x 3 x 4)");
  const FileArray chunked = file->need("/group/inner/chunked");
  CHECK(chunked.chunk == std::vector<std::int64_t>{2, 4});
  CHECK(chunked.dimensions.empty());
  CHECK_FALSE(chunked.fill);
  CHECK(file->need("whole").type == "UInt16");
  CHECK_FALSE(file->find("none"));
  CHECK_FALSE(file->find("group/none/deeper"));
  CHECK_THROWS_WITH_AS((void)file->need("group/none"),
                       doctest::Contains("has no array group/none; its group group holds inner, names"), DataError);
  CHECK_THROWS_WITH_AS((void)file->find("group"), doctest::Contains("group is damaged, or no array"), DataError);
  CHECK_THROWS_WITH_AS((void)file->find("group/names"), doctest::Contains("is no array of real numbers"), DataError);
}

TEST_CASE("boxes of arrays are read, whatever is kept of their chunks") {
  const TemporaryFolder folder;
  write_arrays(folder.file("a.h5"));
  const auto file = std::make_unique<ArrayFile>(folder.file("a.h5"));
  std::vector<float> values(4);
  file->read(file->need("plain"), {1, 1, 2}, {1, 2, 2}, values.data());
  CHECK(values == std::vector<float>{18, 19, 22, 23});
  const FileArray chunked = file->need("group/inner/chunked");
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1} << 20}) {
    file->keep_decoded(chunked, bytes);
    file->read(chunked, {1, 3}, {2, 2}, values.data());
    CHECK(values == std::vector<float>{9, 10, 15, 16});
  }
  CHECK(file->read_all(file->need("whole")) == std::vector<double>{1, 2, 65535});
  CHECK(file->read_all(file->need("nothing")).empty());
  CHECK_THROWS_WITH_AS(file->read(chunked, {4, 0}, {2, 2}, values.data()), doctest::Contains("values cannot be read"),
                       DataError);
}

TEST_CASE("attributes and texts are read by their kind") {
  const TemporaryFolder folder;
  write_arrays(folder.file("a.h5"));
  const auto file = std::make_unique<ArrayFile>(folder.file("a.h5"));
  CHECK(file->numbers("/", "list") == std::vector<double>{1, 2.5});
  CHECK(file->text("/", "who") == "somebody");
  CHECK_FALSE(file->numbers("/", "who"));
  CHECK_FALSE(file->text("/", "list"));
  CHECK_FALSE(file->numbers("/", "none"));
  CHECK_FALSE(file->numbers("none", "list"));
  CHECK(file->texts("group/names") == std::vector<std::string>{"first", "second"});
  CHECK(file->texts("plain").empty());
  CHECK(file->texts("none").empty());
}

TEST_CASE("a size that a file cannot hold is not believed") {
  const TemporaryFolder folder;
  {
    Hdf5Writer file(folder.file("a.h5"));
    file.array<float>("any", {1}, {0});
  }
  // An array that was never written takes no room in the file.
  const hid_t file = H5Fopen(folder.file("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const std::array<hsize_t, 2> shape{2000000000, 2000000000};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  const std::array<hsize_t, 2> chunk{10, 10};
  H5Pset_chunk(layout, 2, chunk.data());
  H5Dclose(H5Dcreate2(file, "vast", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, layout, H5P_DEFAULT));
  H5Pclose(layout);
  H5Sclose(space);
  H5Fclose(file);
  const auto opened = std::make_unique<ArrayFile>(folder.file("a.h5"));
  CHECK_THROWS_WITH_AS((void)opened->find("vast"), doctest::Contains("cannot hold so many values"), DataError);
}

TEST_CASE("files of GDAL's file systems are read, and changes are noticed") {
  const TemporaryFolder folder;
  write_arrays(folder.file("a.h5"));
  const std::string content = file_content(folder.file("a.h5"));
  const std::string path = "/vsimem/array_file_test.h5";
  VSILFILE* memory = VSIFOpenL(path.c_str(), "wb");
  VSIFWriteL(content.data(), 1, content.size(), memory);
  VSIFCloseL(memory);
  CHECK(std::make_unique<ArrayFile>(path)->read_all(std::make_unique<ArrayFile>(path)->need("whole")).back() == 65535);
  VSIUnlink(path.c_str());
  const auto file = std::make_unique<ArrayFile>(folder.file("a.h5"));
  CHECK_NOTHROW(file->check_unchanged());
  write_file(folder.file("a.h5"), content + "more");
  CHECK_THROWS_AS(file->check_unchanged(), IoError);
}

TEST_CASE("what is no HDF5 file, or a damaged one, is refused") {
  const TemporaryFolder folder;
  CHECK_FALSE(is_hdf5_file(folder.file("missing")));
  CHECK_FALSE(is_hdf5_file(folder.file("")));
  write_file(folder.file("text"), "text");
  CHECK_FALSE(is_hdf5_file(folder.file("text")));
  write_arrays(folder.file("a.h5"));
  std::filesystem::resize_file(folder.file("a.h5"), 300);
  CHECK(is_hdf5_file(folder.file("a.h5")));
  CHECK_THROWS_WITH_AS((void)std::make_unique<ArrayFile>(folder.file("a.h5")), doctest::Contains("damaged or cut off"),
                       DataError);
}

}  // namespace parsimap::test
