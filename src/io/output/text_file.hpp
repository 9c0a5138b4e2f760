// Whole files of text, read and written with every failure noticed.
#pragma once

#include <filesystem>
#include <string>

namespace parsimap {

// std::filesystem::filesystem_error, also for a failure in the middle.
std::string read_text(const std::filesystem::path& path);
// The file is new, or replaced. std::filesystem::filesystem_error, with the system's reason, such as a full disk.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace parsimap
