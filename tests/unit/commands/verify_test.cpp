#include "parsimap/commands/verify.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <ogrsf_frmts.h>

#include <array>
#include <filesystem>
#include <utility>

#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

namespace fs = std::filesystem;

// A folder of a model, a map and an accuracy, each with its page, made by commands in this folder.
const TemporaryFolder& made_folder() {
  static const TemporaryFolder folder;
  static bool made = false;
  if (!std::exchange(made, true)) {
    fs::create_directory(folder.file("data"));
    for (const std::string name : {"scene.tif", "training.gpkg", "reference.tif"}) {
      fs::copy(SmallScene::instance().file("scene/" + name), folder.file("data/" + name));
    }
    const fs::path before = fs::current_path();
    fs::current_path(folder.file(""));
    const std::vector<std::vector<std::string>> commands{
        {"train", "data/scene.tif", "data/training.gpkg", "a.model", "--class-field", "class", "--kernel", "gaussian",
         "--spatial", "none", "--report", "train.html"},
        {"classify", "data/scene.tif", "a.model", "map.tif", "--confidence", "confidence.tif", "--report", "map.html"},
        {"assess", "map.tif", "data/reference.tif", "--output-dir", "accuracy", "--report", "assess.html"}};
    for (const std::vector<std::string>& words : commands) {
      const Outcome outcome = run(words);
      CHECK_MESSAGE(outcome.code == 0, outcome.err);
    }
    fs::current_path(before);
  }
  return folder;
}

// A copy of it that a test may change.
struct Copy {
  Copy() { fs::copy(made_folder().file(""), folder.file("run"), fs::copy_options::recursive); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder.file("run/" + name); }
  // Replaces the first `before` in a file.
  void change(const std::string& name, const std::string& before, const std::string& after) const {
    std::string content = file_content(file(name));
    const std::size_t at = content.find(before);
    REQUIRE(at != std::string::npos);
    write_file(file(name), content.replace(at, before.size(), after));
  }
  [[nodiscard]] Outcome verified() const { return run({"verify", folder.file("run")}); }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a folder is made again wherever it lies, and nothing in it changes") {
  const Copy copy;
  write_file(copy.file("notes.txt"), "mine");
  const fs::path before = fs::current_path();
  const Outcome outcome = run({"verify", copy.folder.file("run"), "--json"});
  CHECK(outcome.code == 0);
  CHECK(fs::current_path() == before);
  const auto document = nlohmann::json::parse(outcome.out);
  const auto commands = mapped<std::string>(document["pages"], [](const auto& page) { return page["command"]; });
  CHECK(commands == std::vector<std::string>{"train", "classify", "assess"});
  for (const auto& page : document["pages"]) {
    CHECK(page["obstacle"].is_null());
  }
  CHECK(document["pages"][0]["files"] == nlohmann::json{copy.file("train.html"), copy.file("a.model")});
  CHECK(document["unaccounted"] == nlohmann::json{copy.file("notes.txt")});
  for (const auto& entry : fs::recursive_directory_iterator(made_folder().file(""))) {
    if (entry.is_regular_file()) {
      const std::string name = fs::relative(entry.path(), made_folder().file("")).string();
      CHECK(file_content(copy.file(name)) == file_content(entry.path().string()));
    }
  }
}

TEST_CASE("a changed byte of any file is found, and the file named") {
  // One in each kind of file, where nothing else depends on it.
  for (const std::string name : {"a.model", "map.tif", "confidence.tif", "map.qml", "map.tif.aux.xml", "train.html",
                                 "accuracy/confusion.csv", "data/training.gpkg"}) {
    CAPTURE(name);
    const Copy copy;
    std::string content = file_content(copy.file(name));
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    write_file(copy.file(name), content);
    const Outcome outcome = copy.verified();
    CHECK(outcome.code == 3);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, name.starts_with("data/") ? "train.html" : name));
  }
}

TEST_CASE("figures and options of pages are those of the commands") {
  const Copy figure;
  figure.change("assess.html", "reference pixels", "reference pixel5");
  CHECK(contains(figure.verified().err, "reference pixel5"));

  const Copy option;
  option.change("train.html", "--kernel=gaussian", "--kernel=hdda");
  CHECK(option.verified().code == 3);
  const Copy input;
  input.change("map.html", "\"data/scene.tif\"", "\"data/other.tif\"");
  CHECK(contains(input.verified().err, "data/other.tif is not among the inputs that the page lists"));
  const Copy command;
  command.change("map.html", "\"words\":[\"classify\"", "\"words\":[\"paint\"");
  CHECK(contains(command.verified().err, "map.html: what it names as its command is none"));
  // Nothing is run that does not write the page, or that would write elsewhere.
  const Copy other;
  other.change("map.html", "\"words\":[", "\"words\":[\"verify\",\".\"],\"others\":[");
  CHECK(contains(other.verified().err, "map.html: its command fails: it does not write the page"));
  const Copy elsewhere;
  std::string above = "--confidence=";
  for (int i = 0; i < 12; ++i) {
    above += "../";
  }
  elsewhere.change("map.html", "--confidence=confidence.tif", above + elsewhere.folder.file("new.tif").substr(1));
  CHECK(contains(elsewhere.verified().err, "too far above its folder"));
  CHECK_FALSE(fs::exists(elsewhere.folder.file("new.tif")));
  const Copy setting;
  setting.change("map.html", "\"--report=map.html\"", "\"--report=map.html\",\"--config=A=B\"");
  const Outcome unset = setting.verified();
  CHECK(unset.code == 1);
  CHECK(contains(unset.out, "not made again: it sets options of GDAL"));
  CHECK(contains(unset.err,
                 "1 of 3 pages were not made again; " + setting.file("map.html") + ": it sets options of GDAL"));
}

