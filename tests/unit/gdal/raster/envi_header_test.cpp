#include "parsimap/gdal/raster/envi_header.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// 3 samples, 2 lines and 4 bands of bytes.
const std::string kLayout =
    "ENVI\nsamples = 3\nlines = 2\nbands = 4\nheader offset = 0\nfile type = ENVI Standard\ndata type = 1\n"
    "interleave = bsq\nbyte order = 0\n";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kLayout;
  return text.replace(text.find(from), from.size(), to);
}

std::string refusal(const std::string& text) {
  return message_of<DataError>([&] { check_envi_raster(EnviHeader("a.hdr", text)); });
}

std::string unused(const std::string& lines) {
  std::string text;
  for (const std::string& sentence : unused_envi_fields(EnviHeader("a.hdr", kLayout + lines))) {
    text += sentence + "\n";
  }
  return text;
}

// A file of `bytes` bytes with this header, opened as a scene.
std::string opening(const TemporaryFolder& folder, const std::string& header, const std::string& content,
                    const std::string& named = "a.img") {
  write_file(folder.file("a.img"), content);
  write_file(folder.file("a.hdr"), header);
  return message_of<DataError>([&] { open_scene(folder.file(named)); });
}

}  // namespace

TEST_CASE("fields of an ENVI header are texts, numbers and lists over several lines") {
  const EnviHeader header("a.hdr",
                          "ENVI\r\n Samples = 12\r\n; lines = 3\nfwhm = {1,\n; {9,\n 2.5 }\nnames={ a , b\n c,}\n"
                          "wavelength_units = nm\nbbl = {True, false, 1, 0.0}\n");
  CHECK(header.integer("samples", std::nullopt, 1) == 12);
  CHECK(header.integer("lines", 7, 1) == 7);
  CHECK(header.numbers("fwhm") == std::vector<double>{1, 2.5});
  CHECK(header.list("names") == std::vector<std::string>{"a", "b  c"});
  CHECK(header.text("wavelength units") == "nm");
  CHECK(header.numbers("bbl") == std::vector<double>{1, 0, 1, 0});
  CHECK(header.list("classes").empty());
  CHECK(header.text("classes").empty());
  CHECK(header.fits("fwhm", 2));
  CHECK_FALSE(header.fits("fwhm", 3));
  CHECK(header.fits("classes", 3));
}

TEST_CASE("a header that is none, fields of another kind and fields that contradict each other are refused") {
  CHECK(message_of([] { EnviHeader("a.hdr", "samples = 3"); }).find("does not begin with ENVI") != std::string::npos);
  CHECK(message_of([] { EnviHeader("a.hdr", "ENVI\nbbl = {1, 0"); }).find("no closing brace") != std::string::npos);
  CHECK(message_of([] {
          EnviHeader("a.hdr", "ENVI\nlines = 3\nlines = 4\n");
        }).starts_with("a.hdr states 'lines' twice, as '3' and as '4'"));
  CHECK(EnviHeader("a.hdr", "ENVI\nlines = 3\nlines = 3\n").text("lines") == "3");
  const EnviHeader header("a.hdr", "ENVI\nsamples = 1.5\nfwhm = {1, two}\n");
  CHECK(message_of([&] { (void)header.integer("samples", std::nullopt, 1); }) ==
        "a.hdr: 'samples' is '1.5'; it must be a whole number of at least 1");
  CHECK(message_of([&] { (void)header.integer("lines", std::nullopt, 1); }).find("'lines' is ''") != std::string::npos);
  CHECK(message_of([&] { (void)header.numbers("fwhm"); }) == "a.hdr: 'two' in the list 'fwhm' is not a number");
}

