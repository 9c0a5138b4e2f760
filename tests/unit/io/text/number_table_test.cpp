#include "parsimap/io/text/number_table.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "support/data_folder.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

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

TEST_CASE("number table: labels are lines") {
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
