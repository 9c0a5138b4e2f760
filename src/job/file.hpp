// What the standard library lacks of files: every failure noticed, and content that is on the disk for certain.
#pragma once

#include <filesystem>
#include <string>

#include "parsimap/core/file.hpp"

namespace parsimap {

// Throws a filesystem_error with the reason that errno holds.
[[noreturn]] void fail_with_errno(const char* what, const std::filesystem::path& path);

// The file is new, or replaced. std::filesystem::filesystem_error, with the system's reason, such as a full disk.
void write_text(const std::filesystem::path& path, const std::string& text);

// Waits until the content of a file or folder is on the disk. std::filesystem::filesystem_error.
void sync_to_disk(const std::filesystem::path& path);

// True for a file of any kind by that name, a dangling link included. std::filesystem::filesystem_error.
bool is_there(const std::filesystem::path& path);

}  // namespace parsimap
