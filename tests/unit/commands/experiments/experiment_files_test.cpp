#include "commands/experiments/experiment_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/experiment_json.hpp"

#include "support/example_experiment.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/report/toy_run.hpp"

namespace parsimap::test {

namespace {

const JournalHeader kShardHeader = {"1.0", R"({"title":"t","repeats":5})", Shard{3, 8}};

std::string sealed(const std::vector<std::string>& objects) {
  std::string checksum;
  std::string content;
  for (const std::string& object : objects) {
    content += sealed_line(object, checksum);
  }
  return content;
}

}  // namespace

TEST_CASE("what a journal was begun with reads back") {
  const JournalHeader back = journal_header("j", sealed({header_object(kShardHeader)}));
  CHECK(back.version == "1.0");
  CHECK(back.configuration == kShardHeader.configuration);
  CHECK(back.shard == Shard{3, 8});
  CHECK_FALSE(journal_header("j", sealed({header_object({"1.0", "{}"})})).shard);
  for (const std::string object : {"{\"a\":1}", "{\"version\":1,\"configuration\":{}}"}) {
    CHECK(message_of([&] { journal_header("j", sealed({object})); }) ==
          "journal 'j' is damaged in line 1: it does not say of which experiment it is");
  }
  CHECK_THROWS_AS(journal_header("j", "nothing\n"), DataError);
  CHECK_THROWS_AS(journal_header("j", ""), DataError);
}

TEST_CASE("a journal has its runs and descriptions, without what a kill left of the last line") {
  const DataDescription description{"toy", 2, {}, 9, {}};
  const std::string content =
      sealed({header_object(kShardHeader), description_line(description), run_line(toy_run()), run_line(toy_run())});
  const JournalContent whole = parse_journal("j", content);
  CHECK(whole.runs.size() == 2);
  CHECK(whole.descriptions.size() == 1);
  CHECK(whole.whole == content.size());
  const JournalContent cut = parse_journal("j", content.substr(0, content.size() - 5));
  CHECK(cut.runs.size() == 1);
  CHECK(cut.whole < content.size() - 5);
  CHECK(message_of([&] {
          parse_journal("j", sealed({header_object(kShardHeader), "{\"data\":3}"}));
        }).starts_with("journal 'j' is damaged in line 2: the line is not a run: "));
}

TEST_CASE("journals differ in version, shard or configuration") {
  CHECK(difference(kShardHeader, kShardHeader).empty());
  JournalHeader other = kShardHeader;
  other.version = "1.1";
  CHECK(difference(kShardHeader, other) == "by version \"1.0\" of the program");
  other = kShardHeader;
  other.shard = Shard{1, 8};
  CHECK(difference(kShardHeader, other) == "as shard 3/8");
  CHECK(difference({"1.0", kShardHeader.configuration}, kShardHeader) == "without shards");
  other = kShardHeader;
  other.configuration = R"({"repeats":5,"title":"u"})";
  CHECK(difference(kShardHeader, other) == "with another configuration (/title differs)");
}

namespace {

const std::string kConfiguration = R"({"title": "t", "repeats": 5})";

const JournalHeader kHeader = {"1.0", kConfiguration};

ExperimentRun run_of_repeat(Index repeat) {
  ExperimentRun run = toy_run();
  run.repeat = repeat;
  return run;
}

// A journal with two runs.
class JournalFile {
 public:
  JournalFile() {
    ExperimentJournal journal(path(), kHeader, {});
    journal.append(run_of_repeat(0));
    journal.append(run_of_repeat(1));
  }
  [[nodiscard]] std::string path() const { return folder_.file("journal.jsonl"); }
  [[nodiscard]] std::string content() const { return file_content(path()); }

