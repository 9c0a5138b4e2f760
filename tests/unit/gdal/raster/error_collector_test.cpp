#include "gdal/raster/error_collector.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"

namespace parsimap::test {

TEST_CASE("messages are gathered: failures before warnings, repeated ones once") {
  initialise_gdal();
  const ErrorCollector errors;
  CHECK(errors.text() == "GDAL gives no reason");
  CPLError(CE_Warning, CPLE_AppDefined, "careful");
  CHECK_FALSE(errors.failed());
  CHECK(errors.text() == "careful");
  for (int i = 0; i < 3; ++i) {
    CPLError(CE_Failure, CPLE_FileIO, "broken");
  }
  CPLError(CE_Failure, CPLE_FileIO, "disk full");
  CHECK(errors.failed());
  CHECK(errors.text() == "broken; disk full");
}

TEST_CASE("a failed operation on a file is reported to all collectors of the thread, and is an IoError") {
  initialise_gdal();
  const ErrorCollector outer;
  {
    const ErrorCollector inner;
    CHECK_NOTHROW(inner.check_files("a.tif cannot be read:"));
    CPLError(CE_Failure, CPLE_AppDefined, "a block is missing");
    CHECK_FALSE(inner.file_failed());
    ErrorCollector::note_file_failure("reading a.tif failed");
    CHECK(inner.text() == "reading a.tif failed; a block is missing");
    CHECK_THROWS_WITH_AS(inner.check_files("a.tif cannot be read:"),
                         "a.tif cannot be read: reading a.tif failed; a block is missing", IoError);
  }
  CHECK(outer.failed());
  CHECK(outer.text() == "reading a.tif failed");
  const ErrorCollector next;
  CHECK_FALSE(next.failed());
}

}  // namespace parsimap::test
