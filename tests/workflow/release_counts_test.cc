#include "tacet/workflow/release/release_counts.h"

#include <gtest/gtest.h>

#include "tacet/schemas/schema_text.h"
#include "tacet/workflow/custody/create_budget.h"

#include "service/desk.h"

namespace tacet {
namespace {

class ReleaseCountsTest : public ::testing::Test {
 protected:
  ReleaseCountsTest() { EXPECT_TRUE(create_budget({.schema = *schemas::read_schema(desk_.path("people.toml")), .total = Rho(10)}).ok()); }
  Result<Published<CountRelease>> release(const CountRequest& request) const {
    return release_counts(*Dataset::open({.ledger = desk_.path("people.ledger"), .data = desk_.path("people.csv")}), request);
  }
  kernel::NoiseFamily family(const PrivacyAmount& loss) const {
    const auto published = release({.by = {"sex", "plan"}, .loss = loss});
    EXPECT_TRUE(published.ok()) << published.error().message();
    return published->release.noise.family;
  }

 private:
  test::Desk desk_;
};

TEST_F(ReleaseCountsTest, TheLossChoosesTheMechanismIfNoneIsAskedFor) {
  EXPECT_EQ(family(Epsilon("0.5")), kernel::NoiseFamily::Laplace);
  EXPECT_EQ(family(EpsilonDelta("0.5", "0")), kernel::NoiseFamily::Laplace);
  EXPECT_EQ(family(EpsilonDelta("0.5", "1e-6")), kernel::NoiseFamily::Gaussian);
  EXPECT_EQ(family(Rho("0.1")), kernel::NoiseFamily::Gaussian);
  EXPECT_EQ(family(Mu("0.1")), kernel::NoiseFamily::Gaussian);
}

TEST_F(ReleaseCountsTest, AMechanismThatDoesNotFitTheLossIsRefused) {
  EXPECT_EQ(
      release({.by = {"sex"}, .mechanism = CountMechanism::Gaussian, .loss = Epsilon("0.5")}).error().message(),
      "mechanism is gaussian, but must be asked for with rho, mu, or epsilon and delta: Gaussian noise is never pure; use mechanism = "
      "laplace epsilon = E, which every budget pays, or mechanism = gaussian epsilon = E delta = D, which all but one in epsilon "
      "alone pay");
  EXPECT_EQ(release({.by = {"sex"}, .mechanism = CountMechanism::Laplace, .loss = EpsilonDelta("0.5", "1e-6")}).error().message(),
            "mechanism is laplace, but must be asked for with epsilon alone, rho or mu: Laplace noise needs no delta; for example: "
            "mechanism = laplace epsilon = 0.5");
}

}  // namespace
}  // namespace tacet
