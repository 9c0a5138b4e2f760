// Putting many files in place together, whatever happens on the way: an error, a kill, or the end of the machine.
//
// Before the first file moves, a record of all moves is on the disk. As long as it is there, the moves can be taken
// back from it, by this process when one of them fails, and by a later one when this process was killed. Removing the
// record is what makes the new files the valid ones.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "staging_folder.hpp"

namespace parsimap {

// Absolute paths.
struct FileMove {
  std::filesystem::path staged;  // the new file; empty where there is none and the target is only taken away
  std::filesystem::path target;
  std::filesystem::path kept;  // where an earlier file of the target's name is kept meanwhile, in a staging folder
  bool replaces = false;       // whether there is such an earlier file
};

// Moves all files, in their order. The record goes to the first of the folders; the others, in which there are staged
// or kept files too, point to it. std::filesystem::filesystem_error, whose first path is a target where the failure has
// to do with one: all is as it was before. When that cannot be had at once, the folders stay, and repair() takes the
// moves back later.
void publish_files(const std::vector<FileMove>& moves, std::deque<StagingFolder>& folders);

// Takes back the moves of killed processes of this user that have left staging folders in `parent`, and removes these
// folders. Returns the targets that have their earlier content again. std::filesystem::filesystem_error: a record is
// there, but its moves cannot be taken back.
std::vector<std::filesystem::path> repair(const std::filesystem::path& parent);

// Keeps other processes that do the same from publishing into these folders, where the file system has locks, until the
// result is destroyed.
std::vector<FileDescriptor> lock_folders(std::vector<std::filesystem::path> folders);

}  // namespace parsimap
