#include "tacet/data/shared_region.h"

#include <fcntl.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not of C++
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace tacet::data {
namespace {

constexpr std::size_t kHead = 128;
static_assert(sizeof(SharedRegion::Head) <= kHead && std::atomic<double>::is_always_lock_free);

std::size_t answer_after(std::uint64_t request_size) { return (kHead + request_size + 63) / 64 * 64; }

std::span<std::byte> mapped(int descriptor, std::size_t size) {
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) return {};
  (void)::madvise(at, size, MADV_DONTDUMP);
  return {static_cast<std::byte*>(at), size};
}

}  // namespace

std::optional<SharedRegion> SharedRegion::make(std::string_view request, std::size_t answer_size) {
  OwnedDescriptor descriptor(::memfd_create("tacet-scan", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const std::size_t size = answer_after(request.size()) + answer_size;
  if (::ftruncate(descriptor.number(), static_cast<off_t>(size)) != 0 ||
      ::fcntl(descriptor.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return std::nullopt;
  const std::span<std::byte> bytes = mapped(descriptor.number(), size);
  if (bytes.empty()) return std::nullopt;
  SharedRegion region(std::move(descriptor), bytes, answer_after(request.size()), /*ours=*/true);
  region.head().request_size = request.size();
  region.head().asker = ::getpid();
  std::memcpy(bytes.data() + kHead, request.data(), request.size());
  return region;
}

std::optional<SharedRegion> SharedRegion::adopt(int descriptor) {
  OwnedDescriptor owned(descriptor);
  struct stat about{};
  if (::fstat(descriptor, &about) != 0 || about.st_size < static_cast<off_t>(kHead)) return std::nullopt;
  const std::span<std::byte> bytes = mapped(descriptor, static_cast<std::size_t>(about.st_size));
  if (bytes.empty()) return std::nullopt;
  const std::size_t answer_at = answer_after(reinterpret_cast<const Head*>(bytes.data())->request_size);
  if (answer_at > bytes.size()) return std::nullopt;
  return SharedRegion(std::move(owned), bytes, answer_at, /*ours=*/false);
}

SharedRegion::~SharedRegion() {
  if (bytes_.empty()) return;
  if (ours_) ::explicit_bzero(bytes_.data(), bytes_.size());
  ::munmap(bytes_.data(), bytes_.size());
}

std::string_view SharedRegion::request() const {
  return {reinterpret_cast<const char*>(bytes_.data()) + kHead, static_cast<std::size_t>(head().request_size)};
}

}  // namespace tacet::data
