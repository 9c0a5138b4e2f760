#include "parsimap/text/text_tables.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "support/data_folder.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

std::string table_error(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.data");
  write_file(path, content);
  try {
    read_number_table(path);
  } catch (const DataError& error) {
    const std::string text = error.what();
    CHECK(text.rfind(path, 0) == 0);
    return text.substr(path.size());
  }
  return "nothing was thrown";
}

std::string label_error(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.labels");
  write_file(path, content);
  const std::string text = message_of([&] { read_label_lines(path); });
  return text.rfind(path, 0) == 0 ? text.substr(path.size()) : text;
}

Matrix table_of(const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.file("x.data"), content);
  return read_number_table(folder.file("x.data"));
}

using Table = std::vector<std::pair<std::string, Index>>;

Table counts_of(const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.file("x.csv"), content);
  return read_class_counts(folder.file("x.csv"));
}

std::string count_error(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("x.csv");
  write_file(path, content);
  const std::string text = message_of([&] { read_class_counts(path); });
  return text.rfind(path, 0) == 0 ? text.substr(path.size()) : text;
}

std::vector<ColourRule> rules_of(const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.file("a.clr"), content);
  return read_colour_list(folder.file("a.clr"));
}

// What follows the path in the message.
std::string colour_error(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.clr");
  write_file(path, content);
  try {
    read_colour_list(path);
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    CHECK(text.rfind(path, 0) == 0);
    return text.substr(path.size());
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("number table: separators, notations and ends of lines") {
  Matrix expected(2, 3);
  expected << 1, -2.5, 3e4, 4, 5, -0.125;
  for (const std::string content :
       {"1 -2.5 3e4\n4 5 -0.125\n", "1 -2.5 3e4 \n4 5 -0.125 ", "1,-2.5,3e4\r\n4,5,-0.125\r\n",
        "1, -2.5 ,\t3e4\n4\t5\t-.125\n", "\n  +1 -2.5 30000\n\n4 5. -1.25E-1\n\n\n"}) {
    CAPTURE(content);
    CHECK(table_of(content) == expected);
  }
}

TEST_CASE("number table: a number is read as it was written") {
  const Matrix table = table_of("0.1 1e-320 123456789012345678\n");
  CHECK(table(0, 0) == 0.1);
  CHECK(table(0, 1) == 1e-320);
  CHECK(table(0, 2) == 123456789012345678.0);
}

TEST_CASE("number table: what is not a number is named with its line and column") {
  CHECK(table_error("1 2\n\n3 abc\n") == ": line 3, column 2: 'abc' is not a number");
  CHECK(table_error("1,,2\n") == ": line 1, column 2: '' is not a number");
  CHECK(table_error("1,2,\n") == ": line 1, column 3: '' is not a number");
  CHECK(table_error("12x 1\n") == ": line 1, column 1: '12x' is not a number");
  CHECK(table_error("1 nan\n") == ": line 1, column 2: 'nan' is not a number");
  CHECK(table_error("1 2 -inf\n") == ": line 1, column 3: '-inf' is not a number");
  CHECK(table_error("+-1\n") == ": line 1, column 1: '+-1' is not a number");
}

TEST_CASE("number table: other bad files") {
  CHECK(table_error("\n1 2 3\n1 2\n") == ": line 3 has 2 numbers; line 2 has 3");
  CHECK(table_error("") == " holds no numbers");
  CHECK(table_error("\n \n") == " holds no numbers");
  const TemporaryFolder folder;
  CHECK(message_of([&] { read_number_table(folder.file("none")); }) ==
        folder.file("none") + " cannot be read: No such file or directory");
  CHECK(message_of([&] { read_number_table(folder.file("")); }) == folder.file("") + " cannot be read: Is a directory");
}

TEST_CASE("labels are lines") {
  const TemporaryFolder folder;
  write_file(folder.file("x.labels"), "1\r\n-1 \n Bare soil\n\n\n");
  CHECK(read_label_lines(folder.file("x.labels")) == std::vector<std::string>{"1", "-1", "Bare soil"});
  CHECK(label_error("1\n\n\n2\n") == ": line 2 is empty; every sample needs a label");
  CHECK(label_error("\n\n") == " holds no labels");
  CHECK(message_of([&] { read_label_lines(folder.file("none")); }) ==
        folder.file("none") + " cannot be read: No such file or directory");
}

TEST_CASE("number table: Arcene") {
  const auto data = toy::data_folder();
  if (!data) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const Matrix table = read_number_table(*data + "/arcene/arcene_train.data");
  CHECK(table.rows() == 100);
  CHECK(table.cols() == 10000);
  CHECK(read_label_lines(*data + "/arcene/arcene_train.labels").size() == 100);
}

TEST_CASE("a number per class, with any separator, quotes, comments and a header") {
  CHECK(counts_of("forest,200\nbare soil, 30\n") == Table{{"forest", 200}, {"bare soil", 30}});
  CHECK(counts_of("class;count\r\nforest;200\r\n\r\n7;30") == Table{{"forest", 200}, {"7", 30}});
  CHECK(counts_of("forest,200.0\nroof,3e1\n") == Table{{"forest", 200}, {"roof", 30}});
  CHECK(counts_of("# OTB\n#class,requiredSamples\n\"pine, old\",5\nfir\t6\n") == Table{{"pine, old", 5}, {"fir", 6}});
}

TEST_CASE("what is no table of counts is refused with its line") {
  CHECK(count_error("a,1\nforest\n") == ": line 2: 'forest' must be a class and a number, as in 'forest,200'");
  CHECK(count_error("a,1\nb,2.5\n") == ": line 2: '2.5' is not a whole number");
  CHECK(count_error("a,2.5\nb,2\n") == ": line 1: '2.5' is not a whole number");
  CHECK(count_error("a,1\nb,-2\n") == ": line 2: '-2' is not a whole number");
  CHECK(count_error("a,1\n\na,2\n") == ": line 3: class 'a' is there twice");
  CHECK(count_error("") == " holds no class with a number");
  CHECK(count_error("class,count\n") == " holds no class with a number");
  CHECK_THROWS_AS(read_class_counts("/no/such/file.csv"), DataError);
}

TEST_CASE("a table of classes that are merged and renamed") {
  const TemporaryFolder folder;
  const std::string path = folder.file("classes.csv");
  const auto rules_in = [&](const std::string& content) {
    write_file(path, content);
    std::string text;
    for (const ClassRule& rule : read_class_rules(path).rules) {
      text += rule.from + ">" + rule.to + "|";
    }
    return text;
  };
  CHECK(rules_in("from,to\noak,forest\n\n 12 , 3\ncloud,\n") == "oak>forest|12>3|cloud>|");
  CHECK(rules_in("\xef\xbb\xbfto;note;from\r\nforest;x;oak\r\n") == "oak>forest|");
  CHECK(rules_in("from\tto\noak\tforest") == "oak>forest|");
  CHECK(rules_in("from,to\n\"oak, old\",\"the \"\"wood\"\"\"\n") == "oak, old>the \"wood\"|");
  const auto refusal = [&](const std::string& content) {
    try {
      rules_in(content);
    } catch (const DataError& error) {
      return std::string(error.what()).substr(path.size());
    }
    return std::string();
  };
  CHECK(refusal("") == " is empty; it must be a table with the columns from and to");
  CHECK(refusal("oak,forest\n") ==
        ": line 1: 'oak,forest' must be a header with the columns from and to, as in 'from,to'");
  CHECK(refusal("from,to\n") == " has no rule below its header");
  CHECK(refusal("from,to\noak\n") ==
        ": line 2: 'oak' must be a class and what it becomes, as in 'oak,forest', or 'cloud,' for unlabelled");
  CHECK(refusal("from,to\n,forest\n").find(": line 2: ',forest' must be a class") == 0);
  CHECK(refusal("from,to\noak,a\n\noak,b\n") == ": line 4: class 'oak' is there twice");
}

TEST_CASE("the ways in which GIS programs write a list of colours") {
  for (const char* content : {"10 0 128 255 Open water\n200 1 2 3\n",         // ESRI
                              "10,0,128,255,255,Open water\n200,1,2,3,255,",  // QGIS
                              "10 0:128:255 Open water\r\n200 1:2:3\r\n",     // GRASS
                              "# x\nINTERPOLATION:EXACT\n\n\t10\t0 128, 255\t255  Open water \n200 1 2 3 255"}) {
    CAPTURE(content);
    const std::vector<ColourRule> rules = rules_of(content);
    REQUIRE(rules.size() == 2);
    CHECK(rules[0].code == 10);
    CHECK(rules[0].colour == Colour{0, 128, 255});
    CHECK(rules[0].name == "Open water");
    CHECK(rules[1].code == 200);
    CHECK(rules[1].name.empty());
  }
  CHECK(rules_of("0 0 0 0 none\nnv 255:255:255\ndefault 0:0:0\n1 2 3 4 5 crops").front().name == "crops");
  CHECK(rules_of("1 2 3 4 300 m").front().name == "300 m");
}

TEST_CASE("a line that is no colour is reported with its number") {
  CHECK(colour_error("1 2 3 4\n2 red\n") ==
        ": line 2 is '2 red'; it must be a code from 0 to 65535, red, green and blue from 0 to 255, and if wanted a "
        "name");
  for (const char* line : {"1 2 3", "1 2 3 256", "1 -2 3 4", "65536 1 2 3", "1.5 1 2 3", "water 1 2 3", "1 #ff0000"}) {
    CAPTURE(line);
    CHECK(colour_error(line).find(": line 1 is '" + std::string(line) + "'") == 0);
  }
  CHECK(colour_error("") == " holds no colours");
  CHECK(colour_error("0 1 2 3\n") == " holds no colours");
  CHECK_THROWS_AS(read_colour_list("/nonexistent.clr"), ConfigError);
}

TEST_CASE("names in Latin-1 are read as such, with a warning") {
  const TemporaryFolder folder;
  const std::string path = folder.file("names");
  std::vector<std::string> warnings;
  const Warn warn = [&](const std::string& text) { warnings.push_back(text); };
  write_file(path, "for\xeat,3\n");
  CHECK(read_class_counts(path, warn).front().first == "for\xc3\xaat");
  write_file(path, "1 2 3 4 for\xeat\n");
  CHECK(read_colour_list(path, warn).front().name == "for\xc3\xaat");
  write_file(path, "for\xeat\n");
  CHECK(read_label_lines(path, warn).front() == "for\xc3\xaat");
  CHECK(warnings == std::vector<std::string>(3, path + " is not UTF-8; it was read as Latin-1 (ISO-8859-1)"));
  write_file(path, "for\xc3\xaat\n");
  CHECK(read_label_lines(path, warn).front() == "for\xc3\xaat");
  CHECK(warnings.size() == 3);
}

TEST_CASE("every small table is read in whatever form a program saves it") {
  const TemporaryFolder folder;
  const std::string path = folder.file("table.csv");
  const auto in_form = [&](const std::string& text, int form) {
    std::string bytes;
    for (const char letter : text) {
      bytes += form < 2 ? std::string(1, letter) : letter + std::string("\0", 1);
      bytes += letter == '\r' && form == 1 ? "\n" : "";
    }
    write_file(path, (form == 1 ? "\xef\xbb\xbf" : form == 2 ? "\xff\xfe" : "") + bytes);
  };
  // Lines end with CR alone, CR LF behind a byte order mark, and CR in UTF-16.
  for (const int form : {0, 1, 2}) {
    CAPTURE(form);
    in_form("sep=;\rFrom;To\r\"oak, old\";forest\r;\r\r", form);
    const std::vector<ClassRule> rules = read_class_rules(path).rules;
    REQUIRE(rules.size() == 1);
    CHECK(rules[0].from == "oak, old");
    in_form("sep=;\rclass;count\rbare, soil;30\r\r", form);
    CHECK(read_class_counts(path) == Table{{"bare, soil", 30}});
    in_form("sep=;\rvalue;Red;Green;Blue;name\r1;255;0;0;\"grass, dry\"\r2;0;1;2;roof\r\r", form);
    const std::vector<ColourRule> colours = read_colour_list(path);
    REQUIRE(colours.size() == 2);
    CHECK(colours[0].name == "grass, dry");
    CHECK(colours[1].colour == Colour{0, 1, 2});
    in_form("sep=;\rname;class\ra;road\r\r", form);
    CHECK(read_library_classes(path).at("a") == "road");
    in_form("scene;labels\ra.tif;\"b;c.gpkg\"\r;\r", form);
    CHECK(read_scene_list(path).front().labels == folder.file("b;c.gpkg"));
    in_form("0,5;-1\r2;1,25E1\r\r", form);
    CHECK(read_number_table(path) == (Matrix(2, 2) << 0.5, -1, 2, 12.5).finished());
    in_form("1\roak\r\r", form);
    CHECK(read_label_lines(path) == std::vector<std::string>{"1", "oak"});
  }
}

TEST_CASE("what is no regular file is refused") {
  CHECK_THROWS_WITH_AS(read_number_table("/dev/zero"), "/dev/zero is a device; an input must be a regular file",
                       DataError);
  CHECK_THROWS_AS(read_colour_list("/dev/zero"), ConfigError);
  CHECK_THROWS_AS(read_class_counts("/dev/zero"), DataError);
}

}  // namespace parsimap::test