TEST_CASE("what is put beside a time or a date, or into a line like one, is found") {
  const std::vector<std::array<std::string, 3>> changes{
      {"accuracy/accuracy.json", "\"seconds\": ", "\"seconds\": 1, \"overall_accuracy\": 0.9999, \"rest\": "},
      {"accuracy/accuracy.json", "\"seconds\": ", "\"seconds\": 0.9999,\n  \"seconds\": "},
      {"assess.html", "<h1", "\"seconds\": <h1>Overall accuracy 99.99 %</h1>\n<h1"},
      {"map.html", "<tr><td>all</td>", "<tr><td>all at 99.99 %</td>"},
      {"map.html", "<tr><td>all</td>", "<tr><td>accuracy</td><td class=\"number\">99.99 s</td></tr>\n<tr><td>all</td>"},
      {"accuracy/confusion.csv", "\r\n", "\n"}};
  for (const std::array<std::string, 3>& change : changes) {
    CAPTURE(change[2]);
    const Copy copy;
    copy.change(change[0], change[1], change[2]);
    CHECK(contains(copy.verified().err, change[0]));
  }
  const Copy ending;
  const std::string table = file_content(ending.file("accuracy/confusion.csv"));
  write_file(ending.file("accuracy/confusion.csv"), table.substr(0, table.size() - 1));
  CHECK(contains(ending.verified().err, "confusion.csv"));
  const Copy date;
  date.change("map.html", R"("date":"2)", R"("date":"all right on 2)");
  CHECK(contains(date.verified().err, "map.html: its date is 'all right on 2"));
}

TEST_CASE("times and dates of pages may differ") {
  const Copy copy;
  std::string page = file_content(copy.file("map.html"));
  const std::size_t times = page.find("Time and memory");
  const std::size_t seconds = page.find(" s</td>", times);
  REQUIRE(seconds != std::string::npos);
  page[seconds - 1] = page[seconds - 1] == '9' ? '8' : '9';
  write_file(copy.file("map.html"), page);
  const Outcome outcome = copy.verified();
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
}

TEST_CASE("what is not there is an error, and the rest is made again") {
  const Copy copy;
  fs::remove(copy.file("data/reference.tif"));
  const Outcome outcome = copy.verified();
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.err, "1 of 3 pages were not made again; " + copy.file("assess.html") +
                                  ": data/reference.tif is not there"));
  CHECK(contains(outcome.out, "assess.html (assess): not made again: data/reference.tif is not there"));
  CHECK(contains(outcome.out, "map.html (classify): the same are "));
  fs::remove(copy.file("map.qml"));
  CHECK(contains(copy.verified().err, "its command also writes map.qml, which is not in "));
}

TEST_CASE("outputs named by paths from the root are made elsewhere") {
  const Copy copy;
  CHECK(run({"classify", copy.file("data/scene.tif"), copy.file("a.model"), copy.file("map.tif"), "--confidence",
             copy.file("confidence.tif"), "--report", copy.file("map.html"), "--overwrite"})
            .code == 0);
  const std::string before = file_content(copy.file("map.html"));
  const Outcome outcome = copy.verified();
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(file_content(copy.file("map.html")) == before);
}

TEST_CASE("tables with paths from the root, and samples that were labelled since, are the same") {
  const Copy copy;
  CHECK(run({"assess", copy.file("map.tif"), copy.file("data/reference.tif"), "--output-dir", copy.file("accuracy"),
             "--report", copy.file("assess.html"), "--overwrite"})
            .code == 0);
  CHECK(run({"sample", copy.file("map.tif"), "--size", "20", "--least", "2", "--out", copy.file("points.gpkg"),
             "--report", copy.file("sample.html")})
            .code == 0);
  const GDALDatasetUniquePtr file(GDALDataset::Open(copy.file("points.gpkg").c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
  const OGRFeatureUniquePtr feature(file->GetLayer(0)->GetFeature(1));
  feature->SetField("class", "oak");
  CHECK(file->GetLayer(0)->SetFeature(feature.get()) == OGRERR_NONE);
  file->FlushCache(true);
  const Outcome outcome = copy.verified();
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.out, "points.gpkg"));
  const OGRGeometryUniquePtr place(feature->GetGeometryRef()->clone());
  OGRPoint moved(*place->toPoint());
  moved.setX(moved.getX() + 1);
  feature->SetGeometry(&moved);
  CHECK(file->GetLayer(0)->SetFeature(feature.get()) == OGRERR_NONE);
  file->FlushCache(true);
  CHECK(contains(copy.verified().err, "points.gpkg is not what its command writes"));
  feature->SetGeometry(place.get());
  feature->SetField("probability", 0.5);
  CHECK(file->GetLayer(0)->SetFeature(feature.get()) == OGRERR_NONE);
  file->FlushCache(true);
  CHECK(contains(copy.verified().err, "points.gpkg is not what its command writes"));
}

