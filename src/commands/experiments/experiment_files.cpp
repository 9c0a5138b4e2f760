#include "experiment_files.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/report/experiment_json.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "../job_frame.hpp"
#include "experiment_data.hpp"

namespace parsimap {

using Json = nlohmann::ordered_json;

// Whole lines, with their ends.
static std::vector<std::string> lines_of(const std::string& content) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = content.find('\n'); end != std::string::npos; end = content.find('\n', start)) {
    lines.push_back(content.substr(start, end + 1 - start));
    // A last line without an end was not completed, and is not returned.
    start = end + 1;
  }
  return lines;
}

[[noreturn]] static void refuse_line(const std::string& path, std::size_t number, const std::string& reason) {
  throw DataError("journal '" + path + "' is damaged in line " + std::to_string(number) + ": " + reason);
}

static JournalHeader opened_header(const std::string& path, const std::string& line, std::string& checksum) {
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

static void add_entry(const std::string& object, JournalContent& content) {
  if (const auto description = description_from_line(object)) {
    content.descriptions.push_back(*description);
  } else {
    content.runs.push_back(run_from_line(object));
  }
}

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
  // Each line has a checksum of its own text and of the checksum of the line before, so that a line that was changed,
  // lost or moved is found. The last line may be incomplete after a kill and is then ignored; `whole` is the number of
  // bytes before it, to which the file is cut when the experiment is resumed.
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
  // The first entry of the JSON patch between both configurations names the place of the difference.
  const Json changes = Json::diff(Json::parse(begun.configuration), Json::parse(wanted.configuration));
  return changes.empty() ? "" : "with another configuration (" + changes[0]["path"].get<std::string>() + " differs)";
}

// What the reader of an error can do about it.
constexpr const char* kBeginAgain = "; use --overwrite without --resume to begin again, or another --output-dir";

bool ExperimentJournal::begun(const std::string& path) {
  return is_plain_file(path) && read_text_file(path).find('\n') != std::string::npos;
}

ExperimentJournal::ExperimentJournal(std::string path, const JournalHeader& header, const JournalUse& use)
    : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (!file_.is_open()) {
    fail("opened");
  }
  // The lock excludes a second process with the same output folder. It ends with the process, so that nothing has to
  // be removed after a kill.
  if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    throw ConfigError("journal '" + path_ + "' is in use by another process; wait for it or stop it");
  }
  // The descriptor is read, not the name: the lock belongs to the file that was opened.
  std::string content;
  if (!read_all(file_.number(), content)) {
    fail("read");
  }
  if (std::ranges::count(content, '\n') > 1 && !use.resume && !use.overwrite) {
    throw ConfigError("'" + path_ + "' is of an experiment that was not finished; use --resume to continue it or " +
                      "--overwrite to begin again");
  }
  if (use.resume && content.find('\n') != std::string::npos) {
    resume(content, header);
  } else {
    begin(header);
  }
}

ExperimentJournal::~ExperimentJournal() {
  // A journal without any run has nothing to resume.
  if (size_ == 0) {
    unlink(path_.c_str());
  }
}

void ExperimentJournal::fail(const char* what) const {
  throw IoError("journal '" + path_ + "' cannot be " + what + ": " + std::generic_category().message(errno));
}

void ExperimentJournal::cut(std::size_t size) {
  if (ftruncate(file_.number(), static_cast<off_t>(size)) != 0 || lseek(file_.number(), 0, SEEK_END) < 0) {
    fail("written");
  }
}

void ExperimentJournal::begin(const JournalHeader& header) {
  cut(0);
  write(sealed_line(header_object(header), checksum_));
}

void ExperimentJournal::resume(const std::string& content, const JournalHeader& header) {
  JournalContent journal;
  try {
    if (const std::string other = difference(journal_header(path_, content), header); !other.empty()) {
      throw ConfigError("'" + path_ + "' is of an experiment begun " + other + kBeginAgain);
    }
    journal = parse_journal(path_, content);
  } catch (const DataError& error) {
    throw DataError(error.what() + std::string(kBeginAgain));
  }
  finished_ = std::move(journal.runs);
  descriptions_ = std::move(journal.descriptions);
  checksum_ = journal.checksum;
  size_ = static_cast<Index>(finished_.size());
  // Everything behind the last valid line is cut off, and new lines are appended there.
  cut(journal.whole);
}

void ExperimentJournal::write(const std::string& text) {
  // A run may have taken hours: it counts as finished only when its line is on the disk.
  if (!write_all(file_.number(), text) || fsync(file_.number()) != 0) {
    fail("written");
  }
}

void ExperimentJournal::append(const ExperimentRun& run) {
  write(sealed_line(run_line(run), checksum_));
  ++size_;
}

void ExperimentJournal::append(const DataDescription& description) {
  write(sealed_line(description_line(description), checksum_));
}

void ExperimentJournal::remove() {
  unlink(path_.c_str());
  size_ = 0;
}

static std::string in_folder(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

std::string journal_path(const std::string& folder, const std::optional<Shard>& shard) {
  const std::string part = shard ? "-" + std::to_string(shard->number) + "-of-" + std::to_string(shard->count) : "";
  return in_folder(folder, "journal" + part + ".jsonl");
}

std::vector<NamedFile> data_inputs(const ExperimentOptions& options, const ExperimentSpec& spec) {
  std::vector<NamedFile> inputs;
  for (const DataSpec& data : spec.data) {
    for (const std::string& file : experiment_files(data, options.data_folder)) {
      inputs.push_back({"data file", file, {}});
    }
  }
  return inputs;
}

void check_journal(const std::vector<NamedFile>& inputs, const std::string& journal) {
  OutputSet only_journal(true);
  add_inputs(only_journal, inputs);
  only_journal.stage("journal", journal);
}

ExperimentOutputs::ExperimentOutputs(OutputSet& outputs, const std::string& folder) : set_(outputs) {
  set_.make_folder(folder);
  const auto stage = [&](const char* name) { return &set_.stage("output", in_folder(folder, name)); };
  report_ = stage("report.html");
  table_ = stage("results.csv");
  results_ = stage("results.json");
}

ExperimentResult ExperimentOutputs::publish(ExperimentRecord record) {
  // The page contains the same document as results.json, so that its figures can be drawn without another file.
  std::string results = results_json(record);
  write_text(*results_, results);
  write_text(*table_, experiment_csv(record));
  write_text(*report_, experiment_html(record, results));
  set_.publish();
  return {std::move(record), std::move(results), report_->target};
}

}  // namespace parsimap
