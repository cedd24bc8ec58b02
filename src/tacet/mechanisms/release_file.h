// tacet/mechanisms/release_file.h: reads and writes the public file of a release.
//
//   CountRelease table = *read_release_as<CountRelease>("smoking.json");   // refuses other kinds
//   auto counts = *read_release_as<CountRelease, LocalRelease>("smoking.json");   // a variant
//   Release any = *read_release("any.json");
//   name(kind_of(any));                                                           // "counts"
//
// A release has its values, the distribution of their noise, its privacy and its public facts. So
// anyone can infer from it later, as often as they like, at no cost in privacy.
// docs/reference/release_file.md describes the JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacet/base/enum_names.h"
#include "tacet/base/result.h"
#include "tacet/mechanisms/count_release.h"
#include "tacet/mechanisms/denoised_release.h"
#include "tacet/mechanisms/histogram_release.h"
#include "tacet/mechanisms/local_release.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/mechanisms/query_release.h"

namespace tacet::mechanisms {

using Release = std::variant<CountRelease, LocalRelease, MomentRelease, QueryRelease, HistogramRelease, DenoisedRelease>;

/// The name of the kind in files.
enum class ReleaseKind : std::uint8_t { Counts, Local, Sum, Mean, SecondMoment, Covariance, Query, Histogram, DenoisedCounts };
constexpr auto names_of(ReleaseKind) {
  using enum ReleaseKind;
  return std::to_array<Named<ReleaseKind>>({{Counts, "counts"},
                                            {Local, "local"},
                                            {Sum, "sum"},
                                            {Mean, "mean"},
                                            {SecondMoment, "second-moment"},
                                            {Covariance, "covariance"},
                                            {Query, "query"},
                                            {Histogram, "histogram"},
                                            {DenoisedCounts, "denoised-counts"}});
}
ReleaseKind kind_of(const Release& release);
const ReleaseHeader& header_of(const Release& release);

nlohmann::json to_json(const Release& release);
/// The text of the file.
std::string to_text(const Release& release);

/// Messages call the file `shown`. InvalidArgument if it is not a release file, or, naming the
/// field, for anything that to_json would not write.
Result<Release> release_from_json(const nlohmann::json& value, const std::string& shown = "the text");
/// NotFound if the file cannot be read.
Result<Release> read_release(const std::string& path);

/// The error says which kind the release is, which kinds are accepted, and what to do instead.
Error wrong_kind(ReleaseKind found, const std::vector<ReleaseKind>& serving, const std::string& shown);

/// The kinds that this type holds.
template <class Kind>
std::vector<ReleaseKind> kinds_of() {
  if constexpr (std::is_same_v<Kind, CountRelease>) return {ReleaseKind::Counts};
  if constexpr (std::is_same_v<Kind, DenoisedRelease>) return {ReleaseKind::DenoisedCounts};
  if constexpr (std::is_same_v<Kind, HistogramRelease>) return {ReleaseKind::Histogram};
  if constexpr (std::is_same_v<Kind, LocalRelease>) return {ReleaseKind::Local};
  if constexpr (std::is_same_v<Kind, QueryRelease>) return {ReleaseKind::Query};
  if constexpr (std::is_same_v<Kind, MomentRelease>)
    return {ReleaseKind::Mean, ReleaseKind::Sum, ReleaseKind::SecondMoment, ReleaseKind::Covariance};
}

/// The only kind that is accepted, or a variant of several.
template <class... Kinds>
using OneKindOf = std::conditional_t<sizeof...(Kinds) == 1, std::tuple_element_t<0, std::tuple<Kinds...>>, std::variant<Kinds...>>;

/// InvalidArgument for any other kind.
template <class... Kinds>
Result<OneKindOf<Kinds...>> as_kind(Release release, const std::string& shown) {
  const auto keep = [&](auto& held) -> Result<OneKindOf<Kinds...>> {
    using Held = std::remove_cvref_t<decltype(held)>;
    if constexpr ((std::is_same_v<Held, Kinds> || ...)) {
      return OneKindOf<Kinds...>(std::move(held));
    } else {
      std::vector<ReleaseKind> serving;
      for (const std::vector<ReleaseKind>& some : {kinds_of<Kinds>()...}) serving.insert(serving.end(), some.begin(), some.end());
      return wrong_kind(kind_of(release), serving, shown);
    }
  };
  return std::visit(keep, release);
}

template <class... Kinds>
Result<OneKindOf<Kinds...>> read_release_as(const std::string& path) {
  TACET_TRY(Release release, read_release(path));
  return as_kind<Kinds...>(std::move(release), path);
}

}  // namespace tacet::mechanisms
