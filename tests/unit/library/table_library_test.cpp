#include "library/table_library.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/library/library_file.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

namespace {

SpectralLibrary read_table(const std::string& text, const std::string& name = "table.csv") {
  const TemporaryFolder folder;
  write_file(folder.file(name), text);
  CHECK(is_library(folder.file(name)));
  return read_library(folder.file(name));
}

bool is_table(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("table.csv"), text);
  return is_library(folder.file("table.csv"));
}

}  // namespace

TEST_CASE("headers that mean wavelengths") {
  CHECK(*wavelength_of_header("460") == 460);
  CHECK(*wavelength_of_header(" 460.5 nm ") == 460.5);
  CHECK(*wavelength_of_header("0.46") == doctest::Approx(460));
  CHECK(*wavelength_of_header("0.46 Micrometers") == doctest::Approx(460));
  CHECK(*wavelength_of_header("b12_460.5_nm") == 460.5);
  CHECK(*wavelength_of_header("b12 460.5 [nm]") == 460.5);
  CHECK(*wavelength_of_header("X460.5") == 460.5);
  CHECK(*wavelength_of_header("Band 12 (460.5 nm)") == 460.5);
  CHECK(*wavelength_of_header("wl_460.5") == 460.5);
  CHECK(*wavelength_of_header("reflectance_460.5nm") == 460.5);
  CHECK(*wavelength_of_header("Wavelength 460.5 NM") == 460.5);
}

TEST_CASE("headers that mean something else") {
  for (const char* header : {"", "class", "b12", "B4", "460 days", "-460", "0", "X", "b1_", "1.2.3", "2019-03-01", "4a",
                             "Band 12", "Band_12", "B2_2020", "reflectance", "wl", "x460"}) {
    CAPTURE(header);
    CHECK_FALSE(wavelength_of_header(header));
  }
}

TEST_CASE("a table with a spectrum in each line has wavelengths in its header") {
  for (const std::string header : {"name,class,450,550.5", "name,class,450 nm,550.5nm", "name,class,0.45,0.5505",
                                   "name,class,0.45um,0.5505 \xc2\xb5m", "name,class,b1_450 nm,b2_550.5 nm",
                                   "name,class,X450,X550.5", "\xef\xbb\xbfname,class,450 [nm],550.5 (nm)"}) {
    CAPTURE(header);
    const SpectralLibrary library = read_table(header + "\r\noak,tree,1,2\r\nsand,soil,,4\r\n");
    CHECK(library.names == std::vector<std::string>{"oak", "sand"});
    CHECK(library.attributes == std::vector<std::string>{"class"});
    CHECK(library.values[1] == std::vector<std::string>{"soil"});
    REQUIRE(library.bands.size() == 2);
    CHECK(*library.bands[1].wavelength == doctest::Approx(550.5));
    CHECK(std::isnan(library.spectra(1, 0)));
    CHECK(library.spectra(1, 1) == 4);
  }
  CHECK(read_table("id;400;500\n7;1;2\n").names == std::vector<std::string>{"spectrum 1"});
}

TEST_CASE("a table with a spectrum in each column begins with the word wavelength") {
  const SpectralLibrary library = read_table("Wavelength;a.asd;b.asd\n350; 0.5 ; 1\n351; 0.25; 2\n", "a.txt");
  CHECK(library.names == std::vector<std::string>{"a.asd", "b.asd"});
  CHECK(library.spectra(0, 1) == 0.25F);
  CHECK(library.spectra(1, 0) == 1);
  CHECK(library.bands[1].wavelength == 351);
  CHECK(*read_table("wavelength (um),a\n0.35,1\n0.36,1\n").bands[1].wavelength == doctest::Approx(360));
}

TEST_CASE("the column of wavelengths may have a short name, or that of its unit") {
  for (const std::string header : {"nm", "WL", "wl (nm)", "lambda", "Lambda_nm", "\xce\xbb [nm]", "wave", "Nanometers",
                                   "wavelengths", "Wvl.", "wavelength_nm"}) {
    CAPTURE(header);
    const SpectralLibrary library = read_table(header + ",oak,sand\n450,0.1,0.2\n550.5,0.3,0.4\n");
    CHECK(library.names == std::vector<std::string>{"oak", "sand"});
    REQUIRE(library.bands.size() == 2);
    CHECK(library.bands[1].wavelength == 550.5);
  }
  for (const std::string header : {"um", "\xc2\xb5m", "microns", "WL_um", "wavelength (micrometers)"}) {
    CAPTURE(header);
    CHECK(*read_table(header + ",oak,sand\n120,0.1,0.2\n121,0.3,0.4\n").bands[0].wavelength == doctest::Approx(120000));
  }
  for (const std::string header : {"umap", "nmds", "waves_height", "microbes", "wlan", "x", ""}) {
    CAPTURE(header);
    CHECK_FALSE(read_table(header + ",oak,sand\n0.5,0.1,0.2\n0.6,0.3,0.4\n").bands[0].wavelength);
  }
  // Behind another column they would be features of each band.
  const TemporaryFolder folder;
  write_file(folder.file("a.csv"), "band,Wavelength (nm),oak,sand\n1,450.5,0.1,0.2\n2,550.5,0.3,0.4\n");
  CHECK(message_of([&] { read_library(folder.file("a.csv")); }) ==
        folder.file("a.csv") +
            ": column 'Wavelength (nm)' must be the first, with a spectrum in each column behind it");
}

