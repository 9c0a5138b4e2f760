#include "product/metadata_product.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/product/product.hpp"

#include "product_fixture.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

namespace {

OpenScene open_enmap(const TemporaryFolder& folder, const ProductSpec& spec) {
  return std::move(*open_product(write_enmap(folder.file("p"), spec)));
}

}  // namespace

TEST_CASE("other files are no products") {
  const TemporaryFolder folder;
  create_raster(folder.file("scene.tif"), 2, 2, 1, GDT_Byte);
  write_file(folder.file("a-METADATA.XML"), "<root><mission>Other</mission></root>");
  CHECK_FALSE(open_metadata_product(folder.file("scene.tif")).has_value());
  CHECK_FALSE(open_metadata_product(folder.file("a-METADATA.XML")).has_value());
  CHECK_FALSE(open_metadata_product(folder.file("absent")).has_value());
  CHECK_FALSE(open_metadata_product("").has_value());
}

TEST_CASE("an image that has lost its metadata is a raster, and that is said") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  std::filesystem::remove(metadata);
  const std::string path = folder.file("p/" + kEnmapStem + "-SPECTRAL_IMAGE.TIF");
  const std::optional<OpenScene> scene = open_metadata_product(path);
  REQUIRE(scene.has_value());
  CHECK(scene->description.product.empty());
  CHECK(values_of(*scene->source)(0, 0) == 1000);
  CHECK(contains(scene->description.note, kEnmapStem + "-METADATA.XML is not beside it"));
  CHECK(contains(message_of<DataError>([&] { open_product(folder.file("p")); }), "without a product"));
}

TEST_CASE("bands of EnMAP have wavelength, width, scale and the name of their instrument") {
  const TemporaryFolder folder;
  const OpenScene scene = open_enmap(folder, {});
  const BandTable& bands = scene.source->bands();
  REQUIRE(bands.size() == 4);
  CHECK(bands[0] == Band{.name = "VNIR 1", .wavelength = 500.0, .scale = 1e-4, .fwhm = 5.0});
  CHECK(bands[1] == Band{.name = "SWIR 2", .wavelength = 510.0, .scale = 1e-4, .fwhm = 6.0});
  CHECK(bands[3].name == "VNIR 4");
}

TEST_CASE("values of L1C are radiance, with a scale of each band") {
  const TemporaryFolder folder;
  ProductSpec spec;
  spec.level = "L1C";
  spec.background = "0";
  spec.stored = [](int, int column, int) { return column == 0 ? 0 : 1000; };
  const OpenScene scene = open_enmap(folder, spec);
  CHECK(scene.description.product == "EnMAP L1C");
  CHECK(scene.description.quantity == "radiance, W/(m2 sr nm)");
  Spectra values;
  scene.source->read({0, 0, 2, 1}, {0, 3}, values);
  CHECK(std::isnan(values(0, 0)));
  CHECK(values(1, 0) == static_cast<float>(1000 * 1e-6 + 0.25));
  CHECK(values(1, 1) == static_cast<float>(1000 * 4e-6 + 0.25));
}

TEST_CASE("bands that the product lacks are bad") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  replace_in_file(metadata, "<bandID number=\"3\"><mean>0.1</mean><stdDeviation>0.01",
                  "<bandID number=\"3\"><mean>-1000000</mean><stdDeviation>0");
  replace_in_file(metadata, "<missingChannelsList/></swir",
                  "<missingChannelsList>2, 77,none</missingChannelsList></swir");
  const std::optional<OpenScene> scene = open_product(metadata);
  const BandTable& bands = scene->source->bands();
  CHECK_FALSE(bands[0].bad);
  CHECK(bands[1].bad);
  CHECK(bands[2].bad);
  CHECK_FALSE(bands[3].bad);
}

TEST_CASE("the images of L1B are refused") {
  const TemporaryFolder folder;
  ProductSpec spec;
  spec.level = "L1B";
  CHECK(contains(message_of<DataError>([&] { open_enmap(folder, spec); }),
                 "is an EnMAP product of level L1B, whose two images (VNIR and SWIR) do not lie on one grid"));
}

