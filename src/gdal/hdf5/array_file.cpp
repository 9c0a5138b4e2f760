#include "parsimap/gdal/hdf5/array_file.hpp"

#include <cpl_vsi.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "../raster/dataset.hpp"
#include "hdf5_driver.hpp"

namespace parsimap {
namespace {

// Bounds of what is read. Lengths are those that GDAL's rasters can have. Lists, such as wavelengths or times, and
// texts are read at once, so that sizes in a damaged file must not lead to large requests for memory.
constexpr int kMostDimensions = 8;
constexpr std::int64_t kLargestLength = std::numeric_limits<int>::max();
constexpr std::int64_t kMostListed = 1000000;
constexpr std::size_t kMostText = std::size_t{1} << 20;
// A value takes a byte at least, and zlib makes at most 1032 bytes of one ("Maximum Compression Factor" of its manual).
constexpr double kLargestRatio = 1032;
// Parts of an array that were never written are not in the file, so that a small file may hold so many values.
constexpr double kUnwrittenValues = 1 << 24;
// Slots of the chunk cache of an array: a prime number, far larger than the number of chunks kept.
constexpr std::size_t kCacheSlots = 12421;

const std::string kSignature = "\x89HDF\r\n\x1a\n";

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The names that GDAL gives to types of numbers, such as Byte, UInt16 and Float32.
std::string type_name(hid_t type) {
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  if (H5Tget_class(type) == H5T_FLOAT) {
    return "Float" + bits;
  }
  if (bits == "8" && H5Tget_sign(type) == H5T_SGN_NONE) {
    return "Byte";
  }
  return (H5Tget_sign(type) == H5T_SGN_NONE ? "UInt" : "Int") + bits;
}

bool holds_numbers(hid_t type) {
  return type >= 0 && (H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER);
}

std::int64_t points_of(hid_t space) {
  const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  return points < 0 ? -1 : static_cast<std::int64_t>(points);
}

// A text of fixed length ends at its first zero.
std::string fixed_text(const char* first, std::size_t length) {
  const std::string_view text(first, length);
  return std::string(trimmed(text.substr(0, text.find('\0'))));
}

// `count` texts, read by read(type, memory).
template <typename Read>
std::optional<std::vector<std::string>> texts_of(hid_t type, hid_t space, std::int64_t count, const Read& read) {
  std::vector<std::string> texts;
  if (H5Tis_variable_str(type) > 0) {
    // Texts of variable length are pointers. The library allocates the texts, which are copied here and given back to
    // it. The type in memory needs the character set of the type in the file, since the library does not convert one to
    // the other.
    const Hdf5Id memory(H5Tcopy(H5T_C_S1));
    H5Tset_size(memory.get(), H5T_VARIABLE);
    H5Tset_cset(memory.get(), H5Tget_cset(type));
    std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
    if (read(memory.get(), pointers.data()) < 0) {
      return std::nullopt;
    }
    for (const char* text : pointers) {
      texts.emplace_back(text == nullptr ? "" : trimmed(text));
    }
    H5Dvlen_reclaim(memory.get(), space, H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t length = H5Tget_size(type);
  if (length == 0 || length > kMostText / static_cast<std::size_t>(std::max<std::int64_t>(count, 1))) {
    return std::nullopt;
  }
  std::vector<char> bytes(length * static_cast<std::size_t>(count));
  if (read(type, bytes.data()) < 0) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    texts.push_back(fixed_text(bytes.data() + i * length, length));
  }
  return texts;
}

herr_t add_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

class Hdf5ArrayFile final : public ArrayFile {
 public:
  explicit Hdf5ArrayFile(const std::string& path) : name_(path), stamps_({path}) {
    const ErrorCollector errors;
    VSIStatBufL status;
    bytes_ = VSIStatL(path.c_str(), &status) == 0 ? static_cast<std::int64_t>(status.st_size) : 0;
    file_ = open_hdf5(path);
    errors.check_files(path + " cannot be opened:");
    if (!file_.valid()) {
      throw DataError(path + " is an HDF5 file that is damaged or cut off");
    }
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::int64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::vector<std::string> members(const std::string& group) const override;
  [[nodiscard]] std::optional<FileArray> find(const std::string& path) const override;
  void keep_decoded(const FileArray& array, std::int64_t bytes) override;
  [[nodiscard]] std::int64_t kept_bytes() const override { return kept_bytes_; }
  void read(const FileArray& array, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
            float* values) override {
    read_box(array, start, count, H5T_NATIVE_FLOAT, values);
  }
  void read(const FileArray& array, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
            double* values) override {
    read_box(array, start, count, H5T_NATIVE_DOUBLE, values);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const override;
  [[nodiscard]] std::optional<std::vector<double>> numbers(const std::string& path,
                                                           const std::string& attribute) const override;
  [[nodiscard]] std::optional<std::string> text(const std::string& path, const std::string& attribute) const override;
  void check_unchanged() const override { stamps_.check_unchanged(); }

 private:
  [[nodiscard]] bool exists(const std::string& path) const;
  [[nodiscard]] Hdf5Id open_attribute(const std::string& path, const std::string& attribute) const;
  [[nodiscard]] std::vector<std::string> dimension_names(hid_t dataset, std::size_t rank) const;
  void read_box(const FileArray& array, const std::vector<std::int64_t>& start, const std::vector<std::int64_t>& count,
                hid_t type, void* values);
  hid_t opened(const FileArray& array);
  [[noreturn]] void refuse(const std::string& path, const std::string& reason) const {
    throw DataError(name_ + ": " + path + " " + reason);
  }

  std::string name_;
  FileStamps stamps_;
  std::int64_t bytes_ = 0;
  Hdf5Id file_;
  std::map<std::string, Hdf5Id> datasets_;  // those that are read, after the file: they are closed before it
  std::int64_t kept_bytes_ = 0;
};

// The library looks no further than one link at a time.
// H5Lexists() fails for a path whose groups do not all exist. Therefore every beginning of the path that ends at a
// slash is looked up first, the shortest first. "/" itself always exists.
bool Hdf5ArrayFile::exists(const std::string& path) const {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (part != "/" && !part.empty() && H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT) <= 0) {
      return false;
    }
    if (end == std::string::npos) {
      return true;
    }
  }
}

std::vector<std::string> Hdf5ArrayFile::members(const std::string& group) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  std::vector<std::string> names;
  const Hdf5Id opened(exists(group) ? H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT) : H5I_INVALID_HID);
  if (opened.valid()) {
    H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names);
  }
  errors.check_files(name_ + " cannot be read:");
  return names;
}

