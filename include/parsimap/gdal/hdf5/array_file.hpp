// Files of named arrays in groups: HDF5 and netCDF-4, which is HDF5.
//
// GDAL's own drivers for them take no hint of how much decoded data is to be kept, and so decode the chunks of a cube
// again and again where it is read in windows. The files are therefore read by the HDF5 library, through GDAL's file
// systems (/vsizip and others).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "parsimap/gdal/raster/settings.hpp"

namespace parsimap {

// An array of real numbers.
struct FileArray {
  std::string path;                           // such as "location/glt_x"
  std::vector<std::int64_t> shape;            // the last index runs fastest
  std::vector<std::int64_t> chunk = {};       // the part that is decoded as a whole; empty where nothing is in chunks
  std::vector<std::string> dimensions = {};   // their names, as netCDF has them; empty where one of them is not named
  std::string type = {};                      // such as "Float32", in GDAL's words
  std::int64_t value_bytes = 0;               // that a value takes where it is decoded
  std::optional<double> fill = std::nullopt;  // what stands where there is no value (_FillValue)

  [[nodiscard]] std::int64_t values() const;
  // "location/glt_x (3 x 4)"
  [[nodiscard]] std::string text() const;
};

class ArrayFile {
 public:
  // DataError: damaged or cut off; IoError: cannot be read.
  explicit ArrayFile(const std::string& path);
  ~ArrayFile();
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }  // of the file
  // The names of what a group holds, in byte order; "/" is the outermost group. Empty where there is no such group.
  [[nodiscard]] std::vector<std::string> members(const std::string& group) const;
  // The array at that path, whatever it holds: its type is empty where that is no real numbers. Nothing where there is
  // no array.
  [[nodiscard]] std::optional<FileArray> describe(const std::string& path) const;
  // Nothing where there is no array of that path. DataError: it is damaged, no array of real numbers, or has more
  // values than a file of this size can hold.
  [[nodiscard]] std::optional<FileArray> find(const std::string& path) const;
  // As find(). DataError also where there is none, with what its group holds.
  [[nodiscard]] FileArray need(const std::string& path) const;
  // Whether a file of this size can hold an array of that shape.
  [[nodiscard]] bool can_hold(const std::vector<std::int64_t>& shape) const;

  // Decoded chunks of `array` are kept while they take no more than `bytes` together; to be called before it is read.
  void keep_decoded(const FileArray& array, std::int64_t bytes);
  // What may be kept of all arrays together.
  [[nodiscard]] std::int64_t kept_bytes() const { return kept_bytes_; }
  // The values of a box of the array as float or double. Its first index in every dimension is `start` and its lengths
  // are `count`, the last index running fastest. DataError where they are damaged, IoError where the file cannot be
  // read.
  template <typename Number>
  void read(const FileArray& array, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
            Number* values) {
    read_box(array, start, count, std::is_same_v<Number, double>, values);
  }
  // All values of an array of few. DataError: more than a million.
  [[nodiscard]] std::vector<double> read_all(const FileArray& array);
  // The texts of a list of texts; empty where there is no such list. DataError: damaged.
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;

  // Attributes of the group or array at `path`; nothing where there is no such attribute of that kind.
  [[nodiscard]] std::optional<std::vector<double>> numbers(const std::string& path, const std::string& attribute) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& path, const std::string& attribute) const;

  // IoError where the file is not what it was when it was opened.
  void check_unchanged() const { stamps_.check_unchanged(); }

 private:
  struct Handles;
  void read_box(const FileArray& array, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
                bool in_double, void* values);

  std::string name_;
  FileStamps stamps_;
  std::int64_t bytes_ = 0;
  std::int64_t kept_bytes_ = 0;
  std::unique_ptr<Handles> handles_;
};

// True for what begins like an HDF5 file; false for what cannot be opened.
bool is_hdf5_file(const std::string& path);

}  // namespace parsimap
