// A simulated group has the averages of its rows and the noise that the release states.
#include "tacet/inference/means/released_group.h"

#include <vector>

#include <gtest/gtest.h>

#include "tacet/studies/levels/drawn_means.h"

namespace tacet::inference::released_group_test {
namespace {

using mechanisms::GroupMoments;

mechanisms::MomentRelease blank(bool private_count) {
  auto release = studies::exact_release({.columns = {studies::column("a", -1, 1), studies::column("b", -10, 30)},
                                         .family = "gaussian",
                                         .mu = 1,
                                         .private_count = private_count},
                                        {});
  release.parts[0].people.value = 50;
  return release;
}

const RowAverages kRows{.mean = {0.1, 4}, .second = {0.3, 1, 1, 70}};

TEST(DrawGroup, IsTheSumsOfItsRowsWhereNothingHasNoise) {
  mechanisms::MomentRelease release = blank(true);
  release.parts[0].people.scale = 0;
  for (auto* list : {&release.parts[0].sums, &release.parts[0].products}) {
    for (mechanisms::NoisyNumber& number : *list) number.scale = 0;
  }
  numeric::InsecureStream stream(1, 0);
  const GroupMoments part = draw_group(release, 0, kRows, stream);
  EXPECT_EQ(part.people.value, 50);
  EXPECT_DOUBLE_EQ(part.sums[0].value, 5);
  EXPECT_DOUBLE_EQ(part.sums[1].value, 200);
  EXPECT_DOUBLE_EQ(part.products[0].value, 15);
  EXPECT_DOUBLE_EQ(part.products[1].value, 50);
  EXPECT_DOUBLE_EQ(part.products[2].value, 3500);
}

// The noise is that of draw_release_noise, number by number: the count, the sums, the products.
TEST(DrawGroup, HasTheNoiseOfTheReleaseTimesItsScales) {
  for (const bool private_count : {false, true}) {
    const mechanisms::MomentRelease release = blank(private_count);
    numeric::InsecureStream stream(2, 0), again(2, 0);
    const GroupMoments part = draw_group(release, 0, kRows, stream);
    std::vector<double> unit(private_count ? 6 : 5);
    draw_release_noise(release, again, unit);
    std::size_t next = 0;
    const GroupMoments& scales = release.parts[0];
    if (private_count) {
      EXPECT_DOUBLE_EQ(part.people.value, 50 + scales.people.scale * unit[next++]);
    } else {
      EXPECT_EQ(part.people.value, 50);
    }
    for (std::size_t j = 0; j < 2; ++j) EXPECT_DOUBLE_EQ(part.sums[j].value, 50 * kRows.mean[j] + scales.sums[j].scale * unit[next++]);
    const std::vector<double> products = {0.3, 1, 70};
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_DOUBLE_EQ(part.products[j].value, 50 * products[j] + scales.products[j].scale * unit[next++]);
  }
}

}  // namespace
}  // namespace tacet::inference::released_group_test
