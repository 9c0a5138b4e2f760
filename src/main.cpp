#include "cli/console.hpp"

int main(int argc, char** argv) { return parsimap::run_program(argc, argv); }
