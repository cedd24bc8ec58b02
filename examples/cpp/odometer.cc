// How much privacy has been lost so far? An analyst explores: every next release is chosen after
// the last result was seen, and no budget was fixed in advance. An odometer gives a bound that
// holds at all times at once.
// SPDX-License-Identifier: Apache-2.0
#include "tacet/accounting/odometer.h"

#include <cstdint>
#include <cstdio>

#include "tacet/privacy/currency.h"
#include "tacet/privacy/filter.h"
#include "tacet/privacy/parameters.h"

namespace {

using tacet::accounting::Odometer;

struct Stage {
  const char* what;
  std::uint64_t releases;
  const char* epsilon;  // of each release
  const char* delta;    // 0: the release is pure
};

// Losses are exact decimals, so they are written as text: 0.1 three times is 0.3.
tacet::Result<tacet::privacy::Step> step_of(const Stage& stage) {
  using namespace tacet::privacy;
  TACET_TRY(const Epsilon epsilon, Epsilon::parse(stage.epsilon));
  TACET_TRY(const Delta delta, Delta::parse(stage.delta));
  return Step::of(delta.value().is_zero() ? pure_loss(epsilon) : approximate_loss(epsilon, delta));
}

void tell(const Odometer& odometer) {
  std::printf("  After %llu releases at most epsilon %.4f is spent; ", static_cast<unsigned long long>(odometer.steps()), odometer.bound());
  if (odometer.bound() < odometer.basic()) {
    std::printf("the epsilons alone add up to %.4f.\n", odometer.basic());
  } else {
    std::printf("this is the sum of the epsilons.\n");
  }
}

tacet::Status explore() {
  TACET_TRY(const tacet::privacy::Delta failure, tacet::privacy::Delta::parse("1e-6"));
  TACET_TRY(Odometer odometer, Odometer::of(failure, /*n=*/10'000));
  const Stage stages[] = {
      {"a first look: five tables", 5, "0.1", "0"},
      {"one count for each of 400 districts", 400, "0.01", "0"},
      {"the 600 streets of the districts that stood out", 600, "0.005", "1e-10"},
  };
  for (const Stage& stage : stages) {
    TACET_TRY(const tacet::privacy::Step step, step_of(stage));
    TACET_CHECK(odometer.spend(step, stage.releases));
    std::printf("%s, %llu x epsilon %s\n", stage.what, static_cast<unsigned long long>(stage.releases), stage.epsilon);
    tell(odometer);
  }
  std::printf("All these bounds hold together, except with probability 1e-6.\n");
  return {};
}

}  // namespace

int main() {
  const tacet::Status status = explore();
  if (!status) std::fprintf(stderr, "%s\n", status.error().message().c_str());
  return status ? 0 : 1;
}
