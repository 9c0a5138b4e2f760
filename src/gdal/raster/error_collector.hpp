// What goes wrong while GDAL works, as text for the errors of this library.
#pragma once

#include <cpl_error.h>

#include <string>
#include <vector>

namespace parsimap {

// Gathers what GDAL reports on this thread while it lives, and the operations on files that fail meanwhile. Many
// drivers pass over those in silence and go on with zeros, or without what they could not write
// (gdal/raster/settings.hpp). Collectors may be nested: a report goes to the innermost one, a failed operation on a
// file to all of them.
class ErrorCollector {
 public:
  ErrorCollector();
  ~ErrorCollector();
  ErrorCollector(const ErrorCollector&) = delete;
  ErrorCollector& operator=(const ErrorCollector&) = delete;

  [[nodiscard]] bool failed() const { return !failures_.empty() || file_failed(); }
  // True when the system failed to read or write a file.
  [[nodiscard]] bool file_failed() const { return !file_failures_.empty(); }
  // True when there is anything to say.
  [[nodiscard]] bool has_text() const { return failed() || !warnings_.empty(); }
  // The failures, or the warnings when there is no failure; "GDAL gives no reason" when there is nothing.
  [[nodiscard]] std::string text() const;
  // Throws IoError "<what> <text>" when an operation on a file has failed, as in "map.tif cannot be written:".
  void check_files(const std::string& what) const;

  // Tells all collectors of this thread of an operation on a file that failed.
  static void note_file_failure(const std::string& failure);

 private:
  static void CPL_STDCALL collect(CPLErr severity, CPLErrorNum number, const char* message);

  ErrorCollector* outer_;
  std::vector<std::string> file_failures_;
  std::vector<std::string> failures_;
  std::vector<std::string> warnings_;
};

}  // namespace parsimap