TEST_CASE("a layout that would be guessed is refused, and every spelling of a known one is read") {
  CHECK(refusal(kLayout).empty());
  for (const std::string interleave : {"BSQ", "bil", "Bip"}) {
    CHECK(refusal(with("interleave = bsq", "interleave = " + interleave)).empty());
  }
  CHECK(refusal(with("byte order = 0\n", "")).empty());
  CHECK(refusal(with("ENVI Standard", "ENVI Classification")).empty());
  CHECK(refusal(with("ENVI Standard", "ENVI")).empty());
  for (const auto& [from, to, field] :
       std::vector<std::array<std::string, 3>>{{"interleave = bsq", "interleave = pixel", "'interleave'"},
                                               {"interleave = bsq\n", "", "'interleave'"},
                                               {"byte order = 0", "byte order = Intel", "'byte order'"},
                                               {"byte order = 0", "byte order = 2", "'byte order'"},
                                               {"lines = 2", "lines = 2.5", "'lines'"},
                                               {"samples = 3\n", "", "'samples'"},
                                               {"header offset = 0", "header offset = -1", "'header offset'"},
                                               {"ENVI Standard", "TIFF", "'file type'"}}) {
    const std::string header = with(from, to);
    CAPTURE(header);
    CHECK(contains(refusal(header), field));
  }
  CHECK(refusal(kLayout + "major frame offsets = {0, 0}\nminor frame offsets = {0, 0}\n").empty());
  CHECK(contains(refusal(kLayout + "major frame offsets = {0, 4}\n"), "bytes between their lines"));
  CHECK(contains(refusal(kLayout + "minor frame offsets = {1, 0}\n"), "bytes between their lines"));
  CHECK(contains(refusal(kLayout + "read procedures = {a, b}\n"), "IDL"));
}

TEST_CASE("numbers about values are numbers, or refused") {
  for (const std::string value : {"-9999", "1e+34", "-3.4028235e+38", "NaN", "-inf", ""}) {
    CAPTURE(value);
    CHECK(refusal(kLayout + "data ignore value = " + value + "\n").empty());
  }
  CHECK(contains(refusal(kLayout + "data ignore value = none\n"), "'data ignore value' is 'none'"));
  CHECK(refusal(kLayout + "reflectance scale factor = 10000.0\n").empty());
  CHECK(contains(refusal(kLayout + "reflectance scale factor = 0\n"), "above 0"));
  CHECK(contains(refusal(kLayout + "reflectance scale factor = 1, 2\n"), "above 0"));
  CHECK(contains(refusal(kLayout + "data gain values = {1, x, 1, 1}\n"), "'x' in the list 'data gain values'"));
}

TEST_CASE("a single value in braces, of which GDAL reads another, is refused") {
  for (const std::string field : {"samples = 3", "interleave = bsq", "header offset = 0", "byte order = 0"}) {
    const std::size_t equals = field.find(" = ");
    const std::string braced = field.substr(0, equals + 3) + "{ " + field.substr(equals + 3) + " }";
    CHECK(contains(refusal(with(field, braced)), "a.hdr: '" + field.substr(0, equals) + "' is '{" +
                                                     field.substr(equals + 3) +
                                                     "}'; a single value stands without braces"));
  }
  for (const std::string line : {"data ignore value = {-0.2}", "reflectance scale factor = {1, 2}"}) {
    CHECK(contains(refusal(kLayout + line + "\n"), "a single value stands without braces"));
  }
}