TEST_CASE("marks of quality are those of the files") {
  const TemporaryFolder folder;
  ProductSpec spec;
  spec.quality = [](const std::string& layer, int column, int row) {
    return layer == "CLOUD" ? (column == 1 ? 1 : 0) : layer == "CIRRUS" ? row : layer == "CLASSES" ? 1 + column % 3 : 0;
  };
  OpenScene scene = open_enmap(folder, spec);
  std::string names;
  for (const QualityLayer& layer : scene.quality) {
    names += layer.name + " (" + layer.meaning + ") ";
  }
  CHECK(names ==
        "cloud (QL_QUALITY_CLOUD) shadow (of clouds, QL_QUALITY_CLOUDSHADOW) "
        "cirrus (thin, medium or thick, QL_QUALITY_CIRRUS) haze (QL_QUALITY_HAZE) snow (QL_QUALITY_SNOW) "
        "land (QL_QUALITY_CLASSES) water (QL_QUALITY_CLASSES) ");
  // The columns and rows that each choice leaves.
  const auto left = [&](const std::vector<std::string>& quality) {
    auto source = leave_out_marked(std::move(*open_product(folder.file("p"))).source,
                                   choose_quality(scene.quality, quality, "scene"));
    Spectra values;
    source->read({0, 0, 6, 5}, {0}, values);
    std::string shown;
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      shown += (std::isnan(values(pixel, 0)) ? "-" : "x") + std::string(pixel % 6 == 5 ? " " : "");
    }
    return shown;
  };
  CHECK(left({"cloud"}) == "x-xxxx x-xxxx x-xxxx x-xxxx x-xxxx ");
  CHECK(left({"cirrus"}) == "xxxxxx ------ ------ ------ xxxxxx ");
  CHECK(left({"water", "cloud"}) == "x-xx-x x-xx-x x-xx-x x-xx-x x-xx-x ");
  CHECK(left({"land"}) == "-xx-xx -xx-xx -xx-xx -xx-xx -xx-xx ");
  CHECK(left({"none"}) == "xxxxxx xxxxxx xxxxxx xxxxxx xxxxxx ");
}

TEST_CASE("files are found by the names in the metadata, and by that of the metadata") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  std::filesystem::rename(metadata, folder.file("p/renamed-METADATA.XML"));
  CHECK(open_product(folder.file("p"))->quality.size() == 7);
  for (const char* ending : {"-SPECTRAL_IMAGE", "-QL_QUALITY_CLOUD", "-QL_QUALITY_CLOUDSHADOW", "-QL_QUALITY_CIRRUS",
                             "-QL_QUALITY_HAZE", "-QL_QUALITY_SNOW", "-QL_QUALITY_CLASSES"}) {
    std::filesystem::rename(folder.file("p/" + kEnmapStem + ending + ".TIF"),
                            folder.file("p/Renamed" + std::string(ending) + "_COG.tif"));
  }
  const std::optional<OpenScene> scene = open_product(folder.file("p"));
  CHECK(scene->quality.size() == 7);
  CHECK(scene->description.note.empty());
}

TEST_CASE("damaged metadata of EnMAP are refused") {
  const TemporaryFolder folder;
  const std::string metadata = write_enmap(folder.file("p"), {});
  const std::string whole = file_content(metadata);
  const auto refusal = [&](const std::string& text) {
    write_file(metadata, text);
    return message_of<DataError>([&] { open_product(metadata); });
  };
  CHECK(contains(refusal(whole.substr(0, whole.size() / 2)), "is no XML that can be read"));
  CHECK(contains(refusal(replaced(whole, "<backgroundValue>-32768", "<backgroundValue>much")),
                 "<backgroundValue> is 'much', which is not a number"));
  CHECK(contains(refusal(replaced(whole, "number=\"4\"", "number=\"5\"")), "it must be from 1 to 4"));
  CHECK(contains(refusal(replaced(whole, "<GainOfBand>0.0001", "<GainOfBand>1e400")),
                 "GainOfBand of the band at place 1"));
  std::string no_level = replaced(whole, "<processingLevel>L2A", "<processingLevel>");
  no_level = replaced(no_level, "<base><level>L2A", "<base><level>");
  CHECK(refusal(no_level).empty());  // the name of the file says it
}

