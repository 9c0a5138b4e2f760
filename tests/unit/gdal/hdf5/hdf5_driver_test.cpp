#include "gdal/hdf5/hdf5_driver.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/hdf5/array_file.hpp"

#include "support/hdf5_file.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

TEST_CASE("files are opened for reading, and what is no HDF5 file is not") {
  const TemporaryFolder folder;
  {
    Hdf5Writer file(folder.file("a.h5"));
    file.array<float>("any", {1}, {0});
  }
  const Hdf5Id file = open_hdf5(folder.file("a.h5"));
  CHECK(file.valid());
  CHECK_FALSE(open_hdf5(folder.file("missing.h5")).valid());
  write_file(folder.file("text.h5"), "text");
  CHECK_FALSE(open_hdf5(folder.file("text.h5")).valid());
}

TEST_CASE("a heap of texts that leads nowhere is refused instead of walked over for ever") {
  const TemporaryFolder folder;
  {
    Hdf5Writer file(folder.file("a.h5"));
    file.texts("names", {"first", "second"});
  }
  std::string content = file_content(folder.file("a.h5"));
  const std::size_t heap = content.find("GCOL");
  REQUIRE(heap != std::string::npos);
  // The first object becomes one without a number and of no size.
  content.replace(heap + 16, 16, std::string(16, '\0'));
  write_file(folder.file("a.h5"), content);
  const auto file = std::make_unique<ArrayFile>(folder.file("a.h5"));
  CHECK_THROWS_WITH_AS((void)file->texts("names"), doctest::Contains("its texts cannot be read"), DataError);
}

}  // namespace parsimap::test
