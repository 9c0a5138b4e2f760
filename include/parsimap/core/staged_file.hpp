// A plain file that appears whole or not at all: written under a temporary name beside its target, renamed at commit().
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace parsimap {

// The checks of StagedFile without writing anything, for a command that computes long before it writes.
// ConfigError: the folder does not exist or is not writable, the target exists and `overwrite` is false, or the target
// is something else than a regular file.
void check_target(const std::string& target, bool overwrite);

class StagedFile {
 public:
  // ConfigError as check_target(); IoError when the temporary file cannot be created for another reason.
  StagedFile(std::string target, bool overwrite);
  // Removes the temporary file unless it was committed.
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // Binary. Failures are kept and reported by commit().
  [[nodiscard]] std::ostream& stream();
  // Closes the file and renames it to the target; to be called once. IoError when any write failed (a full disk), with
  // the system's message; ConfigError when a target has appeared meanwhile that must not be replaced.
  void commit();

 private:
  class Buffer;
  std::string target_;
  std::string temporary_;
  bool overwrite_;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

}  // namespace parsimap