TEST_CASE("the metadata of real products are understood") {
  for (const std::string level : {"L2A", "L1C"}) {
    const auto archive = data_path("products/enmap_" + level + "_gtif_qualification.zip");
    if (!archive) {
      MESSAGE("PARSIMAP_DATA is not set");
      return;
    }
    // Its rasters are empty, so that an image of the right shape is written beside the metadata.
    const TemporaryFolder folder;
    const std::string refusal = message_of<DataError>([&] { open_product(*archive); });
    CHECK(contains(refusal, "-SPECTRAL_IMAGE.TIF cannot be opened as a raster"));
    const std::string inside = "/vsizip/" + *archive + "/enmap_" + level + "_gtif_qualification";
    const std::string stem = level == "L2A"
                                 ? "ENMAP01-____L2A-DT0000326721_20170626T102020Z_001_V000204_20200406T201930Z"
                                 : "ENMAP01-____L1C-DT0000326721_20170626T102020Z_001_V000204_20200406T180016Z";
    REQUIRE(CPLCopyFile((folder.file(stem) + "-METADATA.XML").c_str(),
                        (inside + "/" + stem + "-METADATA.XML").c_str()) == 0);
    ProductSpec spec;
    spec.grid = utm_grid(2, 1);
    spec.stored = [](int, int column, int) { return column * 1000; };
    write_image(folder.file(stem) + "-SPECTRAL_IMAGE.TIF", spec, 218, GDT_Int16, spec.stored);
    const std::optional<OpenScene> scene = open_product(folder.file(""));
    REQUIRE(scene.has_value());
    CHECK(scene->description.product == "EnMAP " + level);
    CHECK(scene->description.nodata == 0);
    CHECK(contains(scene->description.note, "cloud, shadow, cirrus, haze, snow, land, water"));
    const BandTable& bands = scene->source->bands();
    REQUIRE(bands.size() == 218);
    CHECK(bands[0].wavelength == 423.03);
    CHECK(bands[0].fwhm == 6.93);
    CHECK(bands[78].name == "SWIR 79");
    CHECK(bands[79].name == "VNIR 80");
    CHECK(bands[217].wavelength == 2438.6);
    for (const Band& band : bands) {
      CHECK_FALSE(band.bad);
      CHECK_FALSE(band.name.empty());
    }
    Spectra values;
    scene->source->read({0, 0, 2, 1}, {0}, values);
    CHECK(std::isnan(values(0, 0)));
    CHECK(values(1, 0) == doctest::Approx(level == "L2A" ? 0.1 : 2.45729411573e-03 + 0.0464514843193));
  }
}

TEST_CASE("bands of DESIS have wavelength, width and scale by their numbers") {
  const TemporaryFolder folder;
  const std::optional<OpenScene> scene = open_product(write_desis(folder.file("p"), {}));
  const BandTable& bands = scene->source->bands();
  REQUIRE(bands.size() == 4);
  CHECK(bands[0] == Band{.wavelength = 400.0, .scale = 1e-4, .fwhm = 3.5});
  CHECK(bands[3] == Band{.wavelength = 407.5, .scale = 1e-4, .fwhm = 3.5});
}

TEST_CASE("values of L1C of DESIS are radiance, and have no quality layers") {
  const TemporaryFolder folder;
  ProductSpec spec;
  spec.level = "L1C";
  const std::optional<OpenScene> scene =
      open_product(write_desis(folder.file("p"), spec, "DESIS-HSI-L1C-DT0000000001_001-20230704T102020-V0220"));
  CHECK(scene->description.product == "DESIS L1C");
  CHECK(scene->description.quantity == "radiance, mW/(cm2 sr um)");
  CHECK(scene->quality.empty());
  CHECK(scene->description.note.empty());
  Spectra values;
  scene->source->read({0, 0, 1, 1}, {0, 3}, values);
  CHECK(values(0, 0) == static_cast<float>(1000 * 1e-3 + 0.5));
  CHECK(values(0, 1) == static_cast<float>(4000 * 4e-3 + 0.5));
}