 private:
  TemporaryFolder folder_;
};

std::string refusal_of_journal(const std::string& path, const std::string& configuration, const std::string& version,
                               const JournalUse& use) {
  return message_of([&] { ExperimentJournal(path, {version, configuration}, use); });
}

constexpr JournalUse kResume = {true, false};

std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < content.size();) {
    const std::size_t end = content.find('\n', start) + 1;
    lines.push_back(content.substr(start, end - start));
    start = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
  }
  return text;
}

// The number of runs that a journal of this content gives, all of which must be those that were written, in their
// order; nothing where it is refused.
std::optional<std::size_t> kept_runs(const std::string& path, const std::string& content) {
  write_file(path, content);
  try {
    const ExperimentJournal journal(path, kHeader, kResume);
    for (std::size_t i = 0; i < journal.finished().size(); ++i) {
      CHECK(run_line(journal.finished()[i]) == run_line(run_of_repeat(static_cast<Index>(i))));
    }
    return journal.finished().size();
  } catch (const DataError& error) {
    CHECK(std::string(error.what()).find(path + "' is damaged in line ") != std::string::npos);
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("a journal is the configuration and then one run per line") {
  const JournalFile file;
  std::string checksum;
  std::string expected =
      sealed_line("{\"version\":\"1.0\",\"configuration\":{\"title\":\"t\",\"repeats\":5}}", checksum);
  expected += sealed_line(run_line(run_of_repeat(0)), checksum);
  expected += sealed_line(run_line(run_of_repeat(1)), checksum);
  CHECK(file.content() == expected);
}

TEST_CASE("a resumed journal gives its runs and takes more") {
  const JournalFile file;
  {
    ExperimentJournal journal(file.path(), kHeader, kResume);
    REQUIRE(journal.finished().size() == 2);
    CHECK(run_line(journal.finished()[1]) == run_line(run_of_repeat(1)));
    journal.append(run_of_repeat(2));
    CHECK(journal.size() == 3);
  }
  CHECK(ExperimentJournal(file.path(), kHeader, kResume).finished().size() == 3);
}

TEST_CASE("what a kill left of a line is dropped, wherever it was cut") {
  const JournalFile whole;
  const std::string content = whole.content();
  const std::size_t second = content.find('\n', content.find('\n') + 1) + 1;
  for (const std::size_t size : {second + 1, second + 40, content.size() - 1}) {
    CAPTURE(size);
    const JournalFile file;
    write_file(file.path(), content.substr(0, size));
    {
      ExperimentJournal journal(file.path(), kHeader, kResume);
      CHECK(journal.finished().size() == 1);
      journal.append(run_of_repeat(1));
    }
    CHECK(file.content() == content);
  }
}

TEST_CASE("a journal that was cut in its first line holds nothing") {
  const JournalFile file;
  write_file(file.path(), file.content().substr(0, 10));
  ExperimentJournal journal(file.path(), kHeader, {});
  CHECK(journal.finished().empty());
  journal.append(run_of_repeat(0));
  CHECK(file.content().starts_with("{\"version\":\"1.0\""));
}

TEST_CASE("an unfinished experiment is neither repeated nor replaced unless asked for") {
  const JournalFile file;
  const std::string content = file.content();
  CHECK(refusal_of_journal(file.path(), kConfiguration, "1.0", {}) ==
        "'" + file.path() +
            "' is of an experiment that was not finished; use --resume to continue it or --overwrite to begin again");
  CHECK_THROWS_AS(ExperimentJournal(file.path(), kHeader, {}), ConfigError);
  CHECK(file.content() == content);
  ExperimentJournal journal(file.path(), kHeader, {false, true});
  CHECK(journal.finished().empty());
  CHECK(file.content().find("toy") == std::string::npos);
}

TEST_CASE("another configuration or version cannot be resumed") {
  const JournalFile file;
  const std::string content = file.content();
  CHECK(refusal_of_journal(file.path(), R"({"title": "t", "repeats": 6})", "1.0", kResume) ==
        "'" + file.path() +
            "' is of an experiment begun with another configuration (/repeats differs); use --overwrite without "
            "--resume to begin again, or another --output-dir");
  CHECK(refusal_of_journal(file.path(), kConfiguration, "1.1", kResume)
            .find("begun by version \"1.0\" of the program; ") != std::string::npos);
  CHECK(file.content() == content);
}

TEST_CASE("a line that is no run is refused with its number, although its checksum is right") {
  const JournalFile file;
  std::string checksum;
  for (const std::string& line : lines_of(file.content())) {
    REQUIRE(opened_line(line, checksum));
  }
  ExperimentRun without_tests = run_of_repeat(2);
  without_tests.tests.resize(1);
  const std::string deep = "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  const std::string content = file.content();
  for (const std::string& object : {std::string("{\"data\":3}"), run_line(without_tests), deep}) {
    std::string chain = checksum;
    write_file(file.path(), content + sealed_line(object, chain));
    CHECK_THROWS_AS(ExperimentJournal(file.path(), kHeader, kResume), DataError);
    CHECK(refusal_of_journal(file.path(), kConfiguration, "1.0", kResume)
              .starts_with("journal '" + file.path() + "' is damaged in line 4: the line is not a run: "));
  }
  write_file(file.path(), "something else\nentirely\n");
  CHECK(refusal_of_journal(file.path(), kConfiguration, "1.0", kResume) ==
        "journal '" + file.path() +
            "' is damaged in line 1: it does not fit its checksum, or another version of the program wrote it; use "
            "--overwrite without --resume to begin again, or another --output-dir");
}

TEST_CASE("whatever byte of a journal is altered, it is refused or what is left of it is true") {
  const JournalFile file;
  const std::string content = file.content();
  std::size_t refused = 0;
  for (std::size_t i = 0; i < content.size(); ++i) {
    for (const unsigned flip : {1U, 8U, 32U, 128U}) {
      std::string damaged = content;
      damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flip);
      if (const std::optional<std::size_t> kept = kept_runs(file.path(), damaged)) {
        CAPTURE(i);
        REQUIRE(i > content.find('\n'));
        REQUIRE(*kept < 2);
      } else {
        ++refused;
      }
    }
  }
  // What was refused is all but the last line.
  CHECK(refused > content.size());
}

TEST_CASE("lines that are lost, repeated or moved are noticed") {
  const JournalFile file;
  {
    ExperimentJournal journal(file.path(), kHeader, kResume);
    journal.append(run_of_repeat(2));
    journal.append(run_of_repeat(3));
  }
  const std::vector<std::string> lines = lines_of(file.content());
  REQUIRE(lines.size() == 5);
  for (std::size_t a = 0; a < lines.size(); ++a) {
    for (std::size_t b = 0; b < lines.size(); ++b) {
      CAPTURE(a);
      CAPTURE(b);
      std::vector<std::string> moved = lines;
      std::swap(moved[a], moved[b]);
      const auto kept = kept_runs(file.path(), joined(moved));
      CHECK((a == b ? kept == 4 : !kept));
      std::vector<std::string> repeated = lines;
      repeated.insert(repeated.begin() + static_cast<Index>(b), lines[a]);
      const auto kept_repeated = kept_runs(file.path(), joined(repeated));
      // A line that is repeated where it stood, at the end, is what a kill might leave.
      CHECK((!kept_repeated || *kept_repeated == 4));
    }
    std::vector<std::string> lost = lines;
    lost.erase(lost.begin() + static_cast<Index>(a));
    const auto kept = kept_runs(file.path(), joined(lost));
    CHECK((!kept || *kept == (a == 3 ? 2U : 3U)));
    CHECK(kept.has_value() == (a >= 3));
  }
}

TEST_CASE("a journal that cannot be read is no empty one") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(ExperimentJournal(folder.file(""), kHeader, kResume), IoError);
  CHECK_FALSE(ExperimentJournal::begun(folder.file("")));
  CHECK_FALSE(ExperimentJournal::begun(folder.file("none")));
  const JournalFile file;
  CHECK(ExperimentJournal::begun(file.path()));
}