std::optional<FileArray> Hdf5ArrayFile::find(const std::string& path) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  if (!exists(path)) {
    errors.check_files(name_ + " cannot be read:");
    return std::nullopt;
  }
  const Hdf5Id dataset(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT));
  errors.check_files(name_ + " cannot be read:");
  if (!dataset.valid()) {
    refuse(path, "is damaged, or no array");
  }
  const Hdf5Id type(H5Dget_type(dataset.get()));
  const Hdf5Id space(H5Dget_space(dataset.get()));
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (!holds_numbers(type.get()) || rank < 0 || rank > kMostDimensions) {
    refuse(path, "is no array of real numbers");
  }
  // The shape is compared with the size of the file before anything is allocated for it: see kLargestRatio.
  std::array<hsize_t, kMostDimensions> lengths{};
  H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);
  FileArray array{path, {}, {}, {}, type_name(type.get()), static_cast<std::int64_t>(H5Tget_size(type.get()))};
  // In double precision, in which the product of up to eight lengths cannot overflow.
  double values = 1;
  for (int i = 0; i < rank; ++i) {
    if (lengths.at(static_cast<std::size_t>(i)) > static_cast<hsize_t>(kLargestLength)) {
      refuse(path, "is damaged: one of its lengths is " + std::to_string(lengths.at(static_cast<std::size_t>(i))));
    }
    array.shape.push_back(static_cast<std::int64_t>(lengths.at(static_cast<std::size_t>(i))));
    values *= static_cast<double>(array.shape.back());
  }
  if (values > std::max(static_cast<double>(bytes_) * kLargestRatio, kUnwrittenValues)) {
    throw DataError(name_ + ": the size of " + array.text() + " is wrong: a file of " + std::to_string(bytes_) +
                    " bytes cannot hold so many values");
  }
  // The layout says how the values are stored. A chunk is decoded as a whole, which readers of windows have to know.
  const Hdf5Id layout(H5Dget_create_plist(dataset.get()));
  // Arrays in one piece have no chunk: parts of them are read as they are.
  std::array<hsize_t, kMostDimensions> chunk{};
  if (layout.valid() && H5Pget_layout(layout.get()) == H5D_CHUNKED &&
      H5Pget_chunk(layout.get(), kMostDimensions, chunk.data()) == rank) {
    array.chunk.assign(chunk.begin(), chunk.begin() + rank);
  }
  array.dimensions = dimension_names(dataset.get(), array.shape.size());
  if (const auto fill = numbers(path, "_FillValue"); fill && fill->size() == 1) {
    array.fill = fill->front();
  }
  errors.check_files(name_ + " cannot be read:");
  return array;
}

