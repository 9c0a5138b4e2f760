// The folder of the project, for tests that read its files.
#pragma once

#include <string>

namespace parsimap::test {

// Without a slash at the end. Compiled into one file, so that the objects of all others do not depend on the folder.
std::string source_folder();

}  // namespace parsimap::test
