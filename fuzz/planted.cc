// A target with a planted fault, on which replay.cc is tested (replay_test.py).
#include "support.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tacet::fuzz::must(tacet::fuzz::as_text(data, size) != "wrong", "the input is not \"wrong\"");
  return 0;
}
