#include "tacet/kernel/release_order.h"

#include <sys/mman.h>

#include <fmt/format.h>

namespace tacet::kernel {

Result<Reserve> reserve_memory(std::size_t bytes) {
  if (bytes == 0) return Reserve();
  // Populated, so that the memory really exists.
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (at != MAP_FAILED) return Reserve(at, Unmap{bytes});
  return Error::of(Code::EngineFailed,
                   fmt::format("the release needs {} MiB of memory, but the system did not provide it", (bytes >> 20U) + 1),
                   "cross fewer columns, or give the program more memory");
}

void Unmap::operator()(void* memory) const { (void)::munmap(memory, bytes); }

Error failed_scan() {
  return Error::of(Code::DataUnreadable, "the data cannot be read as declared", "why is not told, because it may depend on a person");
}

Error failed_after_charge(const std::string& spent) {
  return Error::of(Code::Internal, "the release failed after its charge, perhaps because memory ran out, and nothing was published",
                   "ask again when there is more memory; please report it if it repeats")
      .after_charge(spent);
}

}  // namespace tacet::kernel