TEST_CASE("a file of options may lie beside the outputs that it names") {
  const Copy copy;
  write_file(copy.file("options.json"), R"({"confidence": "sure.tif"})");
  const fs::path before = fs::current_path();
  fs::current_path(copy.file(""));
  CHECK(run({"classify", "data/scene.tif", "a.model", "sure_map.tif", "--options-file", "options.json", "--report",
             "sure.html"})
            .code == 0);
  fs::current_path(before);
  const Outcome outcome = copy.verified();
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.out, copy.file("sure.tif")));
  // What the file says now is not written: it may come from anywhere.
  write_file(copy.file("options.json"),
             "{\"confidence\": \"sure.tif\", \"novelty\": \"" + copy.file("new.tif") + "\"}");
  CHECK(contains(copy.verified().err, "it writes " + copy.file("new.tif") + ", which its page does not say"));
  CHECK_FALSE(fs::exists(copy.file("new.tif")));
  // Nor is one of the inputs, which the page names from the root.
  write_file(copy.file("options.json"), "{\"confidence\": \"" + copy.file("sure.tif") + "\"}");
  CHECK(run({"classify", copy.file("data/scene.tif"), copy.file("a.model"), copy.file("sure_map.tif"), "--options-file",
             copy.file("options.json"), "--report", copy.file("sure.html"), "--overwrite"})
            .code == 0);
  write_file(copy.file("options.json"), "{\"novelty\": \"" + copy.file("data/scene.tif") + "\"}");
  CHECK_MESSAGE(contains(copy.verified().err, "it writes " + copy.file("data/scene.tif") + ", which its page does"),
                copy.verified().err);
}

TEST_CASE("outputs with names of their own may lie beside the inputs") {
  const Copy copy;
  const fs::path before = fs::current_path();
  fs::current_path(copy.file(""));
  CHECK(run({"assess", "map.tif", "data/reference.tif", "--output-dir", ".", "--report", "assess.html", "--overwrite"})
            .code == 0);
  fs::current_path(before);
  fs::remove_all(copy.file("accuracy"));
  const std::string accuracy = file_content(copy.file("accuracy.json"));
  const Outcome outcome = copy.verified();
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.out, "accuracy.json"));
  CHECK(file_content(copy.file("accuracy.json")) == accuracy);
}

TEST_CASE("a model may have no extension, or the name of a page or a folder of tables") {
  const TemporaryFolder folder;
  for (const std::string name : {"scene.tif", "training.gpkg", "reference.tif"}) {
    fs::copy(SmallScene::instance().file("scene/" + name), folder.file(name));
  }
  const fs::path before = fs::current_path();
  fs::current_path(folder.file(""));
  const std::vector<std::vector<std::string>> commands{
      {"train", "scene.tif", "training.gpkg", "model", "--class-field", "class", "--kernel", "gaussian", "--spatial",
       "none", "--report", "train.html"},
      {"train", "scene.tif", "training.gpkg", "farm.model", "--class-field", "class", "--kernel", "gaussian",
       "--spatial", "none", "--report", "training.html"},
      {"classify", "scene.tif", "farm.model", "map.tif", "--report", "map.html"},
      {"assess", "map.tif", "reference.tif", "--output-dir", "farm.acc", "--report", "farm.html"}};
  for (const std::vector<std::string>& words : commands) {
    const Outcome outcome = run(words);
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
  }
  fs::current_path(before);
  CHECK(contains(file_content(folder.file("farm.html")), "are training pixels"));
  const Outcome outcome = run({"verify", folder.file("")});
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.out, "farm.html (assess): the same are "));
  CHECK_FALSE(contains(outcome.out, "not made again"));
}

TEST_CASE("a folder without pages is refused") {
  const TemporaryFolder folder;
  CHECK(contains(run({"verify", folder.file("")}).err, "has no page of --report that names its command"));
  CHECK(contains(run({"verify", folder.file("none")}).err, "is no folder"));
  write_file(folder.file("page.html"), R"(<script type="application/json" id="command">{"words": 1}</script>)");
  CHECK(run({"verify", folder.file("")}).code == 3);
  write_file(folder.file("page.html"),
             R"(<script type="application/json" id="command">{"words": [], "date": ""}</script>)");
  CHECK(contains(run({"verify", folder.file("")}).err, "what it names as its command is none"));
}

}  // namespace parsimap::test
