// Who runs a command: hears what it does, and takes the document that it ends with.
#pragma once

#include <string>

#include "parsimap/app/listener.hpp"

namespace parsimap {

class CommandListener : public Listener {
 public:
  // Whether results are to be JSON documents.
  [[nodiscard]] virtual bool json() const = 0;
  // The document a command ends with. IoError when it cannot be delivered.
  virtual void result(const std::string& document) = 0;
};

}  // namespace parsimap
