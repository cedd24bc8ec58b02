#include "tacet/base/enum_names.h"

#include <gtest/gtest.h>

namespace tacet::elsewhere {

enum class Coin : std::uint8_t { Heads, Tails };
constexpr auto names_of(Coin) { return std::to_array<Named<Coin>>({{Coin::Heads, "heads"}, {Coin::Tails, "tails"}}); }

enum class Season : std::uint8_t { Winter, Spring, Summer };
constexpr auto names_of(Season) {
  return std::to_array<Named<Season>>({{Season::Summer, "summer"}, {Season::Winter, "winter"}, {Season::Spring, "spring"}});
}

enum class Only : std::uint8_t { One };
constexpr auto names_of(Only) { return std::to_array<Named<Only>>({{Only::One, "one"}}); }

enum class Nameless : std::uint8_t { A };

}  // namespace tacet::elsewhere

namespace tacet {
namespace {

using elsewhere::Coin;
using elsewhere::Only;
using elsewhere::Season;

static_assert(name(Coin::Tails) == "tails");
static_assert(HasNames<Season> && !HasNames<elsewhere::Nameless> && !HasNames<int>);

TEST(EnumNames, ReadBackWhatTheySay) {
  for (const Named<Season>& known : names_of(Season{})) EXPECT_EQ(*named<Season>("season", name(known.value)), known.value);
}

TEST(EnumNames, AnUnknownTextIsRefusedWithTheNamesInTheOrderOfTheTable) {
  EXPECT_EQ(named<Season>("season", "Winter").error().message(), "season is Winter, but must be summer, winter or spring");
  EXPECT_EQ(named<Coin>("side", "edge").error().message(), "side is edge, but must be heads or tails");
  EXPECT_EQ(named<Only>("part", "two", "leave it out").error().message(), "part is two, but must be one; leave it out");
  EXPECT_EQ(named<Coin>("side", "").error().message(), "side is empty, but must be heads or tails");
  EXPECT_EQ(named<Coin>("side", "edge").error().code(), Code::InvalidArgument);
}

TEST(EnumNames, OfALongTextFortyCharactersAreShown) {
  EXPECT_EQ(named<Coin>("side", std::string(50, 'x')).error().value(), std::string(40, 'x'));
}

TEST(EnumNames, AValueOutsideOfTheTableIsUnknown) { EXPECT_EQ(name(static_cast<Coin>(7)), "unknown"); }

}  // namespace
}  // namespace tacet
