// A copy of a scene whose bands lie elsewhere.
#pragma once

#include <doctest/doctest.h>
#include <gdal_priv.h>

#include <string>

namespace parsimap::test {

// Writes the GeoTIFF `scene`, whose bands lie about 1450 nm, as `path`, with the same values and the bands 2 % farther
// apart and 200 nm wide, so that some are where they were and others have no partner.
inline void write_stretched_scene(const std::string& scene, const std::string& path) {
  constexpr double kMiddle = 1450;
  GDALAllRegister();
  const GDALDatasetUniquePtr source(GDALDataset::Open(scene.c_str()));
  REQUIRE(source != nullptr);
  GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  const GDALDatasetUniquePtr copy(driver->CreateCopy(path.c_str(), source.get(), FALSE, nullptr, nullptr, nullptr));
  REQUIRE(copy != nullptr);
  for (int band = 1; band <= copy->GetRasterCount(); ++band) {
    const double wavelength = CPLAtof(copy->GetRasterBand(band)->GetMetadataItem("wavelength"));
    const double stretched = kMiddle + 1.02 * (wavelength - kMiddle);
    copy->GetRasterBand(band)->SetMetadataItem("wavelength", std::to_string(stretched).c_str());
    copy->GetRasterBand(band)->SetMetadataItem("fwhm", "200");
  }
}

}  // namespace parsimap::test
