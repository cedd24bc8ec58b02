// tacet/base/enum_names.h: the names of enumerators in files, requests and messages.
//
//   enum class Coin : std::uint8_t { Heads, Tails };
//   constexpr auto names_of(Coin) {   // one table, beside the enumeration
//     return std::to_array<Named<Coin>>({{Coin::Heads, "heads"}, {Coin::Tails, "tails"}});
//   }
//
//   name(Coin::Heads);                                 // "heads"
//   named<Coin>("side", "tails");                      // Coin::Tails
//   named<Coin>("side", "edge").error().message();     // side is edge, but must be heads or tails
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "tacet/base/result.h"

namespace tacet {

template <class E>
struct Named {
  E value;
  std::string_view name;
};

template <class E>
concept HasNames = requires(E value) { names_of(value); };

template <HasNames E>
constexpr std::string_view name(E value) {
  for (const Named<E>& known : names_of(value)) {
    if (known.value == value) return known.name;
  }
  return "unknown";
}

/// The enumerator of that name; InvalidArgument for any other text, with its first 40 characters.
template <HasNames E>
Result<E> named(std::string_view parameter, std::string_view text, std::string_view remedy = {}) {
  constexpr auto kNames = names_of(E{});
  std::string rule = "must be ";
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i].name == text) return kNames[i].value;
    rule.append(i == 0 ? "" : i + 1 < kNames.size() ? ", " : " or ").append(kNames[i].name);
  }
  return Error::invalid(std::string(parameter), std::string(text.substr(0, 40)), std::move(rule), std::string(remedy));
}

}  // namespace tacet
