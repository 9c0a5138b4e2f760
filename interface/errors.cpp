#include "errors.hpp"

#include <new>

#include "parsimap/core/error.hpp"

#include "arrays.hpp"

namespace parsimap::interface {
namespace {

int failed(parsimap_array* error, int status, const char* sentence) {
  if (error != nullptr) {
    *error = {};
    try {
      *error = text_array(sentence);
    } catch (const std::bad_alloc&) {
      return PARSIMAP_NO_MEMORY;
    }
  }
  return status;
}

}  // namespace

int status_of(parsimap_array* error, const std::function<void()>& work) {
  try {
    work();
    return PARSIMAP_OK;
  } catch (const ConfigError& thrown) {
    return failed(error, PARSIMAP_CONFIG_ERROR, thrown.what());
  } catch (const DataError& thrown) {
    return failed(error, PARSIMAP_DATA_ERROR, thrown.what());
  } catch (const IoError& thrown) {
    return failed(error, PARSIMAP_IO_ERROR, thrown.what());
  } catch (const Stopped&) {
    return failed(error, PARSIMAP_STOPPED, "the work was stopped");
  } catch (const std::bad_alloc&) {
    return failed(error, PARSIMAP_NO_MEMORY, "there is not enough memory");
  } catch (const std::exception& thrown) {
    return failed(error, PARSIMAP_OTHER_ERROR, thrown.what());
  }
}

parsimap_array text_array(const std::string& text) {
  const auto length = static_cast<Index>(text.size());
  return owned_array(text, PARSIMAP_UINT8, {length}, [](const std::string& kept) { return kept.data(); });
}

}  // namespace parsimap::interface
