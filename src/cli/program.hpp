// The program: arguments -> command -> exit code.
//
// 0 done, 1 failed while running, 2 wrong usage or configuration (ConfigError), 3 input data refused (DataError), 128
// and the number of the signal that stopped it, as in 130 after an interrupt. Results go to `out`; progress, messages
// and errors ("parsimap: <sentence>") to `err`.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace parsimap {

// As main() is called: with the program's own name first, standard streams, and signals watched.
int run_program(int argc, char** argv);

// `arguments` without the program's name.
int run_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace parsimap