TEST_CASE("clouds and haze of DESIS are those over land and over water") {
  const TemporaryFolder folder;
  ProductSpec spec;
  // Each band marks the column of its number; those of aerosol and vapour hold other numbers.
  spec.grid = utm_grid(10, 1);
  spec.quality = [](const std::string& band, int column, int) {
    return band == "8" || band == "9" ? 1 : band == std::to_string(column) ? 1 : 0;
  };
  write_desis(folder.file("p"), spec);
  const auto left = [&](const std::string& name) {
    OpenScene scene = std::move(*open_product(folder.file("p")));
    auto source = leave_out_marked(std::move(scene.source),
                                   choose_quality(scene.quality, std::vector<std::string>{name}, "scene"));
    Spectra values;
    source->read({0, 0, 10, 1}, {0}, values);
    std::string shown;
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      shown += std::isnan(values(pixel, 0)) ? '-' : 'x';
    }
    return shown;
  };
  CHECK(left("cloud") == "xxxxx--xxx");
  CHECK(left("haze") == "xxx--xxxxx");
  CHECK(left("shadow") == "-xxxxxxxxx");
  CHECK(left("land") == "x-xxxxxxxx");
  CHECK(left("snow") == "xx-xxxxxxx");
  CHECK(left("water") == "xxxxxxx-xx");
}

TEST_CASE("a product of DESIS without its quality raster says so, and one with too few bands is refused") {
  const TemporaryFolder folder;
  const std::string metadata = write_desis(folder.file("p"), {});
  const std::string quality = folder.file("p/" + kDesisStem + "-QL_QUALITY-2.tif");
  std::filesystem::remove(quality);
  CHECK(
      contains(open_product(metadata)->description.note,
               "names that end in -QL_QUALITY-2), so that these pixels cannot be left out: cloud, shadow, haze, snow"));
  create_raster(quality, 6, 5, 5, GDT_Byte, "GTiff", {"PHOTOMETRIC=MINISBLACK"});
  CHECK(message_of<DataError>([&] { open_product(metadata); }) ==
        quality + " has 5 bands, but band 6 should be there; it is the quality layer 'cloud' of a " +
            "product, which can be used without this file, but not with a damaged one");
}

TEST_CASE("damaged metadata of DESIS are refused") {
  const TemporaryFolder folder;
  const std::string metadata = write_desis(folder.file("p"), {});
  replace_in_file(metadata, "<gainOfBand>0.0001", "<gainOfBand>");
  CHECK(contains(message_of<DataError>([&] { open_product(metadata); }),
                 "gainOfBand of the band at place 1 is ''; it must be a number"));
  replace_in_file(metadata, "bandCharacterisation>", "bands>");
  replace_in_file(metadata, "/bandCharacterisation>", "/bands>");
  CHECK(contains(message_of<DataError>([&] { open_product(metadata); }), "describes no band"));
}

namespace {

XmlFile xml_of(const TemporaryFolder& folder, const std::string& text) {
  write_file(folder.file("a.xml"), text);
  return XmlFile(folder.file("a.xml"));
}

constexpr BandElements kNames{"band", "number", "centre", "width", "gain", "offset"};

std::string band(const std::string& number, const std::string& centre, const std::string& width = "5",
                 const std::string& gain = "0.1", const std::string& offset = "0") {
  return "<band><number>" + number + "</number><centre>" + centre + "</centre><width>" + width + "</width><gain>" +
         gain + "</gain><offset>" + offset + "</offset></band>";
}

BandTable bands_of(const std::string& elements) {
  const TemporaryFolder folder;
  write_file(folder.file("a.xml"),
             "<a><specific><bandCharacterisation>" + elements + "</bandCharacterisation></specific></a>");
  return read_bands(XmlFile(folder.file("a.xml")), kNames);
}

std::string refusal(const std::string& elements) {
  return message_of<DataError>([&] { bands_of(elements); });
}

}  // namespace

