#include "parsimap/gdal/raster/settings.hpp"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <doctest/doctest.h>
#include <gdal_priv.h>

using namespace parsimap;

TEST_CASE("drivers are registered and errors stay off the terminal") {
  initialise_gdal();
  CHECK(GetGDALDriverManager()->GetDriverByName("GTiff") != nullptr);
  CPLErrorReset();
  CPLError(CE_Failure, CPLE_AppDefined, "kept, not printed");
  CHECK(std::string(CPLGetLastErrorMsg()) == "kept, not printed");
  CPLErrorReset();
}

TEST_CASE("options and the cache size reach GDAL") {
  set_gdal_option("PARSIMAP_TEST_KEY", "value=1");
  CHECK(std::string(CPLGetConfigOption("PARSIMAP_TEST_KEY", "")) == "value=1");
  CPLSetConfigOption("PARSIMAP_TEST_KEY", nullptr);
  const GIntBig before = GDALGetCacheMax64();
  set_gdal_cache(std::int64_t{5} << 30);
  CHECK(GDALGetCacheMax64() == GIntBig{5} << 30);
  set_gdal_cache(before);
}
