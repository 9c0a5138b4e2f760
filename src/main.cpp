#include "cli/program.hpp"

int main(int argc, char** argv) { return parsimap::run_program(argc, argv); }
