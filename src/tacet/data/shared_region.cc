#include "tacet/data/shared_region.h"

#include <fcntl.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not C++
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace tacet::data {
namespace {

constexpr std::size_t kHead = 128;
static_assert(sizeof(SharedRegion::Head) <= kHead && std::atomic<double>::is_always_lock_free);

std::size_t answer_after(std::uint64_t request_size) { return (kHead + request_size + 63) / 64 * 64; }

}  // namespace

void SharedRegion::Unmap::operator()(std::byte* bytes) const {
  if (ours) ::explicit_bzero(bytes, size);
  ::munmap(bytes, size);
}

SharedRegion::SharedRegion(OwnedDescriptor descriptor, std::size_t size, bool ours)
    : descriptor_(std::move(descriptor)), bytes_(nullptr, Unmap{size, ours}) {
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.number(), 0);
  if (at == MAP_FAILED) return;
  (void)::madvise(at, size, MADV_DONTDUMP);
  bytes_.reset(static_cast<std::byte*>(at));
}

std::optional<SharedRegion> SharedRegion::make(std::string_view request, std::size_t answer_size) {
  OwnedDescriptor descriptor(::memfd_create("tacet-scan", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const std::size_t size = answer_after(request.size()) + answer_size;
  if (::ftruncate(descriptor.number(), static_cast<off_t>(size)) != 0 ||
      ::fcntl(descriptor.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return std::nullopt;
  SharedRegion region(std::move(descriptor), size, /*ours=*/true);
  if (region.bytes_ == nullptr) return std::nullopt;
  region.answer_at_ = answer_after(request.size());
  region.head().request_size = request.size();
  region.head().asker = ::getpid();
  std::memcpy(region.bytes_.get() + kHead, request.data(), request.size());
  return region;
}

std::optional<SharedRegion> SharedRegion::adopt(int descriptor) {
  OwnedDescriptor owned(descriptor);
  struct stat about{};
  if (::fstat(descriptor, &about) != 0 || about.st_size < static_cast<off_t>(kHead)) return std::nullopt;
  const auto size = static_cast<std::size_t>(about.st_size);
  SharedRegion region(std::move(owned), size, /*ours=*/false);
  if (region.bytes_ == nullptr) return std::nullopt;
  region.answer_at_ = answer_after(region.head().request_size);
  return region.answer_at_ <= size ? std::optional(std::move(region)) : std::nullopt;
}

std::string_view SharedRegion::request() const {
  return {reinterpret_cast<const char*>(bytes_.get()) + kHead, static_cast<std::size_t>(head().request_size)};
}

}  // namespace tacet::data
