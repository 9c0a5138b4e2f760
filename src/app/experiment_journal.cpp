#include "experiment_journal.hpp"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/io/json/experiment_results.hpp"
#include "parsimap/io/json/sealed_line.hpp"

namespace parsimap {
namespace {

using Json = nlohmann::ordered_json;

std::string header_object(const std::string& configuration, const std::string& version) {
  return Json{{"version", version}, {"configuration", Json::parse(configuration)}}.dump();
}

std::string system_message() { return std::generic_category().message(errno); }

std::string content_of(int file, const std::string& path) {
  std::string content;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(file, buffer, sizeof buffer);
    if (count == 0) {
      return content;
    }
    if (count > 0) {
      content.append(buffer, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw IoError("journal '" + path + "' cannot be read: " + system_message());
    }
  }
}

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

// How the experiment of a journal's first line was begun, empty when it is this one.
std::string difference(const std::string& begun, const std::string& wanted) {
  const nlohmann::json was = nlohmann::json::parse(begun, nullptr, false);
  const nlohmann::json is = nlohmann::json::parse(wanted);
  if (!was.is_object() || !was.contains("version") || !was.contains("configuration")) {
    return "by another program";
  }
  if (was["version"] != is["version"]) {
    return "by version " + was["version"].dump() + " of the program";
  }
  const nlohmann::json changes = nlohmann::json::diff(was["configuration"], is["configuration"]);
  return changes.empty() ? "" : "with another configuration (" + changes[0]["path"].get<std::string>() + " differs)";
}

}  // namespace

bool ExperimentJournal::begun(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) && read_text_file(path).find('\n') != std::string::npos;
}

ExperimentJournal::ExperimentJournal(std::string path, const std::string& configuration, const std::string& version,
                                     const JournalUse& use)
    : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw IoError("journal '" + path_ + "' cannot be opened: " + system_message());
  }
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw ConfigError("journal '" + path_ + "' is in use by another process; wait for it or stop it");
    }
    const std::vector<std::string> lines = lines_of(content_of(file_, path_));
    if (lines.size() > 1 && !use.resume && !use.overwrite) {
      throw ConfigError("'" + path_ + "' is of an experiment that was not finished; use --resume to continue it or " +
                        "--overwrite to begin again");
    }
    const std::string header = header_object(configuration, version);
    if (!lines.empty() && use.resume) {
      resume(lines, header);
    } else {
      begin(header);
    }
  } catch (...) {
    close(file_);
    throw;
  }
}

ExperimentJournal::~ExperimentJournal() {
  if (size_ == 0) {
    unlink(path_.c_str());
  }
  close(file_);
}

void ExperimentJournal::begin(const std::string& header) {
  if (ftruncate(file_, 0) != 0 || lseek(file_, 0, SEEK_SET) < 0) {
    throw IoError("journal '" + path_ + "' cannot be written: " + system_message());
  }
  write(sealed_line(header, checksum_));
}

void ExperimentJournal::resume(const std::vector<std::string>& lines, const std::string& header) {
  const std::optional<std::string> begun = opened_line(lines.front(), checksum_);
  if (!begun) {
    refuse_line(1, "it does not fit its checksum, or another version of the program wrote it");
  }
  if (const std::string other = difference(*begun, header); !other.empty()) {
    throw ConfigError("'" + path_ + "' is of an experiment begun " + other +
                      "; use --overwrite without --resume to begin again, or another --output-dir");
  }
  auto whole = static_cast<off_t>(lines.front().size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::optional<std::string> run = opened_line(lines[i], checksum_);
    if (!run && i + 1 == lines.size()) {
      break;  // what a kill or a crash left of the last line
    }
    if (!run) {
      refuse_line(i + 1, "it does not fit its checksum or the line before");
    }
    try {
      finished_.push_back(run_from_line(*run));
    } catch (const DataError& error) {
      refuse_line(i + 1, error.what());
    }
    whole += static_cast<off_t>(lines[i].size());
  }
  size_ = static_cast<Index>(finished_.size());
  if (ftruncate(file_, whole) != 0 || lseek(file_, whole, SEEK_SET) < 0) {
    throw IoError("journal '" + path_ + "' cannot be written: " + system_message());
  }
}

void ExperimentJournal::refuse_line(std::size_t number, const std::string& reason) const {
  throw DataError("journal '" + path_ + "' is damaged in line " + std::to_string(number) + ": " + reason +
                  "; use --overwrite without --resume to begin again, or another --output-dir");
}

void ExperimentJournal::write(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file_, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) {
      throw IoError("journal '" + path_ + "' cannot be written: " + system_message());
    }
    done += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  if (fsync(file_) != 0) {
    throw IoError("journal '" + path_ + "' cannot be written: " + system_message());
  }
}

void ExperimentJournal::append(const ExperimentRun& run) {
  write(sealed_line(run_line(run), checksum_));
  ++size_;
}

void ExperimentJournal::remove() {
  unlink(path_.c_str());
  size_ = 0;
}

}  // namespace parsimap
