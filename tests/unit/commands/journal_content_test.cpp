#include "commands/journal_content.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/json/experiment_results.hpp"
#include "parsimap/json/sealed_line.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/json/toy_run.hpp"

using namespace parsimap;

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
