#include "tacet/exact/entropy.h"

#include <sys/random.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include <sodium.h>

namespace tacet::exact {
namespace {

bool from_system(void* bytes, std::size_t size) {
  auto* at = static_cast<unsigned char*>(bytes);
  while (size > 0) {
    const ssize_t got = ::getrandom(at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// libsodium draws bits while it starts, for a guard in its own allocator; zeros do no harm there.
// Any later request can neither fail nor use zeros, so the program ends.
std::atomic<bool> starting{false};

void fill(void* const bytes, const std::size_t size) {
  if (from_system(bytes, size)) return;
  if (!starting) std::abort();
  std::fill_n(static_cast<unsigned char*>(bytes), size, static_cast<unsigned char>(0));
}

std::uint32_t one_number() {
  std::uint32_t number = 0;
  fill(&number, sizeof number);
  return number;
}

const char* source_name() { return "tacet"; }

bool start() {
  static randombytes_implementation source = {source_name, one_number, nullptr, nullptr, fill, nullptr};
  starting = true;
  const bool started = randombytes_set_implementation(&source) == 0 && sodium_init() >= 0;
  starting = false;
  return started;
}

}  // namespace

Error entropy_unavailable(const char* what) {
  return Error::of(Code::EntropyUnavailable, what, "Tacet needs Linux 4.14 or later with getrandom(2); no weaker source is ever used");
}

Status draw_entropy(void* bytes, std::size_t size) { return from_system(bytes, size) ? Status() : Status(entropy_unavailable()); }

Status start_sodium() {
  static const bool started = start();
  return started ? Status() : Status(entropy_unavailable("libsodium could not be initialised"));
}

}  // namespace tacet::exact
