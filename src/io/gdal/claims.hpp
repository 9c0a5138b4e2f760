// The pixels that the features of one or several files claim for their classes, and how the claims are settled.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap::gdal {

class Claims {
 public:
  // Classes are named by text, or given by their codes.
  explicit Claims(bool text) : text_(text) {}

  // Features that come now are of another file: their regions follow those of the files before.
  void begin_file();

  // The key of a class: the code itself, or one that stands for the text.
  int key_of(const std::string& text);
  // A class that lies on the grid, even if it gets no pixel.
  void add_class(int key) { keys_.insert(key); }
  // `region` is the number, >= 0, of a feature or of one of its parts in the file.
  void add(const std::vector<std::int64_t>& pixels, int key, std::int64_t region);
  // Puts a region into the group of this name; groups may reach over files.
  void add_to_group(std::int64_t region, const std::string& group);
  [[nodiscard]] bool empty() const { return claims_.empty(); }

  // The classes on the grid and their pixels: one that two classes claim is dropped and counted, one that a class
  // claims twice belongs to the first region. `outside` is not filled. DataError with more than 65535 texts.
  [[nodiscard]] LabelledPixels settle();

 private:
  struct Claim {
    std::int64_t pixel;
    int key;
    std::int64_t region;
  };

  // Fills the class table, and returns the index of each key in it.
  std::map<int, int> build_classes(ClassTable& classes) const;

  bool text_;
  std::map<std::string, int> text_keys_;          // key of every text class, by first appearance
  std::map<std::string, std::int64_t> group_of_;  // number of every group, < 0
  std::map<std::int64_t, std::int64_t> region_groups_;
  std::set<int> keys_;  // every class on the grid
  std::vector<Claim> claims_;
  std::int64_t first_region_ = 0;  // what the file's regions are counted from
  std::int64_t next_region_ = 0;
};

}  // namespace parsimap::gdal
