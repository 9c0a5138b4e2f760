// Text files as they are read whole: configurations, tables, colours.
#pragma once

#include <cstdint>
#include <string>

namespace parsimap {

// What is at `path` where it is neither a regular file nor a folder: "a named pipe", "a device" or "a socket". Empty
// otherwise, and where there is nothing. Reading such a thing may wait for ever, or never come to an end.
std::string special_file(const std::string& path);

// DataError "<path> is a named pipe; ..." for a special file. For inputs that another library opens: names that are no
// files, as its connection strings, pass.
void refuse_special_file(const std::string& path);

// The largest file that is taken for a configuration: experiments, simulations, options and colours.
inline constexpr std::uintmax_t kLargestConfiguration = std::uintmax_t{64} << 20U;

// The bytes of a regular file. DataError, which begins with `path`: it is none, cannot be read (with the system's
// reason), or has more than `largest` bytes.
std::string read_text_file(const std::string& path, std::uintmax_t largest = UINTMAX_MAX);

}  // namespace parsimap
