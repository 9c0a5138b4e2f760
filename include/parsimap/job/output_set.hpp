// Everything that one command writes: checked before the work begins, made aside, and put in place together or not at
// all, whether the program fails, is killed, or the computer stops.
//
// Each output is written in a temporary folder beside its target. publish() moves all of them to their names; when one
// cannot be moved, those before it are taken away again and what they replaced is put back. A set that is destroyed
// before publish() leaves nothing behind. What a killed process left is repaired and removed by the next one that uses
// the same folder. Outputs are local files, not of GDAL's virtual file systems.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace parsimap {

struct StagedOutput {
  std::string role;                // as in "MAP" or "--confidence"
  std::string target;              // the name that the output is to have in the end
  std::string path;                // where it is written meanwhile; side files go beside it
  std::vector<std::string> files;  // all files that may come of it or belong to an earlier output of its name
};

class OutputSet {
 public:
  // With `overwrite` existing outputs are replaced. With `dry` outputs are only checked: nothing is made on the disk,
  // and their paths are in GDAL's memory, where formats can be tried. publish() is not to be called then.
  explicit OutputSet(bool overwrite, bool dry = false);
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  // Names a file that no output may replace. To be called for every input before stage().
  void add_input(const std::string& role, const std::string& path);

  // Makes the folder that the outputs go to where only its parent exists; it disappears again unless something is put
  // in it. ConfigError when it cannot be made.
  void make_folder(const std::string& folder);

  // Announces an output; `files` are its target, first, and its possible side files, or empty for the target alone.
  // The reference stays valid. ConfigError: one of the files is an input or belongs to another output, the target
  // exists and is not to be replaced, is no regular file or has too long a name, its folder does not exist or is not
  // writable.
  const StagedOutput& stage(const std::string& role, const std::string& target, std::vector<std::string> files = {});

  // Where the paths of a dry set are: whoever makes files there removes them.
  [[nodiscard]] std::string dry_folder() const;
  [[nodiscard]] const std::deque<StagedOutput>& staged() const { return outputs_; }

  // A new folder beside the output, for files that are needed while it is made. It goes with the set.
  std::string scratch_folder(const StagedOutput& output);

  // Moves all outputs to their names, the one that was announced first last of all: where it is, the others are.
  // IoError when one cannot be moved, or when a target has appeared meanwhile that is not to be replaced or is no
  // regular file; std::bad_alloc when memory was refused meanwhile (check_memory()). Nothing is changed then.
  void publish();

 private:
  struct Input {
    std::string role, path;
  };
  struct Staging;

  void check_inputs(const StagedOutput& output) const;
  void check_other_outputs(const StagedOutput& output) const;
  void check_existing(const StagedOutput& output) const;
  void check_file(const StagedOutput& output, const std::string& file) const;
  void check_appeared() const;
  std::string new_place(const StagedOutput& output);

  bool overwrite_;
  bool dry_;
  std::vector<Input> inputs_;
  std::deque<StagedOutput> outputs_;
  std::vector<std::string> made_folders_;
  std::unique_ptr<Staging> staging_;
};

// Puts back what a killed process had replaced in the folders of these files when it had not replaced everything, and
// removes what it left there. Returns the files that have their earlier content again. IoError: they cannot get it.
std::vector<std::string> repair_outputs(const std::vector<std::string>& files);

// Writes the whole of a text output. IoError with the system's reason, such as a full disk.
void write_text(const StagedOutput& output, const std::string& text);

// A file that several processes, also on several computers, would write alike: the first one counts.

// Writes the file where there is none by that name, and leaves one that is there. It appears whole, whatever the other
// processes do; what a killed process leaves is a hidden file beside it. IoError with the system's reason.
void write_if_absent(const std::string& path, const std::string& text);
// The same, but replaces a file that is there.
void write_anew(const std::string& path, const std::string& text);

}  // namespace parsimap
