#include "journal_content.hpp"

#include <nlohmann/json.hpp>

#include "parsimap/core/error.hpp"
#include "parsimap/json/experiment_results.hpp"
#include "parsimap/json/sealed_line.hpp"

namespace parsimap {
namespace {

using Json = nlohmann::ordered_json;

// Whole lines, with their ends.
std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = content.find('\n'); end != std::string::npos; end = content.find('\n', start)) {
    lines.push_back(content.substr(start, end + 1 - start));
    start = end + 1;
  }
  return lines;
}

[[noreturn]] void refuse_line(const std::string& path, std::size_t number, const std::string& reason) {
  throw DataError("journal '" + path + "' is damaged in line " + std::to_string(number) + ": " + reason);
}

JournalHeader opened_header(const std::string& path, const std::string& line, std::string& checksum) {
  const std::optional<std::string> object = opened_line(line, checksum);
  if (!object) {
    refuse_line(path, 1, "it does not fit its checksum, or another version of the program wrote it");
  }
  const Json json = Json::parse(*object, nullptr, false);
  if (!json.is_object() || !json.contains("version") || !json["version"].is_string() ||
      !json.contains("configuration")) {
    refuse_line(path, 1, "it does not say of which experiment it is");
  }
  JournalHeader header{json["version"].get<std::string>(), json["configuration"].dump()};
  if (json.contains("shard") && json["shard"].is_string()) {
    header.shard = parse_shard(json["shard"].get<std::string>());
  }
  return header;
}

void add_entry(const std::string& object, JournalContent& content) {
  if (const auto description = description_from_line(object)) {
    content.descriptions.push_back(*description);
  } else {
    content.runs.push_back(run_from_line(object));
  }
}

}  // namespace

std::string header_object(const JournalHeader& header) {
  Json json = {{"version", header.version}, {"configuration", Json::parse(header.configuration)}};
  if (header.shard) {
    json["shard"] = to_string(*header.shard);
  }
  return json.dump();
}

JournalHeader journal_header(const std::string& path, const std::string& content) {
  std::string checksum;
  return opened_header(path, content.substr(0, content.find('\n') + 1), checksum);
}

JournalContent parse_journal(const std::string& path, const std::string& content) {
  const std::vector<std::string> lines = lines_of(content);
  JournalContent journal;
  journal.header = opened_header(path, lines.front(), journal.checksum);
  journal.whole = lines.front().size();
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::optional<std::string> object = opened_line(lines[i], journal.checksum);
    if (!object && i + 1 == lines.size()) {
      break;  // what a kill or a crash left of the last line
    }
    if (!object) {
      refuse_line(path, i + 1, "it does not fit its checksum or the line before");
    }
    try {
      add_entry(*object, journal);
    } catch (const DataError& error) {
      refuse_line(path, i + 1, error.what());
    }
    journal.whole += lines[i].size();
  }
  return journal;
}

std::string difference(const JournalHeader& begun, const JournalHeader& wanted) {
  if (begun.version != wanted.version) {
    return "by version \"" + begun.version + "\" of the program";
  }
  if (begun.shard != wanted.shard) {
    return begun.shard ? "as shard " + to_string(*begun.shard) : "without shards";
  }
  const nlohmann::json changes =
      nlohmann::json::diff(nlohmann::json::parse(begun.configuration), nlohmann::json::parse(wanted.configuration));
  return changes.empty() ? "" : "with another configuration (" + changes[0]["path"].get<std::string>() + " differs)";
}

}  // namespace parsimap
