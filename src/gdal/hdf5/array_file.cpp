#include "parsimap/gdal/hdf5/array_file.hpp"

#include <cpl_vsi.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

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
    // A text of fixed length ends at its first zero.
    const std::string_view text(bytes.data() + i * length, length);
    texts.emplace_back(trimmed(text.substr(0, text.find('\0'))));
  }
  return texts;
}

herr_t add_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

[[noreturn]] void refuse(const ArrayFile& file, const std::string& path, const std::string& reason) {
  throw DataError(file.name() + ": " + path + " " + reason);
}

// netCDF gives an array a list of references to the dimensions, which are objects with a name.
std::vector<std::string> dimension_names(hid_t dataset, std::size_t rank) {
  std::vector<std::string> names;
  const Hdf5Id attribute(H5Aexists(dataset, "DIMENSION_LIST") > 0 ? H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT)
                                                                  : H5I_INVALID_HID);
  const Hdf5Id space(attribute.valid() ? H5Aget_space(attribute.get()) : H5I_INVALID_HID);
  const Hdf5Id stored(attribute.valid() ? H5Aget_type(attribute.get()) : H5I_INVALID_HID);
  if (rank == 0 || (space.valid() ? H5Sget_simple_extent_npoints(space.get()) : -1) != static_cast<hssize_t>(rank) ||
      !stored.valid() || H5Tget_class(stored.get()) != H5T_VLEN) {
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
      const std::string_view path = name.data();
      names.emplace_back(path.substr(path.rfind('/') + 1));
    }
  }
  H5Dvlen_reclaim(memory.get(), space.get(), H5P_DEFAULT, lists.data());
  return names.size() == rank ? names : std::vector<std::string>();
}

// An attribute or an array with what it holds; invalid where there is none.
struct Held {
  Hdf5Id id;
  Hdf5Id type;
  Hdf5Id space;

  [[nodiscard]] std::int64_t points() const {
    const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.get()) : -1;
    return count < 0 ? -1 : static_cast<std::int64_t>(count);
  }
  [[nodiscard]] bool has_texts() const {
    return type.valid() && H5Tget_class(type.get()) == H5T_STRING && points() >= 0 && points() <= kMostListed;
  }
};

}  // namespace

struct ArrayFile::Handles {
  // H5Lexists() looks no further than one link at a time, and fails for a path whose groups do not all exist. Therefore
  // every beginning of the path that ends at a slash is looked up first, the shortest first. "/" itself always exists.
  [[nodiscard]] bool exists(const std::string& path) const {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      const std::string part = path.substr(0, end);
      if (part != "/" && !part.empty() && H5Lexists(file.get(), part.c_str(), H5P_DEFAULT) <= 0) {
        return false;
      }
      if (end == std::string::npos) {
        return true;
      }
    }
  }
  [[nodiscard]] Held array(const std::string& path) const {
    return held(exists(path) ? H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT) : H5I_INVALID_HID, H5Dget_type,
                H5Dget_space);
  }
  [[nodiscard]] Held attribute(const std::string& path, const std::string& name) const {
    const bool there = exists(path) && H5Aexists_by_name(file.get(), path.c_str(), name.c_str(), H5P_DEFAULT) > 0;
    return held(
        there ? H5Aopen_by_name(file.get(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID,
        H5Aget_type, H5Aget_space);
  }
  static Held held(hid_t id, hid_t (*type_of)(hid_t), hid_t (*space_of)(hid_t)) {
    const bool there = H5Iis_valid(id) > 0;
    return {Hdf5Id(id), Hdf5Id(there ? type_of(id) : H5I_INVALID_HID), Hdf5Id(there ? space_of(id) : H5I_INVALID_HID)};
  }

  Hdf5Id file;
  // Those that are read stay open, because the decoded chunks are lost when an array is closed. They come after the
  // file: they are closed before it.
  std::map<std::string, Hdf5Id> datasets = {};
};

ArrayFile::ArrayFile(const std::string& path) : name_(path), stamps_({path}) {
  initialise_gdal();
  const ErrorCollector errors;
  VSIStatBufL status;
  bytes_ = VSIStatL(path.c_str(), &status) == 0 ? static_cast<std::int64_t>(status.st_size) : 0;
  handles_ = std::make_unique<Handles>(Handles{open_hdf5(path)});
  errors.check_files(path + " cannot be opened:");
  if (!handles_->file.valid()) {
    throw DataError(path + " is an HDF5 file that is damaged or cut off");
  }
}

ArrayFile::~ArrayFile() = default;

std::vector<std::string> ArrayFile::members(const std::string& group) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  std::vector<std::string> names;
  const Hdf5Id opened(handles_->exists(group) ? H5Gopen2(handles_->file.get(), group.c_str(), H5P_DEFAULT)
                                              : H5I_INVALID_HID);
  if (opened.valid()) {
    H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names);
  }
  errors.check_files(name_ + " cannot be read:");
  return names;
}

