// Writes HDF5 files of known content for tests.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace parsimap::test {

class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::string& path)
      : file_(checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), path)) {}
  ~Hdf5Writer() { H5Fclose(file_); }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  // Groups on the way to `path` are made. With `chunk` the array is compressed in chunks of this shape.
  template <typename Value>
  void array(const std::string& path, const std::vector<hsize_t>& shape, const std::vector<Value>& values,
             const std::vector<hsize_t>& chunk = {}) {
    make_groups(path);
    const auto rank = static_cast<int>(shape.size());
    const hid_t space = H5Screate_simple(rank, shape.data(), nullptr);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    if (!chunk.empty()) {
      H5Pset_chunk(layout, rank, chunk.data());
      H5Pset_deflate(layout, 1);
    }
    const hid_t dataset =
        checked(H5Dcreate2(file_, path.c_str(), type_of(Value{}), space, H5P_DEFAULT, layout, H5P_DEFAULT), path);
    hsize_t count = 1;
    for (const hsize_t length : shape) {
      count *= length;
    }
    if (count != values.size()) {
      throw std::logic_error(path + " has another number of values than its shape");
    }
    H5Dwrite(dataset, type_of(Value{}), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Pclose(layout);
    H5Sclose(space);
  }

  // A list of texts of variable length, as netCDF writes them.
  void texts(const std::string& path, const std::vector<std::string>& values) {
    make_groups(path);
    std::vector<const char*> pointers;
    for (const std::string& value : values) {
      pointers.push_back(value.c_str());
    }
    const hsize_t count = values.size();
    const hid_t type = text_type();
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t dataset =
        checked(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), path);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
    H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
  }

  void numbers(const std::string& object, const std::string& name, const std::vector<double>& values) {
    const hsize_t count = values.size();
    const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr);
    const hid_t attribute = checked(H5Acreate_by_name(file_, object.c_str(), name.c_str(), H5T_NATIVE_DOUBLE, space,
                                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                    name);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, values.data());
    H5Aclose(attribute);
    H5Sclose(space);
  }

  void text(const std::string& object, const std::string& name, const std::string& value) {
    const hid_t type = text_type();
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = checked(
        H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        name);
    const char* pointer = value.c_str();
    H5Awrite(attribute, type, &pointer);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }

  // Names the dimensions of an array as netCDF does: by references to arrays of these names.
  void dimensions(const std::string& path, const std::vector<std::string>& names) {
    std::vector<hobj_ref_t> references(names.size());
    std::vector<hvl_t> lists;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (H5Lexists(file_, names[i].c_str(), H5P_DEFAULT) <= 0) {
        array<float>(names[i], {1}, {0});
      }
      H5Rcreate(&references[i], file_, names[i].c_str(), H5R_OBJECT, -1);
      lists.push_back({1, &references[i]});
    }
    const hsize_t count = names.size();
    const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
    const hid_t space = H5Screate_simple(1, &count, nullptr);
    const hid_t attribute = checked(
        H5Acreate_by_name(file_, path.c_str(), "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        path);
    H5Awrite(attribute, type, lists.data());
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
  }

  void remove(const std::string& path) { H5Ldelete(file_, path.c_str(), H5P_DEFAULT); }
  void remove_attribute(const std::string& object, const std::string& name) {
    H5Adelete_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT);
  }

 private:
  static hid_t checked(hid_t id, const std::string& what) {
    if (id < 0) {
      throw std::runtime_error("cannot make " + what);
    }
    return id;
  }
  static hid_t type_of(float) { return H5T_NATIVE_FLOAT; }
  static hid_t type_of(double) { return H5T_NATIVE_DOUBLE; }
  static hid_t type_of(std::int32_t) { return H5T_NATIVE_INT32; }
  static hid_t type_of(std::uint16_t) { return H5T_NATIVE_UINT16; }
  static hid_t type_of(std::uint8_t) { return H5T_NATIVE_UINT8; }
  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
  }
  void make_groups(const std::string& path) {
    for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
      const std::string group = path.substr(0, end);
      if (H5Lexists(file_, group.c_str(), H5P_DEFAULT) <= 0) {
        H5Gclose(checked(H5Gcreate2(file_, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), group));
      }
    }
  }

  hid_t file_;
};

}  // namespace parsimap::test
