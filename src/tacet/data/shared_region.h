// tacet/data/shared_region.h: memory that a scan process shares with its parent. Private to data.
//
//   SharedRegion region = *SharedRegion::make(/*request=*/"{}", /*answer_size=*/8);   // the parent
//   SharedRegion same = *SharedRegion::adopt(kRegionDescriptor);                      // the child
//   same.answer()[0] = std::byte{1};
//
// A head, the request as text, and room for the answer. Its size is sealed, so the child cannot
// make the parent fail. The parent reads it after the child's end, distrusts it, and wipes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "tacet/base/owned_descriptor.h"

namespace tacet::data {

// The open descriptors of the child, besides the standard ones.
inline constexpr int kDataDescriptor = 3;
inline constexpr int kRegionDescriptor = 4;
inline constexpr int kLogDescriptor = 5;  // the log of a DuckDB file, if there is one

/// The identity of the sources that read files and add up rows (cmake/TacetBuildIdentity.cmake).
/// Only a program of the same build understands the region, so every other answer is refused.
std::uint64_t scan_build();

class SharedRegion {
 public:
  struct Head {
    std::uint64_t request_size;
    std::int64_t asker;            // process id of the parent
    std::atomic<double> fraction;  // of the file that has been read
    std::uint64_t begun;           // the identity of the program, before all else
    std::uint32_t answered;        // kAnswered or kFault, once there is an answer
    std::uint32_t fault, column;   // see fault.h
    std::uint64_t single;          // see row_fold.h
    std::uint64_t said;            // size of an answer whose size was not known before
  };
  static constexpr std::uint32_t kAnswered = 0x1a5e;
  static constexpr std::uint32_t kFault = 0x2fa7;

  static std::optional<SharedRegion> make(std::string_view request, std::size_t answer_size);
  static std::optional<SharedRegion> adopt(int descriptor);

  int descriptor() const { return descriptor_.number(); }
  Head& head() const { return *reinterpret_cast<Head*>(bytes_.get()); }
  std::string_view request() const;
  /// Aligned for any integer.
  std::span<std::byte> answer() const { return {bytes_.get() + answer_at_, bytes_.get_deleter().size - answer_at_}; }

 private:
  struct Unmap {
    std::size_t size;
    bool ours;  // then it is wiped
    void operator()(std::byte* bytes) const;
  };
  SharedRegion(OwnedDescriptor descriptor, std::size_t size, bool ours);
  OwnedDescriptor descriptor_;
  std::unique_ptr<std::byte, Unmap> bytes_;
  std::size_t answer_at_ = 0;  // kept here: the child may overwrite the head
};

}  // namespace tacet::data
