#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGKILL is POSIX
#include <sys/prctl.h>
#include <unistd.h>

#include <cstring>
#include <exception>

#include "tacet/data/confine.h"
#include "tacet/data/scan.h"

namespace tacet::data {
namespace {

void tell(const SharedRegion& region, const Fault& fault) {
  region.head().fault = fault.kind;
  region.head().column = fault.column;
  region.head().answered = SharedRegion::kFault;
}

void answer(const SharedRegion& region) {
  const AskedScan asked = read_request(region.request());
  const DataFile file = DataFile::adopt(OwnedDescriptor(kDataDescriptor), asked.form, kDataName);
  CountOptions options{.threads = asked.threads};
  options.progress = {[&](double fraction) { region.head().fraction = fraction; }, std::chrono::milliseconds(50),
                      std::chrono::milliseconds(50)};
  auto summed = scan_here(file, asked.schema, asked.request, options);
  if (!summed.ok()) return tell(region, summed.error());
  region.head().single = summed->single;
  std::size_t at = 0;
  for (const std::span<std::byte> part : summed->totals.bytes()) {
    if (part.size() > region.answer().size() - at) return tell(region, Fault{});
    if (!part.empty()) std::memcpy(region.answer().data() + at, part.data(), part.size());
    at += part.size();
  }
  region.head().answered = SharedRegion::kAnswered;
}

}  // namespace

std::optional<SharedRegion> begin_scan(std::uint64_t build) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return std::nullopt;
  std::optional<SharedRegion> region = SharedRegion::adopt(kRegionDescriptor);
  // The parent may have died before the first line above.
  if (!region || region->head().asker != ::getppid()) return std::nullopt;
  region->head().begun = build;
  if (confine()) return region;
  tell(*region, Fault{Fault::NotConfined});
  ::_exit(0);
}

int answer_scan() {
  bool answered = false;
  try {
    const std::optional<SharedRegion> region = begin_scan();
    if (region) answer(*region);
    answered = region.has_value();
  } catch (const std::exception&) {
    answered = false;  // its message may contain anything
  }
  // Immediately: there is no need to wait for threads of the engine.
  ::_exit(answered ? 0 : 1);
}

}  // namespace tacet::data
