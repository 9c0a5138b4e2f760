// The three kinds of failure a user can cause or meet. The text is one sentence for the user: it names the file, field
// or band, the value, and the rule it breaks. Numerical non-success is not an error but a stop reason in a result.
#pragma once

#include <stdexcept>
#include <string>

namespace parsimap {

// Wrong usage or configuration: an option, its value, or a combination of options (exit code 2).
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Input data that cannot be used: missing, unreadable, or against a rule (exit code 3).
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A failure while running that neither the options nor the data explain, such as a full disk (exit code 1).
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What `work` returns. The place is put in front of the text of its errors of this type.
template <typename Error, typename Work>
auto naming(const std::string& place, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(place + error.what());
  }
}

}  // namespace parsimap
