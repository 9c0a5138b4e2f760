// Errors of the library as exceptions of Python.
#pragma once

#include <pybind11/pybind11.h>

namespace parsimap::python {

// ConfigError, DataError and IoError that leave a function of the module become the exceptions of these names in
// parsimap._errors, with the same sentence; a lack of memory becomes a MemoryError.
void translate_errors();

}  // namespace parsimap::python
