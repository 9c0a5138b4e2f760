// Headers of ENVI spectral libraries, beside a data file that stays the same.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "parsimap/library/library_file.hpp"

#include "fuzz/library_check.hpp"
#include "fuzz/target.hpp"

namespace parsimap::fuzz {
namespace {

// A folder in memory, which goes with the program.
class LibraryFolder {
 public:
  LibraryFolder() : path_("/dev/shm/parsimap-fuzz-sli-" + std::to_string(getpid())) {
    std::filesystem::create_directory(path_);
    write("lib.sli", std::string(96, '\x3f'));
    write("lib.csv", "spectra names,class\nold oak,tree\nsand,soil\n");
  }
  ~LibraryFolder() { std::filesystem::remove_all(path_); }
  LibraryFolder(const LibraryFolder&) = delete;
  LibraryFolder& operator=(const LibraryFolder&) = delete;

  void write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << content;
  }
  [[nodiscard]] std::string library() const { return path_ + "/lib.sli"; }

 private:
  std::string path_;
};

}  // namespace

void run_input(std::string_view input) {
  static const LibraryFolder folder;
  folder.write("lib.hdr", input);
  accepted([&] { check(read_library(folder.library())); });
}

}  // namespace parsimap::fuzz
