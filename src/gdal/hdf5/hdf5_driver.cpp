#include "hdf5_driver.hpp"

#include <boost/endian/conversion.hpp>
#include <cpl_vsi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace parsimap {
namespace {

// What the library calls a driver: a file as it sees it. The library's part comes first.
struct VirtualFile {
  H5FD_t base;
  VSILFILE* file;
  haddr_t end_of_allocation;
  haddr_t end_of_file;
};

VirtualFile& own(H5FD_t* file) { return *reinterpret_cast<VirtualFile*>(file); }
const VirtualFile& own(const H5FD_t* file) { return *reinterpret_cast<const VirtualFile*>(file); }

constexpr haddr_t kLargestAddress = (haddr_t{1} << 62) - 1;

// The functions of the driver read files through GDAL's layer of virtual files: so that paths such as /vsizip/ can be
// read, and failures of the system reach the ErrorCollector, which the library's own driver would report as damage. The
// library receives a null pointer or a negative number in the case of a failure.
H5FD_t* open_file(const char* name, unsigned flags, hid_t /*access*/, haddr_t /*most*/) {
  if ((flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0) {
    return nullptr;
  }
  VSILFILE* file = VSIFOpenL(name, "rb");
  if (file == nullptr) {
    return nullptr;
  }
  auto* opened = new (std::nothrow) VirtualFile{};
  if (opened == nullptr || VSIFSeekL(file, 0, SEEK_END) != 0) {
    delete opened;
    VSIFCloseL(file);
    return nullptr;
  }
  opened->file = file;
  opened->end_of_file = VSIFTellL(file);
  return &opened->base;
}

herr_t close_file(H5FD_t* file) {
  VSIFCloseL(own(file).file);
  delete &own(file);
  return 0;
}

// The library asks whether two of its files are the same one; here each opening is a file of its own.
int compare(const H5FD_t* first, const H5FD_t* second) { return first < second ? -1 : first > second ? 1 : 0; }

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  // The library may read more than it needs of an array without chunks, and serve neighbouring reads from this buffer.
  *flags = H5FD_FEAT_DATA_SIEVE;
  return 0;
}

// The library sets the end of the addresses in use from the superblock, and compares it with the end of the file to
// notice that a file was cut off.
haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t /*type*/) { return own(file).end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  own(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return own(file).end_of_file; }

// A global heap is "GCOL", a version and its size in 8 bytes. An object in it has an index and a reference count of 2
// bytes each, 4 unused bytes, its size in 8 bytes, and a content padded to a multiple of 8.
constexpr std::size_t kHeader = 16;  // of a global heap, and of each object in it
constexpr std::size_t kLargestHeap = std::size_t{1} << 26;

// The library walks over the objects of a global heap, in which texts lie, by the sizes that stand before them, and
// does not end where a damaged size leads nowhere. Object 0 is the room that is left; its size counts its own header.
bool is_endless_heap(const unsigned char* bytes, std::size_t count) {
  for (std::size_t at = kHeader; at + kHeader <= count;) {
    const std::uint64_t index = boost::endian::load_little_u16(bytes + at);
    const std::uint64_t size = boost::endian::load_little_u64(bytes + at + 8);
    const std::uint64_t step = index == 0 ? size : kHeader + (size + 7) / 8 * 8;
    // A step below the size of a header would never reach the end of the heap.
    if (size > kLargestAddress || step < kHeader) {
      return true;
    }
    if (step > count - at) {
      break;
    }
    at += step;
  }
  return false;
}

// A heap is read as a whole, or its beginning first.
bool begins_endless_heap(const VirtualFile& file, haddr_t address, const unsigned char* bytes, std::size_t count) {
  if (count < kHeader || std::memcmp(bytes, "GCOL", 4) != 0) {
    return false;
  }
  const std::uint64_t size = boost::endian::load_little_u64(bytes + 8);
  if (size <= count) {
    return is_endless_heap(bytes, static_cast<std::size_t>(size));
  }
  if (size > kLargestHeap || size > file.end_of_file - address) {
    return true;
  }
  // Only the beginning was read: the check needs all objects, so that the heap is read here as well.
  std::vector<unsigned char> heap(static_cast<std::size_t>(size));
  return VSIFSeekL(file.file, address, SEEK_SET) != 0 ||
         VSIFReadL(heap.data(), 1, heap.size(), file.file) != heap.size() || is_endless_heap(heap.data(), heap.size());
}

herr_t read_bytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t size, void* buffer) {
  const VirtualFile& self = own(file);
  // Written so that no sum can overflow.
  if (address > self.end_of_file || size > self.end_of_file - address || VSIFSeekL(self.file, address, SEEK_SET) != 0 ||
      VSIFReadL(buffer, 1, size, self.file) != size) {
    return -1;
  }
  return begins_endless_heap(self, address, static_cast<const unsigned char*>(buffer), size) ? -1 : 0;
}

herr_t write_bytes(H5FD_t* /*file*/, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t /*address*/, size_t /*size*/,
                   const void* /*buffer*/) {
  return -1;  // files are read only
}

hid_t register_driver() {
  static H5FD_class_t driver = [] {
    H5FD_class_t filled{};
#if H5_VERSION_GE(1, 13, 0)
    filled.version = H5FD_CLASS_VERSION;
    filled.value = static_cast<H5FD_class_value_t>(512);  // those up to 511 belong to the library
#endif
    filled.name = "parsimap";
    filled.maxaddr = kLargestAddress;
    filled.fc_degree = H5F_CLOSE_STRONG;
    filled.open = open_file;
    filled.close = close_file;
    filled.cmp = compare;
    filled.query = query;
    filled.get_eoa = end_of_allocation;
    filled.set_eoa = set_end_of_allocation;
    filled.get_eof = end_of_file;
    filled.read = read_bytes;
    filled.write = write_bytes;
    constexpr H5FD_mem_t kMap[] = H5FD_FLMAP_SINGLE;
    std::ranges::copy(kMap, filled.fl_map);
    return filled;
  }();
  return H5FDregister(&driver);
}

}  // namespace

QuietHdf5::QuietHdf5() {
  H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, report_, data_);
}

Hdf5Id& Hdf5Id::operator=(Hdf5Id&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Hdf5Id::~Hdf5Id() {
  if (valid()) {
    const QuietHdf5 quiet;
    H5Idec_ref(id_);
  }
}

Hdf5Id open_hdf5(const std::string& path) {
  const QuietHdf5 quiet;
  static const hid_t driver = register_driver();
  // Closing the file closes everything that is still open in it, so that no handle keeps it open.
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  if (H5Pset_driver(access.get(), driver, nullptr) < 0 || H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) < 0) {
    return Hdf5Id();
  }
  Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
  const Hdf5Id creation(file.valid() ? H5Fget_create_plist(file.get()) : H5I_INVALID_HID);
  std::size_t address = 0;
  std::size_t length = 0;
  // Heaps are checked as they are with addresses and lengths of 8 bytes, which all files of today have.
  if (creation.valid() && H5Pget_sizes(creation.get(), &address, &length) >= 0 && length == sizeof(std::uint64_t)) {
    return file;
  }
  return Hdf5Id();
}

}  // namespace parsimap
