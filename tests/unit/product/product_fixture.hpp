// Small products of known content in the layout that agencies document, written by GDAL.
#pragma once

#include <cpl_vsi.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/scene/raster.hpp"

#include "support/spectra.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

inline const std::string kEnmapStem = "ENMAP01-____L2A-DT0000000001_20230704T102020Z_001_V010400_20230705T000000Z";
inline const std::string kDesisStem = "DESIS-HSI-L2A-DT0000000001_001-20230704T102020-V0220";

// A product whose stored numbers and marks are functions of the place.
struct ProductSpec {
  RasterGrid grid = utm_grid(6, 5);
  int bands = 4;
  std::string level = "L2A";
  std::optional<double> nodata = {};  // that the image itself names
  std::string background = "-32768";  // that the metadata name
  // The number that the image stores, of a band counted from 0.
  std::function<double(int band, int column, int row)> stored = [](int band, int column, int row) {
    return 1000 * (band + 1) + 10 * row + column;
  };
  // The value of a layer of quality: its name, such as "CLOUD", or the number of its band from 0.
  std::function<int(const std::string& layer, int column, int row)> quality = [](const std::string&, int, int) {
    return 0;
  };
};

inline bool lists(const SceneDescription& description, const std::string& file) {
  return std::find(description.files.begin(), description.files.end(), file) != description.files.end();
}

inline void write_image(const std::string& path, const ProductSpec& spec, int bands, GDALDataType type,
                        const std::function<double(int band, int column, int row)>& value) {
  const DatasetPtr image = create_raster(path, static_cast<int>(spec.grid.width), static_cast<int>(spec.grid.height),
                                         bands, type, "GTiff", {"INTERLEAVE=BAND"});
  georeference(*image, spec.grid);
  for (int band = 0; band < bands; ++band) {
    fill_band(*image, band + 1, [&](int column, int row) { return value(band, column, row); });
    if (spec.nodata && type == GDT_Int16) {
      image->GetRasterBand(band + 1)->SetNoDataValue(*spec.nodata);
    }
  }
}

// Wavelength 500, 510, ... nm, width 5, 6, ... nm; the second band is of the SWIR instrument, the others of VNIR.
inline std::string enmap_metadata(const ProductSpec& spec, const std::string& stem = kEnmapStem) {
  std::string bands;
  std::string statistics;
  std::string vnir;
  for (int b = 1; b <= spec.bands; ++b) {
    const std::string number = std::to_string(b);
    const bool radiance = spec.level != "L2A";
    bands += "<bandID number=\"" + number + "\"><wavelengthCenterOfBand>" + std::to_string(490 + 10 * b) +
             "</wavelengthCenterOfBand><FWHMOfBand>" + std::to_string(4 + b) + "</FWHMOfBand><GainOfBand>" +
             (radiance ? number + "e-06" : "0.0001") + "</GainOfBand><OffsetOfBand>" + (radiance ? "0.25" : "0") +
             "</OffsetOfBand></bandID>\n";
    statistics += "<bandID number=\"" + number + "\"><mean>0.1</mean><stdDeviation>0.01</stdDeviation></bandID>\n";
    vnir += b == 2 ? "" : (vnir.empty() ? "" : ",") + number;
  }
  std::string files;
  for (const char* name : {"CIRRUS", "CLASSES", "CLOUD", "CLOUDSHADOW", "HAZE", "SNOW", "TESTFLAGS"}) {
    files += "<file><name>" + stem + "-QL_QUALITY_" + name + ".TIF</name></file>\n";
  }
  return "<?xml version=\"1.0\"?>\n<level_X><metadata><schema><processingLevel>" + spec.level +
         "</processingLevel></schema></metadata>\n<base><level>" + spec.level + "</level></base>\n<specific>" +
         "<vnirProductQuality><expectedChannelsList>" + vnir +
         "</expectedChannelsList><missingChannelsList/></vnirProductQuality>" +
         "<swirProductQuality><expectedChannelsList>2</expectedChannelsList><missingChannelsList/></"
         "swirProductQuality>" +
         "<mission>EnMAP</mission><backgroundValue>" + spec.background +
         "</backgroundValue>\n<bandCharacterisation>\n" + bands + "</bandCharacterisation></specific>\n" +
         "<product><image><merge><name>" + stem + "-SPECTRAL_IMAGE.TIF</name></merge></image>\n" +
         "<productFileInformation>" + files + "</productFileInformation>\n<bandStatistics>\n" + statistics +
         "</bandStatistics></product></level_X>\n";
}