// netCDF gives an array a list of references to the dimensions, which are objects with a name.
std::vector<std::string> Hdf5ArrayFile::dimension_names(hid_t dataset, std::size_t rank) const {
  std::vector<std::string> names;
  const Hdf5Id attribute(H5Aexists(dataset, "DIMENSION_LIST") > 0 ? H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT)
                                                                  : H5I_INVALID_HID);
  const Hdf5Id space(attribute.valid() ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
  const Hdf5Id stored(attribute.valid() ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
  if (rank == 0 || points_of(space.get()) != static_cast<std::int64_t>(rank) || !stored.valid() ||
      H5Tget_class(stored.get()) != H5T_VLEN) {
    return names;
  }
  // The attribute is one list for each dimension of the array (a dimension may have several scales), and must consist
  // of references to objects.
  const Hdf5Id base(H5Tget_super(stored.get()));
  if (!base.valid() || H5Tequal(base.get(), H5T_STD_REF_OBJ) <= 0) {
    return names;
  }
  // The library allocates a list of references for each dimension, which is given back at the end. The first reference
  // of each leads to the object that has the name.
  std::vector<hvl_t> lists(rank, hvl_t{0, nullptr});
  const Hdf5Id memory(H5Tvlen_create(H5T_STD_REF_OBJ));
  if (H5Aread(attribute.get(), memory.get(), lists.data()) < 0) {
    return names;
  }
  for (const hvl_t& list : lists) {
    const Hdf5Id scale(list.len > 0 ? H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, list.p) : H5I_INVALID_HID);
    std::array<char, 256> name{};
    if (scale.valid() && H5Iget_name(scale.get(), name.data(), name.size()) > 0) {
      names.push_back(last_part(name.data()));
    }
  }
  H5Dvlen_reclaim(memory.get(), space.get(), H5P_DEFAULT, lists.data());
  return names.size() == rank ? names : std::vector<std::string>();
}

// A chunk is decompressed as a whole, even if a window needs a part of it. With a cache of `bytes`, chunks that several
// windows share are decompressed once. The size of the cache can only be given when an array is opened.
void Hdf5ArrayFile::keep_decoded(const FileArray& array, std::int64_t bytes) {
  const QuietHdf5 quiet;
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.get(), kCacheSlots, static_cast<std::size_t>(bytes), H5D_CHUNK_CACHE_W0_DEFAULT);
  datasets_[array.path] = Hdf5Id(H5Dopen2(file_.get(), array.path.c_str(), access.get()));
  kept_bytes_ += bytes;
}

// Arrays stay open, because the decoded chunks are lost when an array is closed.
hid_t Hdf5ArrayFile::opened(const FileArray& array) {
  const auto found = datasets_.find(array.path);
  if (found != datasets_.end()) {
    return found->second.get();
  }
  return (datasets_[array.path] = Hdf5Id(H5Dopen2(file_.get(), array.path.c_str(), H5P_DEFAULT))).get();
}

void Hdf5ArrayFile::read_box(const FileArray& array, const std::vector<std::int64_t>& start,
                             const std::vector<std::int64_t>& count, hid_t type, void* values) {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  // The box [start, start + count) in the dimensions of the array; values come in row-major order.
  const std::vector<hsize_t> first(start.begin(), start.end());
  const std::vector<hsize_t> lengths(count.begin(), count.end());
  const auto rank = static_cast<int>(array.shape.size());
  const hid_t dataset = opened(array);
  const Hdf5Id stored(dataset >= 0 ? H5Dget_space(dataset) : H5I_INVALID_HID);
  // An array without dimensions is a single number, in which no box can be selected.
  const Hdf5Id memory(rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, lengths.data(), nullptr));
  // The box is chosen in the space of the file, and read into one that is as large as the box.
  const bool chosen = stored.valid() && memory.valid() &&
                      (rank == 0 || H5Sselect_hyperslab(stored.get(), H5S_SELECT_SET, first.data(), nullptr,
                                                        lengths.data(), nullptr) >= 0);
  // The library converts the stored numbers to `type`, and gives the fill value for parts that were never written.
  const bool done = chosen && H5Dread(dataset, type, memory.get(), stored.get(), H5P_DEFAULT, values) >= 0;
  errors.check_files(name_ + " cannot be read:");
  if (!done) {
    refuse(array.text(), "is damaged: its values cannot be read");
  }
}

// Empty where there is no array of texts; an array that exists and cannot be read is an error.
std::vector<std::string> Hdf5ArrayFile::texts(const std::string& path) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  const Hdf5Id dataset(exists(path) ? H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT) : H5I_INVALID_HID);
  const Hdf5Id type(dataset.valid() ? H5Dget_type(dataset.get()) : H5I_INVALID_HID);
  const Hdf5Id space(dataset.valid() ? H5Dget_space(dataset.get()) : H5I_INVALID_HID);
  const std::int64_t count = points_of(space.get());
  errors.check_files(name_ + " cannot be read:");
  if (!type.valid() || H5Tget_class(type.get()) != H5T_STRING || count < 0 || count > kMostListed) {
    return {};
  }
  const auto texts = texts_of(type.get(), space.get(), count, [&](hid_t memory, void* values) {
    return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  });
  errors.check_files(name_ + " cannot be read:");
  if (!texts) {
    refuse(path, "is damaged: its texts cannot be read");
  }
  return *texts;
}

