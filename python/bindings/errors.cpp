#include "errors.hpp"

#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// Names of files need not be UTF-8; Python has a way of its own to write such bytes.
void raise(const char* kind, const std::string& sentence) {
  const py::object type = py::module_::import("parsimap._errors").attr(kind);
  const auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(sentence.data(), static_cast<Py_ssize_t>(sentence.size()), "surrogateescape"));
  PyErr_SetObject(type.ptr(), text.ptr());
}

}  // namespace

void translate_errors() {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) {
        std::rethrow_exception(thrown);
      }
    } catch (const ConfigError& error) {
      raise("ConfigError", error.what());
    } catch (const DataError& error) {
      raise("DataError", error.what());
    } catch (const IoError& error) {
      raise("IoError", error.what());
    } catch (const std::bad_alloc&) {
      PyErr_SetString(PyExc_MemoryError, "there is not enough memory");
    }
  });
}

}  // namespace parsimap::python
