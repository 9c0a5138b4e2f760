#include "errors.hpp"

#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

void raise(const char* kind, const std::string& sentence) {
  const py::object type = py::module_::import("parsimap._errors").attr(kind);
  PyErr_SetObject(type.ptr(), python_text(sentence).ptr());
}

}  // namespace

py::str python_text(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

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
