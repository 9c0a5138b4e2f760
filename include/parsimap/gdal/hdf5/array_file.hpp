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
#include <vector>

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
  virtual ~ArrayFile() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;  // of the file
  // The names of what a group holds, in byte order; "/" is the outermost group. Empty where there is no such group.
  [[nodiscard]] virtual std::vector<std::string> members(const std::string& group) const = 0;
  // Nothing where there is no array of that path. DataError: it is damaged, no array of real numbers, or has more
  // values than a file of this size can hold.
  [[nodiscard]] virtual std::optional<FileArray> find(const std::string& path) const = 0;
  // As find(). DataError also where there is none, with what its group holds.
  [[nodiscard]] FileArray need(const std::string& path) const;

  // Decoded chunks of `array` are kept while they take no more than `bytes` together; to be called before it is read.
  virtual void keep_decoded(const FileArray& array, std::int64_t bytes) = 0;
  // What may be kept of all arrays together.
  [[nodiscard]] virtual std::int64_t kept_bytes() const = 0;
  // The values of a box of the array, whose first index in every dimension is `start` and whose lengths are `count`,
  // the last index running fastest. DataError where they are damaged, IoError where the file cannot be read.
  virtual void read(const FileArray& array, const std::vector<std::int64_t>& start,
                    const std::vector<std::int64_t>& count, float* values) = 0;
  virtual void read(const FileArray& array, const std::vector<std::int64_t>& start,
                    const std::vector<std::int64_t>& count, double* values) = 0;
  // All values of an array of few. DataError: more than a million.
  [[nodiscard]] std::vector<double> read_all(const FileArray& array);
  // The texts of a list of texts; empty where there is no such list. DataError: damaged.
  [[nodiscard]] virtual std::vector<std::string> texts(const std::string& path) const = 0;

  // Attributes of the group or array at `path`; nothing where there is no such attribute of that kind.
  [[nodiscard]] virtual std::optional<std::vector<double>> numbers(const std::string& path,
                                                                   const std::string& attribute) const = 0;
  [[nodiscard]] virtual std::optional<std::string> text(const std::string& path,
                                                        const std::string& attribute) const = 0;

  // IoError where the file is not what it was when it was opened.
  virtual void check_unchanged() const = 0;
};

// True for what begins like an HDF5 file; false for what cannot be opened.
bool is_hdf5_file(const std::string& path);

// DataError: damaged or cut off; IoError: cannot be read.
std::unique_ptr<ArrayFile> open_array_file(const std::string& path);

}  // namespace parsimap
