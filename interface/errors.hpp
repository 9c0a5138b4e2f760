// What C functions return in place of exceptions, and the texts that they hand out.
#pragma once

#include <functional>
#include <string>

#include "parsimap/parsimap.h"

namespace parsimap::interface {

// Thrown into work that is to stop.
struct Stopped {};

// Calls work(): the status of what it throws, whose sentence goes to `error`, or PARSIMAP_OK. `error` may be null.
int status_of(parsimap_array* error, const std::function<void()>& work);

// An array of the characters, which belongs to whoever gets it.
parsimap_array text_array(const std::string& text);

}  // namespace parsimap::interface
