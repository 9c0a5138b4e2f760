#include "app/experiment_journal.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/io/json/experiment_results.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/io/json/toy_run.hpp"

using namespace parsimap;

namespace {

const std::string kConfiguration = R"({"title": "t", "repeats": 5})";

ExperimentRun run_of_repeat(Index repeat) {
  ExperimentRun run = toy_run();
  run.repeat = repeat;
  return run;
}

// A journal with two runs.
class JournalFile {
 public:
  JournalFile() {
    ExperimentJournal journal(path(), kConfiguration, "1.0", {});
    journal.append(run_of_repeat(0));
    journal.append(run_of_repeat(1));
  }
  [[nodiscard]] std::string path() const { return folder_.file("journal.jsonl"); }
  [[nodiscard]] std::string content() const { return file_content(path()); }

 private:
  TemporaryFolder folder_;
};

std::string refusal(const std::string& path, const std::string& configuration, const std::string& version,
                    const JournalUse& use) {
  return message_of([&] { ExperimentJournal(path, configuration, version, use); });
}

constexpr JournalUse kResume = {true, false};

}  // namespace

TEST_CASE("a journal is the configuration and then one run per line") {
  const JournalFile file;
  CHECK(file.content() == "{\"version\":\"1.0\",\"configuration\":{\"title\":\"t\",\"repeats\":5}}\n" +
                              run_line(run_of_repeat(0)) + run_line(run_of_repeat(1)));
}

TEST_CASE("a resumed journal gives its runs and takes more") {
  const JournalFile file;
  {
    ExperimentJournal journal(file.path(), kConfiguration, "1.0", kResume);
    REQUIRE(journal.finished().size() == 2);
    CHECK(run_line(journal.finished()[1]) == run_line(run_of_repeat(1)));
    journal.append(run_of_repeat(2));
    CHECK(journal.size() == 3);
  }
  CHECK(ExperimentJournal(file.path(), kConfiguration, "1.0", kResume).finished().size() == 3);
}

TEST_CASE("what a kill left of a line is dropped, wherever it was cut") {
  const JournalFile whole;
  const std::string content = whole.content();
  const std::size_t second = content.find('\n') + 1 + run_line(run_of_repeat(0)).size();
  for (const std::size_t size : {second + 1, second + 40, content.size() - 1}) {
    CAPTURE(size);
    const JournalFile file;
    write_file(file.path(), content.substr(0, size));
    {
      ExperimentJournal journal(file.path(), kConfiguration, "1.0", kResume);
      CHECK(journal.finished().size() == 1);
      journal.append(run_of_repeat(1));
    }
    CHECK(file.content() == content);
  }
}

TEST_CASE("a journal that was cut in its first line holds nothing") {
  const JournalFile file;
  write_file(file.path(), file.content().substr(0, 10));
  ExperimentJournal journal(file.path(), kConfiguration, "1.0", {});
  CHECK(journal.finished().empty());
  journal.append(run_of_repeat(0));
  CHECK(file.content().starts_with("{\"version\":\"1.0\""));
}

TEST_CASE("an unfinished experiment is neither repeated nor replaced unless asked for") {
  const JournalFile file;
  const std::string content = file.content();
  CHECK(refusal(file.path(), kConfiguration, "1.0", {}) ==
        "'" + file.path() +
            "' is of an experiment that was not finished; use --resume to continue it or --overwrite to begin again");
  CHECK_THROWS_AS(ExperimentJournal(file.path(), kConfiguration, "1.0", {}), ConfigError);
  CHECK(file.content() == content);
  ExperimentJournal journal(file.path(), kConfiguration, "1.0", {false, true});
  CHECK(journal.finished().empty());
  CHECK(file.content().find("toy") == std::string::npos);
}

TEST_CASE("another configuration or version cannot be resumed") {
  const JournalFile file;
  const std::string content = file.content();
  CHECK(refusal(file.path(), R"({"title": "t", "repeats": 6})", "1.0", kResume) ==
        "'" + file.path() +
            "' is of an experiment begun with another configuration (/repeats differs); use --overwrite without "
            "--resume to begin again, or another --output-dir");
  CHECK(refusal(file.path(), kConfiguration, "1.1", kResume).find("begun by version \"1.0\" of the program; ") !=
        std::string::npos);
  CHECK(file.content() == content);
}

TEST_CASE("a whole line that is no run is refused with its number") {
  const JournalFile file;
  write_file(file.path(), file.content() + "{\"data\": 3}\n");
  CHECK_THROWS_AS(ExperimentJournal(file.path(), kConfiguration, "1.0", kResume), DataError);
  CHECK(refusal(file.path(), kConfiguration, "1.0", kResume)
            .starts_with(file.path() + ", line 4: the line is not a run: "));
  write_file(file.path(), "something else\nentirely\n");
  CHECK(refusal(file.path(), kConfiguration, "1.0", kResume).find("begun by another program; ") != std::string::npos);
}

TEST_CASE("only one process at a time has a journal") {
  const JournalFile file;
  const ExperimentJournal first(file.path(), kConfiguration, "1.0", kResume);
  CHECK(refusal(file.path(), kConfiguration, "1.0", kResume) ==
        "journal '" + file.path() + "' is in use by another process; wait for it or stop it");
}

TEST_CASE("a journal goes when its experiment is done, and when it never had a run") {
  const JournalFile file;
  {
    ExperimentJournal journal(file.path(), kConfiguration, "1.0", kResume);
    journal.remove();
    CHECK_FALSE(std::filesystem::exists(file.path()));
  }
  { const ExperimentJournal journal(file.path(), kConfiguration, "1.0", {}); }
  CHECK_FALSE(std::filesystem::exists(file.path()));
  CHECK_THROWS_AS(ExperimentJournal("/nowhere/journal.jsonl", kConfiguration, "1.0", {}), IoError);
}
