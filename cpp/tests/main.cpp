// Runs the tests whose name contains the first argument, or all of them.
#include "check.hpp"

int main(int argc, char** argv) { return check::run(argc > 1 ? argv[1] : ""); }
