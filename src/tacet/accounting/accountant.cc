#include "tacet/accounting/accountant.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "tacet/exact/directed.h"
#include "tacet/privacy/parameters.h"

namespace tacet::accounting {
namespace {

constexpr std::size_t kMostKinds = 1000;
constexpr long double kSmallest = 1e-300L;

Bounds outward(const LongBounds& bounds, double most = std::numeric_limits<double>::infinity()) {
  return {exact::reduced(bounds.lower, 0x1p-60L), std::min(most, exact::enlarged(bounds.upper, 0x1p-60L))};
}

}  // namespace

Status Accountant::add(LossKind kind, const Decimal& parameter, std::uint64_t times) {
  if (times == 0 || times > LossList::kMostTimes - times_) {
    return Error::invalid("times", std::to_string(times),
                          fmt::format("must be at least 1, and at most {} altogether", LossList::kMostTimes));
  }
  const long double value = to_long_double(parameter);
  const auto same =
      std::find_if(terms_.begin(), terms_.end(), [&](const PrivacyLossTerm& t) { return t.kind == kind && t.parameter == value; });
  if (same != terms_.end()) {
    same->times += times;
  } else if (terms_.size() == kMostKinds) {
    return Error::invalid("mechanisms", std::to_string(kMostKinds + 1), fmt::format("must be at most {} different ones", kMostKinds));
  } else {
    terms_.push_back({kind, value, times});
  }
  times_ += times;
  return {};
}

Status Accountant::add_gaussian(const privacy::Mu& mu, std::uint64_t times) { return add(LossKind::Gaussian, mu.value(), times); }
Status Accountant::add_laplace(const privacy::Epsilon& epsilon, std::uint64_t times) {
  return add(LossKind::Laplace, epsilon.value(), times);
}

Status Accountant::add_response(const privacy::Epsilon& epsilon, const privacy::Delta& delta, std::uint64_t times) {
  TACET_CHECK(add(LossKind::Response, epsilon.value(), times));
  TACET_TRY(LossTerm term, LossTerm::of(epsilon, delta, times));
  if (!delta.value().is_zero()) responses_.push_back(std::move(term));
  return {};
}

Status Accountant::check() const {
  if (terms_.empty()) return Error::invalid("mechanisms", "an empty list", "must have at least one");
  return {};
}

Result<Bounds> Accountant::epsilon(const privacy::Delta& delta) const {
  TACET_CHECK(check());
  const std::string shown = delta.value().to_string();
  const long double target = to_long_double(delta.value());
  if (!(target > 0)) return Error::invalid("delta", shown, "must be greater than 0", "for example: 1e-6");
  if (responses_.empty()) return outward(composed_epsilon(terms_, target));
  TACET_TRY(const LossList struck, LossList::of(responses_));
  TACET_TRY(const long double left, struck.delta_left(delta));
  if (left < kSmallest / 2) return Error::invalid("delta", shown, "must be at least 1e-300 above what the deltas of the mechanisms use up");
  const long double most_left = std::min(target, left + 0x1p-40L * (target + struck.struck_upper()));
  return outward({composed_epsilon(terms_, most_left).lower, composed_epsilon(terms_, left).upper});
}

Result<Bounds> Accountant::delta(const privacy::Epsilon& epsilon) const {
  TACET_CHECK(check());
  const LongBounds pure = composed_delta(terms_, to_long_double(epsilon.value()));
  if (responses_.empty()) return outward(pure, 1);
  TACET_TRY(const LossList struck, LossList::of(responses_));
  const auto joined = [](long double some, long double other) { return some + (1 - some) * other; };
  return outward({joined(struck.struck_lower(), pure.lower), std::min(1.0L, joined(struck.struck_upper(), pure.upper))}, 1);
}

}  // namespace tacet::accounting