TEST_CASE("lists of another length, units that are none and fields without effect are named") {
  const std::string plain =
      "description = {a = b}\nsensor type = Unknown\ndefault bands = {1}\nx start = 1\ny start = 1\nbbl = {1, 1, 0, "
      "1}\n"
      "wavelength units = Nanometers\nwavelength = {1, 2, 3, 4}\nfwhm = {}\nz plot range = {0, 1}\n";
  CHECK(unused(plain).empty());
  for (const std::string name : {"wavelength", "fwhm", "band names", "data gain values", "data offset values"}) {
    CHECK(
        contains(unused(name + " = {1, 2, 3}\n"), "the list '" + name + "' has 3 entries for 4 bands and is not used"));
  }
  CHECK(contains(unused("bbl = {1, 0, maybe, 1}\n"), "'maybe' in the list 'bbl'"));
  for (const std::string unit : {"Wavenumber", "GHz", "MHz", "Index", "1/cm", "cm-1"}) {
    CAPTURE(unit);
    CHECK(contains(unused("wavelength units = " + unit + "\nwavelength = {1, 2, 3, 4}\n"), "wavelengths are not used"));
  }
  CHECK(contains(unused("wavelength units = Unknown\nwavelength = {1, 2, 3, 4}\n"), "are assumed"));
  CHECK(unused("wavelength units = Unknown\n").empty());
  CHECK(contains(unused("classes = 2\nclass names = {none, a, b}\n"), "a name with a comma counts as several"));
  CHECK(contains(unused("data reflectance gain values = {1, 1, 1, 1}\n"), "have no effect"));
  for (const std::string name : {"wavelengths", "no_data value", "bad bands list"}) {
    CHECK(contains(unused(name + " = {1, 2, 3, 4}\n"), "have no effect"));
  }
  CHECK(unused("correction factors = {1, 2, 3, 4}\nflight line = 3\n").empty());
  CHECK_FALSE(has_envi_class_names(EnviHeader("a.hdr", "ENVI\nclasses = 2\nclass names = {none, a, b}\n")));
  CHECK(has_envi_class_names(EnviHeader("a.hdr", "ENVI\nclasses = 2\nclass names = {none, a}\n")));
}

TEST_CASE("wavelengths that are not those of light are named") {
  const TemporaryFolder folder;
  write_file(folder.file("a.img"), std::string(24, 'x'));
  const auto note = [&](const std::string& unit, const std::string& lengths) {
    write_file(folder.file("a.hdr"), kLayout + "wavelength units = " + unit + "\nwavelength = {" + lengths + "}\n");
    return open_scene(folder.file("a.img")).description.note;
  };
  CHECK(note("Nanometers", "0.45, 0.55, 0.65, 1") ==
        folder.file("a.img") + ": its wavelengths, 0.45 to 1 nm, are not those of light; correct their unit");
  CHECK(contains(note("Micrometers", "450, 550, 650, 1000"), "its wavelengths, 450000 to 1e+06 nm,"));
  CHECK(note("Micrometers", "0.2, 0.55, 0.65, 14").empty());
}

TEST_CASE("the size of the file and its header are compared from both sides") {
  const TemporaryFolder folder;
  CHECK(opening(folder, kLayout, std::string(24, 'x')).empty());
  CHECK(opening(folder, kLayout, std::string(26, 'x')).empty());  // padding
  CHECK(contains(opening(folder, kLayout, std::string(23, 'x')), "is cut short: it has 23 bytes"));
  CHECK(contains(opening(folder, with("lines = 2", "lines = 1"), std::string(24, 'x')),
                 "is longer than its header says: it has 24 bytes, and 3 samples, 1 lines and 4 bands take 12"));
  CHECK(opening(folder, with("offset = 0", "offset = 5"), std::string(29, 'x')).empty());
  CHECK(contains(opening(folder, with("offset = 0", "offset = 6"), std::string(29, 'x')), "is cut short"));
}

TEST_CASE("an archive beside a header, and a header that is not used, are no scene") {
  const TemporaryFolder folder;
  CHECK(contains(opening(folder, kLayout, "PK\x03\x04" + std::string(20, 'x')), "is a zip archive"));
  CHECK(opening(folder, kLayout, std::string(24, 'x'), "a.hdr").empty());
  write_file(folder.file("a.img.hdr"), with("interleave = bsq", "interleave = bil"));
  CHECK(contains(opening(folder, kLayout, std::string(24, 'x'), "a.hdr"), "is not the header by which"));
  const auto note = [&] { return open_scene(folder.file("a.img")).description.note; };
  CHECK(note() == folder.file("a.img") + ": it is read by its header " + folder.file("a.img.hdr") + ", and " +
                      folder.file("a.hdr") + " states another 'interleave'");
  write_file(folder.file("a"), "");  // to which a.hdr belongs
  CHECK(note().empty());
  write_file(folder.file("a.img.hdr"), kLayout);
  CHECK(opening(folder, kLayout, std::string(24, 'x'), "a.img.hdr").empty());
}
