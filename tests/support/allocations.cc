#include "support/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {
std::atomic<std::size_t> count = 0;

constexpr std::size_t kMostKept = std::size_t{64} << 20U;
std::atomic<char*> kept = nullptr;
std::atomic<std::size_t> kept_size = 0;

void give_back(void* memory) {
  if (char* const store = kept; store != nullptr && memory != nullptr) {
    const std::size_t size = malloc_usable_size(memory);
    const std::size_t at = kept_size.fetch_add(size);
    if (at + size <= kMostKept) std::memcpy(store + at, memory, size);
  }
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { give_back(memory); }

namespace tacet::test {
std::size_t allocations() { return count.load(std::memory_order_relaxed); }

FreedMemory::FreedMemory() {
  kept_size = 0;
  kept = static_cast<char*>(std::calloc(kMostKept, 1));
}
FreedMemory::~FreedMemory() { std::free(kept.exchange(nullptr)); }
bool FreedMemory::holds(const void* bytes, std::size_t size) const {
  const std::size_t used = kept_size;
  return ::memmem(kept, used < kMostKept ? used : kMostKept, bytes, size) != nullptr;
}
}  // namespace tacet::test