TEST_CASE("only one process at a time has a journal") {
  const JournalFile file;
  const ExperimentJournal first(file.path(), kHeader, kResume);
  CHECK(refusal_of_journal(file.path(), kConfiguration, "1.0", kResume) ==
        "journal '" + file.path() + "' is in use by another process; wait for it or stop it");
}

TEST_CASE("a journal goes when its experiment is done, and when it never had a run") {
  const JournalFile file;
  {
    ExperimentJournal journal(file.path(), kHeader, kResume);
    journal.remove();
    CHECK_FALSE(std::filesystem::exists(file.path()));
  }
  { const ExperimentJournal journal(file.path(), kHeader, {}); }
  CHECK_FALSE(std::filesystem::exists(file.path()));
  CHECK_THROWS_AS(ExperimentJournal("/nowhere/journal.jsonl", kHeader, {}), IoError);
}

TEST_CASE("the journal of a shard says which one it is, and keeps descriptions beside runs") {
  const TemporaryFolder folder;
  const std::string path = folder.file("journal-2-of-3.jsonl");
  const JournalHeader header = {"1.0", kConfiguration, Shard{2, 3}};
  const DataDescription description{"toy", 2, {}, 9, {}};
  {
    ExperimentJournal journal(path, header, {});
    journal.append(description);
    journal.append(run_of_repeat(1));
  }
  const ExperimentJournal journal(path, header, kResume);
  CHECK(journal.finished().size() == 1);
  CHECK(journal.size() == 1);
  REQUIRE(journal.descriptions().size() == 1);
  CHECK(description_line(journal.descriptions()[0]) == description_line(description));
}