TEST_CASE("a table of numbers without wavelengths has features, which are called as in its header") {
  const SpectralLibrary library = read_table(
      "system:index,A00,A01,landcover,note,month,decimalLatitude,.geo\n"
      "1_a,0.5,-1,3.0,x,5,48,\"{\"\"type\"\":\"\"Point\"\"}\"\n1_b,NA,2,,y,6,49,\n");
  REQUIRE(library.bands.size() == 2);
  CHECK(library.bands[0].name == "A00");
  CHECK_FALSE(library.bands[1].wavelength);
  CHECK(std::isnan(library.spectra(1, 0)));
  CHECK(library.spectra(1, 1) == 2);
  CHECK(library.attributes ==
        std::vector<std::string>{"system:index", "landcover", "note", "month", "decimalLatitude", ".geo"});
  CHECK(library.values[1][1].empty());
  // A column of codes under another name may be the class, which is left out of the features when it is.
  CHECK(read_table("f,g,kind\n0.5,1.5,1\n2.5,3,1.0\n2,3,2\n2,3,2\n2,3,2\n2,3,2\n2,3,2\n").attributes ==
        std::vector<std::string>{"kind"});
  REQUIRE(library.notes.size() == 1);
  CHECK(library.notes[0].find("2 columns of numbers from 'A00' to 'A01'") != std::string::npos);
  CHECK_FALSE(is_table("id,A00,class\n1,2,3\n"));
  // Decimal commas, in the header too.
  const SpectralLibrary german = read_table("name;450,5;460,5\noak;0,25;0,5\n");
  CHECK(german.bands[0].wavelength == 450.5);
  CHECK(german.spectra(0, 0) == 0.25F);
}

TEST_CASE("numbers that say what or where a place is are no features, however their columns are written") {
  for (const char* name : {"class_code", "gridcode", "ClassCode", "C_ID", "target", "OBJECTID", "pixel_id",
                           "Shape_Area", "Shape_Leng", "Point X", "x-coord", "landcover.id"}) {
    CAPTURE(name);
    CHECK(read_table("f,g," + std::string(name) + "\n0.5,1.5,7\n2.5,3,9\n").attributes ==
          std::vector<std::string>{name});
  }
  // Measured values may end in the same letters. Few names are listed.
  const SpectralLibrary library = read_table("f,g,humid\n0.5,1.5,0.7\n2.5,3,9\n");
  CHECK(library.attributes.empty());
  CHECK(library.notes[0].find("from 'f' to 'humid' ('f', 'g', 'humid') are features") != std::string::npos);
}

TEST_CASE("a text among measured values is refused, and one among whole numbers makes them names") {
  for (const char* text : {"-", "#DIV/0!", "n.a.", "<0.01", "inf"}) {
    CAPTURE(text);
    CHECK(message_of([&] {
            read_table("B2,B3,B4\n0.5,0.1,1\n0.25,0.2,2\n1.5," + std::string(text) + ",3\n");
          }).find("row 3, column 'B3': '" + std::string(text) + "' is not a number") != std::string::npos);
  }
  CHECK(read_table("B2,B3,kind\n0.5,0.1,1\n0.25,0.2,2\n1.5,0.5,urban\n").attributes ==
        std::vector<std::string>{"kind"});
}

TEST_CASE("numbers that count the columns are names of features, and no wavelengths") {
  for (const char* header : {"label,0,1,2", "label,1,2,3", "label,X0,X1,X2"}) {
    CAPTURE(header);
    const SpectralLibrary library = read_table(std::string(header) + "\noak,5,0.2,0.3\nash,0.2,0.1,0.5\n");
    REQUIRE(library.bands.size() == 3);
    CHECK_FALSE(library.bands[0].wavelength);
    CHECK(library.spectra(0, 0) == 5);
  }
  CHECK(read_table("label,1,2,4\noak,5,0.2,0.3\n").bands[0].wavelength == 1000);
  CHECK(read_table("label,1.0,2.0\noak,5,0.2\n").bands[0].wavelength == 1000);
}

