#include "hdf5_driver.hpp"

#include <cpl_vsi.h>

#include <new>

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

int compare(const H5FD_t* first, const H5FD_t* second) { return first < second ? -1 : first > second ? 1 : 0; }

herr_t query(const H5FD_t* /*file*/, unsigned long* flags) {
  *flags = H5FD_FEAT_DATA_SIEVE;
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t /*type*/) { return own(file).end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
  own(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*type*/) { return own(file).end_of_file; }

herr_t read_bytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, size_t size, void* buffer) {
  const VirtualFile& self = own(file);
  if (address > self.end_of_file || size > self.end_of_file - address ||
      VSIFSeekL(self.file, address, SEEK_SET) != 0 || VSIFReadL(buffer, 1, size, self.file) != size) {
    return -1;
  }
  return 0;
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
    for (int i = 0; i < H5FD_MEM_NTYPES; ++i) {
      filled.fl_map[i] = kMap[i];
    }
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
  const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
  if (H5Pset_driver(access.get(), driver, nullptr) < 0 ||
      H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) < 0) {
    return Hdf5Id();
  }
  return Hdf5Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
}

}  // namespace parsimap