// Writes the files of an EnMAP product into the folder, which is made; returns the path of the metadata.
inline std::string write_enmap(const std::string& folder, const ProductSpec& spec,
                               const std::string& stem = kEnmapStem) {
  std::filesystem::create_directories(folder);
  const std::string begin = folder + "/" + stem;
  write_image(begin + "-SPECTRAL_IMAGE.TIF", spec, spec.bands, GDT_Int16, spec.stored);
  for (const char* name : {"CIRRUS", "CLASSES", "CLOUD", "CLOUDSHADOW", "HAZE", "SNOW"}) {
    write_image(begin + "-QL_QUALITY_" + name + ".TIF", spec, 1, GDT_Byte,
                [&](int, int column, int row) { return spec.quality(name, column, row); });
  }
  write_file(begin + "-METADATA.XML", enmap_metadata(spec, stem));
  return begin + "-METADATA.XML";
}

// Wavelength 400, 402.5, ... nm, width 3.5 nm; bands have another place in the file than their number says.
inline std::string desis_metadata(const ProductSpec& spec) {
  std::string bands;
  for (int b = spec.bands; b >= 1; --b) {
    const std::string number = std::to_string(b);
    bands += "<band><bandNumber>" + number + "</bandNumber><wavelengthCenterOfBand>" + std::to_string(397.5 + 2.5 * b) +
             "</wavelengthCenterOfBand><wavelengthWidthOfBand>3.5" +
             "</wavelengthWidthOfBand><response>0.1,0.8,0.1</response><wavelengths>1,2,3</wavelengths><gainOfBand>" +
             (spec.level == "L2A" ? "0.0001" : number + "e-3") + "</gainOfBand><offsetOfBand>" +
             (spec.level == "L2A" ? "0" : "0.5") + "</offsetOfBand></band>\n";
  }
  return "<?xml version=\"1.0\"?>\n<hsi_doc><metadata/><base/><specific><mission>DESIS</mission><backgroundValue>" +
         spec.background + "</backgroundValue><bandCharacterisation>\n" + bands +
         "</bandCharacterisation><interiorOrientation><band><bandNumber>1</bandNumber></band></interiorOrientation>" +
         "</specific></hsi_doc>\n";
}

// The same for DESIS.
inline std::string write_desis(const std::string& folder, const ProductSpec& spec,
                               const std::string& stem = kDesisStem) {
  std::filesystem::create_directories(folder);
  const std::string begin = folder + "/" + stem;
  write_image(begin + "-SPECTRAL_IMAGE.tif", spec, spec.bands, GDT_Int16, spec.stored);
  write_image(begin + "-QL_QUALITY-2.tif", spec, 10, GDT_Byte,
              [&](int band, int column, int row) { return spec.quality(std::to_string(band), column, row); });
  write_file(begin + "-METADATA.xml", desis_metadata(spec));
  return begin + "-METADATA.xml";
}

// Packs the files of a folder into an archive, in a folder of the name `inside`.
inline void pack(const std::string& folder, const std::string& archive, const std::string& inside) {
  const std::string root = "/vsizip/" + archive;
  VSILFILE* whole = VSIFOpenL(root.c_str(), "wb");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) {
      continue;
    }
    const std::string content = file_content(entry.path().string());
    VSILFILE* file = VSIFOpenL((root + "/" + inside + "/" + entry.path().filename().string()).c_str(), "wb");
    VSIFWriteL(content.data(), 1, content.size(), file);
    VSIFCloseL(file);
  }
  VSIFCloseL(whole);
}

// `text` with the first `part` replaced.
inline std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) {
    throw std::runtime_error("the text has no " + part);
  }
  return text.replace(at, part.size(), by);
}

inline void replace_in_file(const std::string& path, const std::string& part, const std::string& by) {
  write_file(path, replaced(file_content(path), part, by));
}

}  // namespace parsimap::test
