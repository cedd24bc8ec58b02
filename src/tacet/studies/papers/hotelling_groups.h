// tacet/studies/papers/hotelling_groups.h: two groups of rows as Dunsche, Kutta & Dette (2022)
// simulate them, released as the paper does it and as we do.
//
//   HotellingGroups groups = *HotellingGroups::of({.columns = 10, .people = 1000, .epsilon = 0.5});
//   numeric::InsecureStream stream(7, 0);
//   HotellingTrial trial = *groups.trial(stream);
//   trial.paper.bootstrap;                // whether test (3.3) rejects
//
// Rows are uniform on the cube of half width sqrt 3 (section 4), those of the second group moved by
// a/sqrt d in every column; or one column of the density exp(-2 t^2) on [-1, 1] (Example B). Up to
// 2000 people rows are drawn. For more people their mean and covariance are normal variables with
// the variances that uniform rows give them.
//
// The paper's release (Algorithms 1, 4 and 5) has epsilon/4 for each mean and each covariance.
// Where it cannot be followed, what it means is: the directions have the density that the text
// states (eigen/bingham.h), and the covariance is scaled back by d m^2. Our release is that of
// `release covariance --for two-sample` with public groups (workflow/plan/blank_release.h): each
// group has the whole of epsilon, as nobody is in both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <utility>

#include "tacet/base/result.h"
#include "tacet/inference/means/equal_means.h"
#include "tacet/inference/means/released_group.h"
#include "tacet/mechanisms/moment_release.h"
#include "tacet/numeric/insecure_stream.h"

namespace tacet::studies {

enum class HotellingRows : std::uint8_t { Uniform, ExampleB };

struct HotellingDesign {
  std::size_t columns, people;  // people in each group
  double epsilon;
  HotellingRows rows = HotellingRows::Uniform;
  double shift = 0;                         // a
  double half_width = std::numbers::sqrt3;  // m
  /// The paper's tests once more with this multiple of the variance of the noise of the means.
  std::optional<double> other_variance = {};
};

/// Tests (3.3) and (3.2) on one release: whether they reject.
struct PaperTests {
  bool bootstrap, asymptotic;
  double statistic;
};

struct HotellingTrial {
  PaperTests paper;
  std::optional<PaperTests> other;  // with the other variance
  bool ours;                        // test_equal_means on our release
};

/// The level and the draws of the paper, and the draws of ours.
inline constexpr double kHotellingAlpha = 0.05;
inline constexpr std::size_t kHotellingDraws = 200, kOurDraws = 199;

class HotellingGroups {
 public:
  static Result<HotellingGroups> of(const HotellingDesign& design);
  Result<HotellingTrial> trial(numeric::InsecureStream& stream) const;

 private:
  HotellingGroups(HotellingDesign design, mechanisms::MomentRelease blank) : design_(design), blank_(std::move(blank)) {}
  inference::RowAverages draw_averages(numeric::InsecureStream& stream, double shift) const;
  Result<inference::MeanSummary> paper_group(const inference::RowAverages& rows, numeric::InsecureStream& stream) const;

  HotellingDesign design_;
  mechanisms::MomentRelease blank_;
};

}  // namespace tacet::studies