TEST_CASE("columns of letters and numbers that can only be nanometres are wavelengths") {
  for (const std::string header :
       {"class,R450,R550.5", "class,X450,X550.5", "class,b450,b550.5", "class,B_450nm,B_550.5nm",
        "class,refl_450,refl_550.5", "class,Band 450,Band 550.5", "class,rho450,rho550.5"}) {
    CAPTURE(header);
    const SpectralLibrary library = read_table(header + "\noak,0.5,0.2\nash,0.2,0.5\n");
    REQUIRE(library.bands.size() == 2);
    CHECK(library.bands[1].wavelength == 550.5);
    CHECK(library.attributes == std::vector<std::string>{"class"});
  }
  // Numbers of bands, in any order, and other words are names of features.
  for (const std::string header :
       {"class,b1,b450", "class,B8,B11", "class,R550,R450", "class,NDVI705,NDVI750", "class,b450,c"}) {
    CAPTURE(header);
    CHECK_FALSE(read_table(header + "\noak,0.5,0.2\nash,0.2,0.5\n").bands[0].wavelength);
  }
}

TEST_CASE("lines that instruments write above the column of wavelengths are no part of the table") {
  const SpectralLibrary library = read_table(
      "Instrument: ASD FieldSpec, "
      "18140\nDate,2020-05-01\nsite\tBerlin\n\nWavelength,oak,sand\n450,0.1,0.2\n550,0.3,0.4\n");
  CHECK(library.names == std::vector<std::string>{"oak", "sand"});
  CHECK(library.spectra(1, 1) == 0.4F);
  CHECK(is_table("# ASD\nWavelength\toak\n450\t0.1\n550\t0.3\n"));
  CHECK_FALSE(is_table("Wavelength,oak"));
}

TEST_CASE("wavelengths and values without a header are refused") {
  std::string text;
  for (int k = 0; k < 10; ++k) {
    text += std::to_string(450 + 10 * k) + ",0." + std::to_string(k) + "5\n";
  }
  CHECK(message_of([&] { read_table(text); }).find("its columns have no names; a line such as") != std::string::npos);
  CHECK(read_table("wavelength,oak\n" + text).bands.size() == 10);
  // Values of spectra in lines seldom ascend.
  CHECK(read_table("450,550\n" + text.substr(0, 9) + text).size() == 11);
}

TEST_CASE("a table of profiles is read as the EnMAP-Box writes them") {
  const SpectralLibrary library = read_table(
      "name,profiles,level\n"
      "oak,\"{\"\"bbl\"\":[1,0],\"\"x\"\":[0.45,0.55],\"\"xUnit\"\":\"\"Micrometers\"\",\"\"y\"\":[1,null]}\",veg\n"
      "none,,veg\n");
  CHECK(library.names == std::vector<std::string>{"oak"});
  CHECK(library.values == std::vector<std::vector<std::string>>{{"veg"}});
  CHECK(*library.bands[1].wavelength == doctest::Approx(550));
  CHECK(library.bands[1].bad);
  CHECK(std::isnan(library.spectra(0, 1)));
  CHECK(library.notes.size() == 1);
}

TEST_CASE("other tables are no libraries") {
  CHECK_FALSE(is_table("x,y,class\n1,2,oak\n"));
  CHECK_FALSE(is_table("from,to\na,b\n"));
  CHECK_FALSE(is_table("name,450\noak,1\n"));
  CHECK_FALSE(is_table(""));
}

TEST_CASE("damaged tables are refused with row, column and value") {
  const auto message = [](const std::string& text) { return message_of([&] { read_table(text); }); };
  CHECK(message("name,450,550\noak,1,two\n").find("row 1, column '550': 'two' is not a number") != std::string::npos);
  CHECK(message("name,450,550\noak,1\n").find("row 1 below the header has 2 fields; the header has 3") !=
        std::string::npos);
  CHECK(message("Wavelength,a\n-350,1\n").find("must be a wavelength above 0") != std::string::npos);
  CHECK(message("profiles\n\"{\"\"y\"\":[1,2]\"\n").find("no object of JSON") != std::string::npos);
  CHECK(message("profiles\n\"{\"\"y\"\":[1,2],\"\"x\"\":[1]}\"\n").find("'x' of the profile must be a list of 2") !=
        std::string::npos);
  CHECK(message("profiles\n\"{\"\"y\"\":[true]}\"\n").find("entry that is no number") != std::string::npos);
  CHECK(message("n,profiles\n1,\"{\"\"y\"\":[1,2]}\"\n2,\"{\"\"y\"\":[1]}\"\n").find("other wavelengths") !=
        std::string::npos);
}

TEST_CASE("texts are UTF-8 without a byte order mark, and heads are short") {
  const TemporaryFolder folder;
  write_file(folder.file("a"), "\xef\xbb\xbfM\xc3\xbcnster");
  write_file(folder.file("b"), "M\xfcnster");
  CHECK(library_text(folder.file("a")) == "M\xc3\xbcnster");
  CHECK(library_text(folder.file("b")) == "M\xc3\xbcnster");
  CHECK(file_head(folder.file("b"), 2) == "M\xfc");
  CHECK(file_head(folder.file("absent")).empty());
  CHECK(file_head(folder.file("")).empty());
}

}  // namespace parsimap::test