Hdf5Id Hdf5ArrayFile::open_attribute(const std::string& path, const std::string& attribute) const {
  if (!exists(path) || H5Aexists_by_name(file_.get(), path.c_str(), attribute.c_str(), H5P_DEFAULT) <= 0) {
    return Hdf5Id();
  }
  return Hdf5Id(H5Aopen_by_name(file_.get(), path.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

// Nothing where there is no such attribute of numbers; one that exists and cannot be read is an error.
std::optional<std::vector<double>> Hdf5ArrayFile::numbers(const std::string& path, const std::string& attribute) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  const Hdf5Id opened = open_attribute(path, attribute);
  const Hdf5Id type(opened.valid() ? H5Aget_type(opened.get()) : H5I_INVALID_HID);
  const Hdf5Id space(opened.valid() ? H5Aget_space(opened.get()) : H5I_INVALID_HID);
  const std::int64_t count = points_of(space.get());
  errors.check_files(name_ + " cannot be read:");
  if (!holds_numbers(type.get()) || count < 0 || count > kMostListed) {
    return std::nullopt;
  }
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count > 0 && H5Aread(opened.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) {
    errors.check_files(name_ + " cannot be read:");
    refuse("the attribute " + attribute + " of " + path, "is damaged");
  }
  return values;
}

std::optional<std::string> Hdf5ArrayFile::text(const std::string& path, const std::string& attribute) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  const Hdf5Id opened = open_attribute(path, attribute);
  const Hdf5Id type(opened.valid() ? H5Aget_type(opened.get()) : H5I_INVALID_HID);
  const Hdf5Id space(opened.valid() ? H5Aget_space(opened.get()) : H5I_INVALID_HID);
  errors.check_files(name_ + " cannot be read:");
  if (!type.valid() || H5Tget_class(type.get()) != H5T_STRING || points_of(space.get()) != 1) {
    return std::nullopt;
  }
  const auto texts = texts_of(type.get(), space.get(), 1,
                              [&](hid_t memory, void* values) { return H5Aread(opened.get(), memory, values); });
  errors.check_files(name_ + " cannot be read:");
  if (!texts) {
    refuse("the attribute " + attribute + " of " + path, "is damaged");
  }
  return texts->front();
}

}  // namespace

std::int64_t FileArray::values() const {
  // Cannot overflow for an array of find(), whose number of values was compared with the size of the file.
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string FileArray::text() const {
  const std::string lengths = separated(shape, " x ", [](std::int64_t length) { return std::to_string(length); });
  return path + " (" + (lengths.empty() ? "one number" : lengths) + ")";
}

FileArray ArrayFile::need(const std::string& path) const {
  if (std::optional<FileArray> found = find(path)) {
    return *std::move(found);
  }
  // The message lists the members of the group in which the array was expected.
  const std::string group = path.find('/', 1) == std::string::npos ? "/" : path.substr(0, path.rfind('/'));
  const std::string list = separated(members(group), ", ");
  throw DataError(name() + " has no array " + path + "; " + (group == "/" ? "it" : "its group " + group) + " holds " +
                  (list.empty() ? "nothing" : list));
}

std::vector<double> ArrayFile::read_all(const FileArray& array) {
  const std::int64_t count = array.values();
  if (count > kMostListed) {
    throw DataError(name() + ": " + array.text() + " has more than " + std::to_string(kMostListed) + " values");
  }
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count > 0) {
    read(array, std::vector<std::int64_t>(array.shape.size(), 0), array.shape, values.data());
  }
  return values;
}

bool is_hdf5_file(const std::string& path) {
  initialise_gdal();
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) != 0 || !VSI_ISREG(status.st_mode)) {
    return false;
  }
  const ErrorCollector errors;
  VSILFILE* file = VSIFOpenL(path.c_str(), "rb");
  if (file == nullptr) {
    return false;
  }
  // The signature may also follow a user block of 512 bytes or more, as in MATLAB files of version 7.3. Such files are
  // not taken for plain HDF5.
  std::string bytes(kSignature.size(), '\0');
  bytes.resize(VSIFReadL(bytes.data(), 1, bytes.size(), file));
  VSIFCloseL(file);
  errors.check_files(path + " cannot be read:");
  return bytes == kSignature;
}

std::unique_ptr<ArrayFile> open_array_file(const std::string& path) {
  initialise_gdal();
  return std::make_unique<Hdf5ArrayFile>(path);
}

}  // namespace parsimap
