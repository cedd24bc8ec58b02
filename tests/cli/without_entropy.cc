// without_entropy ERROR COMMAND...: executes COMMAND, to which the system gives no random bits but
// this error number.
#include <unistd.h>

#include <cstdlib>

#include "support/denied_entropy.h"

int main(int argc, char** argv) {
  constexpr int kCannot = 99;
  if (argc < 3 || !tacet::test::deny_entropy(std::atoi(argv[1]))) return kCannot;  // NOLINT(cert-err34-c): a number of ours
  execv(argv[2], argv + 2);
  return kCannot;
}
