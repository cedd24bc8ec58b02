#include "tacet/accounting/room_left.h"

#include <optional>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tacet/privacy/parameters.h"

#include "support/spend.h"

namespace tacet::accounting::room_left_test {
namespace {

using namespace privacy;

Epsilon epsilon(const char* text) { return *Epsilon::parse(text); }
Delta delta(const char* text) { return *Delta::parse(text); }
Step pure(const char* text) { return Step::of(pure_loss(epsilon(text))); }
Step rho_step(const Rho& rho) { return Step::of(gaussian_loss_from_rho(rho)); }
Step gaussian(const char* mu) { return Step::of(gaussian_loss_from_mu(*Mu::parse(mu))); }

std::vector<Filter> used_filters() {
  std::vector<Filter> filters = {*basic_filter(epsilon("1"), delta("1e-6")), *rogers_filter(epsilon("2"), delta("1e-6")),
                                 *whitehouse_filter(epsilon("1"), delta("1e-6"), delta("5e-7")), zcdp_filter(*Rho::parse("0.5")),
                                 gdp_filter(*Mu::parse("1"))};
  for (Filter& filter : filters)
    EXPECT_EQ(*test::spend(filter, filter.rule() == FilterRule::Gdp ? gaussian("0.01") : pure("0.0123"), 7), Verdict::Go);
  return filters;
}

TEST(RoomLeft, TimesLeftFitAndOneMoreDoesNot) {
  for (const Filter& filter : used_filters()) {
    for (const char* size : {"0.0001", "0.003", "0.05", "0.2", "1", "5"}) {
      const Step step = filter.rule() == FilterRule::Gdp ? gaussian(size) : pure(size);
      const std::uint64_t left = *times_left(filter, step);
      if (left > 0) {
        EXPECT_EQ(*filter.ask(step, left), Verdict::Go) << name(filter.rule()) << size;
      }
      EXPECT_EQ(*filter.ask(step, left + 1), Verdict::Stop) << name(filter.rule()) << size;
    }
  }
  EXPECT_EQ(*times_left(*basic_filter(epsilon("0.3"), delta("0")), pure("0.1")), 3U);
  EXPECT_EQ(*times_left(*basic_filter(epsilon("0.3"), delta("0")), pure("0.4")), 0U);
  EXPECT_EQ(*times_left(*basic_filter(epsilon("0.3"), delta("0")), pure("1e-30")), kMostTimes);
  EXPECT_FALSE(times_left(gdp_filter(*Mu::parse("1")), pure("0.1")));
}

TEST(RoomLeft, LargestLossLikeAnotherFitsAndALittleMoreDoesNot) {
  const Decimal more = *Decimal::parse("1.001");
  const std::vector<Loss> kinds = {pure_loss(epsilon("5")), approximate_loss(epsilon("5"), delta("1e-8")),
                                   gaussian_loss_from_mu(*Mu::parse("5")),
                                   LaplaceLoss{*Decimal::parse("5"), *Decimal::parse("3.2"), *Decimal::parse("7")}};
  for (const Filter& filter : used_filters()) {
    const Currency currency = currency_of(filter.rule());
    for (const Loss& kind : kinds) {
      const auto countable = step_in(currency, kind);
      const std::optional<Loss> largest = largest_like(filter, kind);
      ASSERT_EQ(largest.has_value(), countable.ok()) << name(filter.rule()) << kind.index();
      if (!largest) continue;
      if (!std::holds_alternative<LaplaceLoss>(kind)) {  // which is asked for by epsilon, rho or mu
        ASSERT_EQ(largest->index(), kind.index());
      }
      EXPECT_EQ(*filter.ask(*step_in(currency, *largest)), Verdict::Go) << name(filter.rule()) << kind.index();
      Loss above = *largest;
      if (auto* loss = std::get_if<PureLoss>(&above)) loss->epsilon = loss->epsilon * more;
      if (auto* loss = std::get_if<ApproximateLoss>(&above)) loss->epsilon = loss->epsilon * more;
      if (auto* loss = std::get_if<GaussianLoss>(&above)) loss->mu_squared = loss->mu_squared * more;
      EXPECT_EQ(*filter.ask(*step_in(currency, above)), Verdict::Stop) << name(filter.rule()) << kind.index();
    }
  }
}

TEST(RoomLeft, LargestLossIsExactWhereLossesAddUp) {
  Filter filter = zcdp_filter(*Rho::parse("1"));
  ASSERT_EQ(*test::spend(filter, rho_step(*Rho::parse("0.9375123456789"))), Verdict::Go);
  EXPECT_EQ(std::get<GaussianLoss>(*largest_like(filter, gaussian_loss_from_rho(*Rho::parse("1")))).mu_squared,
            *Decimal::parse("0.1249753086422"));
  ASSERT_EQ(*test::spend(filter, rho_step(*Rho::parse("0.0624876543211"))), Verdict::Go);
  EXPECT_FALSE(largest_like(filter, gaussian_loss_from_rho(*Rho::parse("1"))));
  EXPECT_FALSE(largest_like(filter, pure_loss(epsilon("1"))));
}

}  // namespace
}  // namespace tacet::accounting::room_left_test
