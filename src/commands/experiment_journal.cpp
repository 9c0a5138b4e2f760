#include "experiment_journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/json/experiment_results.hpp"
#include "parsimap/json/sealed_line.hpp"

namespace parsimap {
namespace {

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

// What the reader of an error can do about it.
constexpr const char* kBeginAgain = "; use --overwrite without --resume to begin again, or another --output-dir";

}  // namespace

bool ExperimentJournal::begun(const std::string& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) && read_text_file(path).find('\n') != std::string::npos;
}

ExperimentJournal::ExperimentJournal(std::string path, const JournalHeader& header, const JournalUse& use)
    : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw IoError("journal '" + path_ + "' cannot be opened: " + system_message());
  }
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw ConfigError("journal '" + path_ + "' is in use by another process; wait for it or stop it");
    }
    const std::string content = content_of(file_, path_);
    if (std::count(content.begin(), content.end(), '\n') > 1 && !use.resume && !use.overwrite) {
      throw ConfigError("'" + path_ + "' is of an experiment that was not finished; use --resume to continue it or " +
                        "--overwrite to begin again");
    }
    if (use.resume && content.find('\n') != std::string::npos) {
      resume(content, header);
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

void ExperimentJournal::begin(const JournalHeader& header) {
  if (ftruncate(file_, 0) != 0 || lseek(file_, 0, SEEK_SET) < 0) {
    throw IoError("journal '" + path_ + "' cannot be written: " + system_message());
  }
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
  const auto whole = static_cast<off_t>(journal.whole);
  if (ftruncate(file_, whole) != 0 || lseek(file_, whole, SEEK_SET) < 0) {
    throw IoError("journal '" + path_ + "' cannot be written: " + system_message());
  }
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

void ExperimentJournal::append(const DataDescription& description) {
  write(sealed_line(description_line(description), checksum_));
}

void ExperimentJournal::remove() {
  unlink(path_.c_str());
  size_ = 0;
}

}  // namespace parsimap
