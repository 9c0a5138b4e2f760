// Errors of the library as exceptions of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace parsimap::python {

// ConfigError, DataError and IoError that leave a function of the module become the exceptions of these names in
// parsimap._errors, with the same sentence; a lack of memory becomes a MemoryError.
void translate_errors();

// A text of the library. Names of files in it need not be UTF-8; Python has a way of its own to write such bytes.
pybind11::str python_text(const std::string& text);

}  // namespace parsimap::python