std::optional<FileArray> ArrayFile::describe(const std::string& path) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  const Held held = handles_->array(path);
  errors.check_files(name_ + " cannot be read:");
  if (!held.id.valid()) {
    return std::nullopt;
  }
  const int rank = held.space.valid() ? H5Sget_simple_extent_ndims(held.space.get()) : -1;
  FileArray array{path, {}};
  if (holds_numbers(held.type.get()) && rank >= 0 && rank <= kMostDimensions) {
    array.type = type_name(held.type.get());
    array.value_bytes = static_cast<std::int64_t>(H5Tget_size(held.type.get()));
  }
  std::array<hsize_t, kMostDimensions> lengths{};
  if (rank >= 0 && rank <= kMostDimensions) {
    H5Sget_simple_extent_dims(held.space.get(), lengths.data(), nullptr);
    array.shape.assign(lengths.begin(), lengths.begin() + rank);
  }
  // The layout says how the values are stored. A chunk is decoded as a whole, which readers of windows have to know.
  const Hdf5Id layout(H5Dget_create_plist(held.id.get()));
  // Arrays in one piece have no chunk: parts of them are read as they are.
  std::array<hsize_t, kMostDimensions> chunk{};
  if (layout.valid() && H5Pget_layout(layout.get()) == H5D_CHUNKED &&
      H5Pget_chunk(layout.get(), kMostDimensions, chunk.data()) == rank) {
    array.chunk.assign(chunk.begin(), chunk.begin() + rank);
  }
  array.dimensions = dimension_names(held.id.get(), array.shape.size());
  if (const auto fill = numbers(path, "_FillValue"); fill && fill->size() == 1) {
    array.fill = fill->front();
  }
  errors.check_files(name_ + " cannot be read:");
  return array;
}

std::optional<FileArray> ArrayFile::find(const std::string& path) const {
  std::optional<FileArray> array = describe(path);
  if (!array) {
    const QuietHdf5 quiet;
    if (handles_->exists(path)) {
      refuse(*this, path, "is damaged, or no array");
    }
    return std::nullopt;
  }
  if (array->type.empty()) {
    refuse(*this, path, "is no array of real numbers");
  }
  for (const std::int64_t length : array->shape) {
    if (length < 0 || length > kLargestLength) {
      refuse(*this, path, "is damaged: one of its lengths is " + std::to_string(static_cast<hsize_t>(length)));
    }
  }
  // The shape is compared with the size of the file before anything is allocated for it.
  if (!can_hold(array->shape)) {
    throw DataError(name_ + ": the size of " + array->text() + " is wrong: a file of " + std::to_string(bytes_) +
                    " bytes cannot hold so many values");
  }
  return array;
}

bool ArrayFile::can_hold(const std::vector<std::int64_t>& shape) const {
  // In double precision, in which the product of up to eight lengths cannot overflow.
  const double values = std::accumulate(shape.begin(), shape.end(), 1.0, [](double product, std::int64_t length) {
    return product * static_cast<double>(length);
  });
  return values <= std::max(static_cast<double>(bytes_) * kLargestRatio, kUnwrittenValues);
}

// A chunk is decompressed as a whole, even if a window needs a part of it. With a cache of `bytes`, chunks that several
// windows share are decompressed once. The size of the cache can only be given when an array is opened.
void ArrayFile::keep_decoded(const FileArray& array, std::int64_t bytes) {
  const QuietHdf5 quiet;
  const Hdf5Id access(H5Pcreate(H5P_DATASET_ACCESS));
  H5Pset_chunk_cache(access.get(), kCacheSlots, static_cast<std::size_t>(bytes), H5D_CHUNK_CACHE_W0_DEFAULT);
  handles_->datasets[array.path] = Hdf5Id(H5Dopen2(handles_->file.get(), array.path.c_str(), access.get()));
  kept_bytes_ += bytes;
}