TEST_CASE("a shard has a journal of its own") {
  CHECK(journal_path("out") == "out/journal.jsonl");
  CHECK(journal_path("out", Shard{3, 64}) == "out/journal-3-of-64.jsonl");
}

TEST_CASE("an experiment reads its configuration, the files of options and those of its data that are there") {
  const TemporaryFolder folder;
  write_file(folder.file("a.data"), "1");
  ExperimentOptions options;
  options.configuration = "c.json";
  options.data_folder = folder.file("");
  options.options_file = "o.json";
  ExperimentSpec spec;
  spec.data.resize(1);
  TableData tables;
  tables.train.features.paths = {"a.data"};
  tables.test.labels.paths = {"missing"};
  spec.data[0].source = tables;
  const std::vector<NamedFile> inputs = data_inputs(options, spec);
  REQUIRE(inputs.size() == 1);
  CHECK(inputs[0].path == folder.file("a.data"));
}

TEST_CASE("outputs of an experiment appear together, and the folder goes where they do not") {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  {
    OutputSet set(false);
    const ExperimentOutputs outputs(set, out);
  }
  CHECK_FALSE(std::filesystem::exists(out));
  OutputSet set(false);
  ExperimentOutputs outputs(set, out);
  const ExperimentResult result = outputs.publish(test::example_experiment());
  CHECK(result.report == out + "/report.html");
  CHECK(result.json == file_content(out + "/results.json"));
  CHECK(std::filesystem::exists(out + "/results.csv"));
  OutputSet again(false);
  CHECK_THROWS_AS(ExperimentOutputs(again, out), ConfigError);
}

TEST_CASE("a journal replaces no input") {
  const TemporaryFolder folder;
  write_file(folder.file("journal.jsonl"), "{}");
  CHECK_NOTHROW(check_journal({}, folder.file("journal.jsonl")));
  CHECK(message_of([&] {
          check_journal({{"CONFIG", folder.file("journal.jsonl")}}, folder.file("journal.jsonl"));
        }).find("is the same file as CONFIG") != std::string::npos);
}

}  // namespace parsimap::test
