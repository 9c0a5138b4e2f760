// Requests of a session, as lines of JSON.
#pragma once

#include <string>

namespace parsimap {

// The text of config/serve.schema.json when the program was built. A request is one of its definitions by the name of
// its member "request".
const std::string& session_schema();

// ConfigError with the place of what is wrong: not JSON, no object, no request that the schema knows, or against its
// definition.
void check_session_request(const std::string& text);

}  // namespace parsimap