void ArrayFile::read_box(const FileArray& array, const std::vector<std::int64_t>& start,
                         const std::vector<std::int64_t>& count, bool in_double, void* values) {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  // The box [start, start + count) in the dimensions of the array; values come in row-major order.
  const std::vector<hsize_t> first(start.begin(), start.end());
  const std::vector<hsize_t> lengths(count.begin(), count.end());
  const auto rank = static_cast<int>(array.shape.size());
  Hdf5Id& dataset = handles_->datasets[array.path];
  if (!dataset.valid()) {
    dataset = handles_->array(array.path).id;
  }
  const Hdf5Id stored(dataset.valid() ? H5Dget_space(dataset.get()) : H5I_INVALID_HID);
  // An array without dimensions is a single number, in which no box can be selected.
  const Hdf5Id memory(rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, lengths.data(), nullptr));
  // The box is chosen in the space of the file, and read into one that is as large as the box.
  const bool chosen = stored.valid() && memory.valid() &&
                      (rank == 0 || H5Sselect_hyperslab(stored.get(), H5S_SELECT_SET, first.data(), nullptr,
                                                        lengths.data(), nullptr) >= 0);
  // The library converts the stored numbers, and gives the fill value for parts that were never written.
  const bool done = chosen && H5Dread(dataset.get(), in_double ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, memory.get(),
                                      stored.get(), H5P_DEFAULT, values) >= 0;
  errors.check_files(name_ + " cannot be read:");
  if (!done) {
    refuse(*this, array.text(), "is damaged: its values cannot be read");
  }
}

// The texts of an array or attribute, called `what`, which read(id, memory, values) reads; nothing where it has none.
// One that exists and cannot be read is an error.
template <typename Read>
static std::vector<std::string> held_texts(const ArrayFile& file, const Held& held, const std::string& what,
                                           const ErrorCollector& errors, const Read& read) {
  errors.check_files(file.name() + " cannot be read:");
  if (!held.has_texts()) {
    return {};
  }
  auto texts = texts_of(held.type.get(), held.space.get(), held.points(),
                        [&](hid_t memory, void* values) { return read(held.id.get(), memory, values); });
  errors.check_files(file.name() + " cannot be read:");
  if (!texts) {
    refuse(file, what, "is damaged: its texts cannot be read");
  }
  return *std::move(texts);
}

std::vector<std::string> ArrayFile::texts(const std::string& path) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  return held_texts(*this, handles_->array(path), path, errors, [](hid_t id, hid_t memory, void* values) {
    return H5Dread(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  });
}

// Nothing where there is no such attribute of numbers; one that exists and cannot be read is an error.
std::optional<std::vector<double>> ArrayFile::numbers(const std::string& path, const std::string& attribute) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  const Held held = handles_->attribute(path, attribute);
  const std::int64_t count = held.points();
  errors.check_files(name_ + " cannot be read:");
  if (!holds_numbers(held.type.get()) || count < 0 || count > kMostListed) {
    return std::nullopt;
  }
  std::vector<double> values(static_cast<std::size_t>(count));
  if (count > 0 && H5Aread(held.id.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) {
    errors.check_files(name_ + " cannot be read:");
    refuse(*this, "the attribute " + attribute + " of " + path, "is damaged");
  }
  return values;
}

std::optional<std::string> ArrayFile::text(const std::string& path, const std::string& attribute) const {
  const QuietHdf5 quiet;
  const ErrorCollector errors;
  const auto texts = held_texts(*this, handles_->attribute(path, attribute),
                                "the attribute " + attribute + " of " + path, errors, H5Aread);
  return texts.size() == 1 ? std::optional(texts.front()) : std::nullopt;
}

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
  throw DataError(name_ + " has no array " + path + "; " + (group == "/" ? "it" : "its group " + group) + " holds " +
                  (list.empty() ? "nothing" : list));
}

std::vector<double> ArrayFile::read_all(const FileArray& array) {
  const std::int64_t count = array.values();
  if (count > kMostListed) {
    throw DataError(name_ + ": " + array.text() + " has more than " + std::to_string(kMostListed) + " values");
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
  // The signature may also follow a user block of 512 bytes or more, as in MATLAB files of version 7.3. Such files are
  // not taken for plain HDF5.
  const ErrorCollector errors;
  const std::string bytes = first_bytes(path, kSignature.size());
  errors.check_files(path + " cannot be read:");
  return bytes == kSignature;
}

}  // namespace parsimap
