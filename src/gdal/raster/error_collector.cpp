#include "error_collector.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {
namespace {

// A broken disk gives the same message for every block.
constexpr std::size_t kKeptMessages = 3;

thread_local ErrorCollector* innermost = nullptr;

// The first messages are kept, each once: they are nearest to the cause.
void keep(std::vector<std::string>& list, const std::string& message) {
  if (list.size() < kKeptMessages && std::ranges::find(list, message) == list.end()) {
    list.push_back(message);
  }
}

}  // namespace

ErrorCollector::ErrorCollector() : outer_(innermost) {
  innermost = this;
  CPLErrorReset();
  // Handlers form a stack for each thread, as collectors do: messages go to the innermost one. Debug messages go
  // elsewhere.
  CPLPushErrorHandlerEx(&ErrorCollector::collect, this);
  CPLSetCurrentErrorHandlerCatchDebug(FALSE);
}

ErrorCollector::~ErrorCollector() {
  CPLPopErrorHandler();
  innermost = outer_;
}

void CPL_STDCALL ErrorCollector::collect(CPLErr severity, CPLErrorNum, const char* message) {
  auto* self = static_cast<ErrorCollector*>(CPLGetErrorHandlerUserData());
  keep(severity >= CE_Failure ? self->failures_ : self->warnings_, message);
}

// A failure of a file concerns every collector of the thread. An inner one may belong to an attempt whose outcome is
// ignored; the file is damaged for the outer ones all the same.
void ErrorCollector::note_file_failure(const std::string& failure) {
  for (ErrorCollector* collector = innermost; collector != nullptr; collector = collector->outer_) {
    keep(collector->file_failures_, failure);
  }
}

std::string ErrorCollector::text() const {
  std::vector<std::string> messages = file_failures_;
  // Warnings serve as the reason where GDAL reported no error.
  add_all(messages, failed() ? failures_ : warnings_);
  const std::string text = separated(messages, "; ");
  return text.empty() ? "GDAL gives no reason" : text;
}

void ErrorCollector::check_files(const std::string& what) const {
  if (file_failed()) {
    throw IoError(what + " " + text());
  }
}

}  // namespace parsimap