TEST_CASE("texts and numbers of an XML file are found by place and by name") {
  const TemporaryFolder folder;
  const XmlFile file = xml_of(folder,
                              "<?xml version=\"1.0\"?><!-- made by hand --><root><a><b n=\"1\"> x </b><b n=\"2\">y</b>"
                              "</a><deep><value>-3.5</value><word>no</word></deep></root>");
  CHECK(std::string(file.root().pszValue) == "root");
  CHECK(text_at(file.root(), "a.b") == "x");
  CHECK(text_at(file.root(), "a.c").empty());
  const auto elements = elements_in(CPLGetXMLNode(&file.root(), "a"), "B");
  REQUIRE(elements.size() == 2);
  CHECK(text_at(*elements[1], "n") == "2");
  CHECK(text_at(*elements[1], "") == "y");
  CHECK(elements_in(nullptr, "b").empty());
  CHECK(file.text_anywhere("word") == "no");
  CHECK(file.text_anywhere("absent").empty());
  CHECK(file.number_anywhere("value") == -3.5);
  CHECK_FALSE(file.number_anywhere("absent").has_value());
  CHECK(contains(message_of<DataError>([&] { static_cast<void>(file.number_anywhere("word")); }),
                 "<word> is 'no', which is not a number"));
}

TEST_CASE("what is no XML is refused") {
  const TemporaryFolder folder;
  CHECK(contains(message_of<DataError>([&] { XmlFile(folder.file("absent.xml")); }), "does not exist"));
  for (const std::string text : {"", "plain text", "<a><b></a>", "<?xml version=\"1.0\"?>", "<a"}) {
    CAPTURE(text);
    CHECK(contains(message_of<DataError>([&] { xml_of(folder, text); }), "is no XML that can be read: "));
  }
  // Elements that are nested without end.
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "<a>";
  }
  CHECK(contains(message_of<DataError>([&] { xml_of(folder, deep); }), "is no XML that can be read: "));
}

TEST_CASE("a file larger than metadata are is refused") {
  const TemporaryFolder folder;
  write_file(folder.file("a.xml"), "<a/>");
  std::filesystem::resize_file(folder.file("a.xml"), (std::uintmax_t{16} << 20U) + 1);
  CHECK(contains(message_of<DataError>([&] { XmlFile(folder.file("a.xml")); }), "more than metadata of a product are"));
}

TEST_CASE("bands are in the order of their numbers") {
  const BandTable bands = bands_of(band("2", "510.5", "0", "1e-6", "-0.5") + band("1", " 500 "));
  REQUIRE(bands.size() == 2);
  CHECK(bands[0] == Band{.wavelength = 500.0, .scale = 0.1, .fwhm = 5.0});
  CHECK(bands[1] == Band{.wavelength = 510.5, .scale = 1e-6, .offset = -0.5});
}

TEST_CASE("a description that cannot be is refused, with what is wrong") {
  CHECK(contains(refusal(""), "describes no band"));
  CHECK(contains(refusal(band("1", "500") + band("1", "510")),
                 "number of the band at place 2 is '1'; it must be from 1 to 2, each number once"));
  CHECK(contains(refusal(band("0", "500")), "it must be from 1 to 1"));
  CHECK(contains(refusal(band("99999999999999999999", "500")), "it must be the number of a band"));
  CHECK(contains(refusal(band("-1", "500")), "it must be the number of a band"));
  for (const std::string wavelength : {"", "x", "nan", "inf", "1e999"}) {
    CHECK(contains(refusal(band("1", wavelength)),
                   "centre of the band at place 1 is '" + wavelength + "'; it must be a number"));
  }
  CHECK(contains(refusal(band("1", "-500")), "it must be above 0"));
  CHECK(contains(refusal(band("1", "500", "wide")), "width of the band at place 1 is 'wide'"));
  CHECK(contains(refusal(band("1", "500", "5", "0")), "all values would be the same"));
  CHECK(contains(refusal("<band/>"), "number of the band at place 1 is ''"));
}

TEST_CASE("the level of a product") {
  const TemporaryFolder folder;
  write_file(folder.file("a.xml"), "<a/>");
  const XmlFile file(folder.file("a.xml"));
  CHECK(product_level(file, {"", "L2A", "L1C"}) == "L2A");
  CHECK(product_level(file, {"x-L1C-y"}) == "L1C");
  CHECK(contains(message_of<DataError>([&] { product_level(file, {"", "L3"}); }), "does not say the level"));
}

}  // namespace parsimap::test
