#include "tacet/eigen/release_eigen.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <gmpxx.h>

#include "tacet/eigen/bingham.h"
#include "tacet/eigen/noisy_directions.h"
#include "tacet/exact/rounded_noise.h"
#include "tacet/exact/uniform.h"
#include "tacet/kernel/scale_check.h"
#include "tacet/kernel/vault.h"
#include "tacet/mechanisms/noise_plan.h"

namespace tacet::eigen {
namespace {

using kernel::BoxSensitivity;
using kernel::Grant;
using kernel::kMostColumns;
using kernel::NoiseFamily;
using kernel::NumbersPlan;
using kernel::Relation;
using kernel::Sensitive;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Eigenvalues are rounded to multiples of 2^-26 before noise: 64 of them change by 2^-20 in sum,
// which their scale pays for.
constexpr int kEigenvalueLog2 = 26;
constexpr double kRounding = 0x1p-20;
constexpr double kLargestScale = 0x1p30;  // of an eigenvalue
constexpr double kTicksPerScale = 1024;
constexpr int kFinestGrid = 50;
constexpr double kMostTicks = 0x1p80;  // one person's change: safe below 2^45 rows
constexpr double kSlack = 0x1p-40;     // far more than the rounding when epsilon is divided

std::size_t product_count(std::size_t columns) { return columns * (columns + 1) / 2; }

Status check_box(const BoxSensitivity& box, const std::vector<double>& weights) {
  if (box.outer_products == 0) {
    return Error::of(Code::Unsupported, "the mechanism ED is for second moments, and these values are none",
                     "release a covariance or a second-moment, or use Laplace noise");
  }
  if (box.outer_products > kMostColumns)
    return Error::invalid("columns", fmt::format("{}", box.outer_products), fmt::format("must be at most {}", kMostColumns));
  // The values of a stretch, and one more.
  const std::size_t values = weights.size() + product_count(box.outer_products);
  if (weights.empty() || box.groups == 0 || box.most.size() != (values - 1) * box.groups)
    return Error::of(Code::Internal, "a stretch must have a weight for every value before its products, and one for these");
  return {};
}

/// The values before the products, and one value of sensitivity 1 instead of the products: its
/// noise gives their epsilon.
BoxSensitivity shared_box(const BoxSensitivity& box, std::size_t stretch, std::size_t before) {
  BoxSensitivity shared{box.relation, {}, box.groups, box.touched};
  for (std::size_t group = 0; group < box.groups; ++group) {
    for (std::size_t j = 0; j < before; ++j) shared.most.push_back(box.most[group * stretch + j]);
    shared.most.push_back(1);
  }
  return shared;
}

int grid_for(double scale) {
  int k = 0;
  while (std::ldexp(scale, k) < kTicksPerScale) ++k;
  return k;
}

/// The bounds of one person in one stretch: the square (j, j) is where row j of the products
/// begins.
void add_products(const BoxSensitivity& box, std::size_t from, EigenPlan& plan) {
  const std::size_t d = plan.columns;
  std::vector<double> half_width;
  for (std::size_t j = 0; j < d; ++j) {
    const Int128 square = box.most[from + j * d - j * (j + 1) / 2 + j];
    half_width.push_back(std::sqrt(static_cast<double>(std::max<Int128>(square, 1))));
  }
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      plan.numbers.scale.push_back(plan.eigenvalue_scale * static_cast<double>(d) * half_width[j] * half_width[k]);
      plan.numbers.grid_log2.push_back(grid_for(plan.numbers.scale.back()));
    }
  }
  plan.half_width.insert(plan.half_width.end(), half_width.begin(), half_width.end());
}

/// C_1 of one stretch.
Matrix scaled_moments(const Int128* products, const double* half_width, std::size_t d) {
  const auto size = static_cast<Eigen::Index>(d);
  Matrix moments(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index k = j; k < size; ++k) {
      moments(j, k) = static_cast<double>(*products++) / (static_cast<double>(d) * half_width[j] * half_width[k]);
      moments(k, j) = moments(j, k);
    }
  }
  return moments;
}

/// Eigenvalues with exact noise, the largest first.
Vector noisy_eigenvalues(const Matrix& moments, const exact::RoundedNoise& noise, exact::RandomBits& bits) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(moments, Eigen::EigenvaluesOnly);
  Vector values = solver.eigenvalues().reverse();
  for (double& value : values) {
    const auto rounded = static_cast<Int128>(std::nearbyint(std::ldexp(value, kEigenvalueLog2)));
    value = std::ldexp(static_cast<double>(rounded + noise.draw(bits)), -kEigenvalueLog2);
  }
  return values;
}

/// One stretch of products: appends their ticks and eigenvalues.
Status add_stretch(const std::vector<Int128>& values, std::size_t group, exact::RandomBits& bits, NoisyEigen& noisy) {
  const EigenPlan& plan = noisy.plan;
  const std::size_t d = plan.columns;
  const std::size_t from = (group + 1) * plan.stretch - product_count(d);
  const double* half_width = plan.half_width.data() + group * d;
  TACET_TRY(const auto noise, exact::RoundedNoise::laplace(std::ldexp(plan.eigenvalue_scale, kEigenvalueLog2)));
  const Matrix moments = scaled_moments(values.data() + from, half_width, d);
  const Vector eigenvalues = noisy_eigenvalues(moments, noise, bits);
  const auto draw = [&bits](const BinghamDirection& bingham) { return bingham.draw(bits); };
  TACET_TRY(const Matrix directions, noisy_directions(moments, plan.concentration, draw));
  const Matrix published = directions * eigenvalues.asDiagonal() * directions.transpose() * static_cast<double>(d);
  noisy.eigenvalues.insert(noisy.eigenvalues.end(), eigenvalues.begin(), eigenvalues.end());
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k) {
      const double product = published(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)) * half_width[j] * half_width[k];
      // The last bits might reveal more in floating point than real arithmetic promises; they are
      // rounded away.
      const int grid = plan.numbers.grid_log2[noisy.numbers.ticks.size()];
      constexpr double kLargest = 0x1p126;
      noisy.numbers.ticks.push_back(static_cast<Int128>(std::clamp(std::nearbyint(std::ldexp(product, grid)), -kLargest, kLargest)));
    }
  }
  return {};
}

Status add_noise(const std::vector<Int128>& values, exact::RandomBits& bits, NoisyEigen& noisy) {
  const EigenPlan& plan = noisy.plan;
  const std::size_t before = plan.stretch - product_count(plan.columns);
  try {
    for (std::size_t group = 0; group * plan.stretch < values.size(); ++group) {
      for (std::size_t j = group * plan.stretch; j < group * plan.stretch + before; ++j) {
        TACET_TRY(const auto noise, exact::RoundedNoise::laplace(std::ldexp(plan.numbers.scale[j], plan.numbers.grid_log2[j])));
        const auto scaled = checked_multiply<Int128>(values[j], Int128{1} << plan.numbers.grid_log2[j]);
        const auto sum = scaled ? checked_add<Int128>(*scaled, noise.draw(bits)) : std::nullopt;
        if (!sum) return Error::of(Code::Internal, "a noisy value does not fit 128 bits");
        noisy.numbers.ticks.push_back(*sum);
      }
      TACET_CHECK(add_stretch(values, group, bits, noisy));
    }
  } catch (const exact::EntropyFailure&) {
    return Error::of(Code::EntropyUnavailable, "the operating system gave no random bits, so nothing was published");
  }
  return {};
}

/// In one dimension zz' - yy' is a number between -1 and 1.
int change_of(const BoxSensitivity& box) { return box.relation.kind() == Relation::ReplaceOne && box.outer_products > 1 ? 2 : 1; }

mpq_class exact_bound(Int128 most) { return mpq_class(exact::to_big(static_cast<UInt128>(most))); }

/// The loss of one person in a stretch, in real arithmetic: the values before the products, the
/// eigenvalues, and all directions except the last.
mpq_class spent_in_stretch(const EigenPlan& plan, const BoxSensitivity& box, std::size_t group) {
  const mpq_class change = change_of(box);
  mpq_class spent = (change + mpq_class(kRounding)) / mpq_class(plan.eigenvalue_scale) +
                    change * mpq_class(plan.concentration) * static_cast<unsigned long>(plan.columns - 1);
  const std::size_t before = plan.stretch - product_count(plan.columns);
  for (std::size_t j = group * plan.stretch; j < group * plan.stretch + before; ++j)
    spent += exact_bound(box.most[j]) / mpq_class(plan.numbers.scale[j]);
  return spent;
}

/// Checks one stretch: sizes and grids fit, and z_j = x_j/(m_j sqrt d) has a length of at most 1.
bool fits(const EigenPlan& plan, const BoxSensitivity& box, std::size_t group) {
  const std::size_t d = plan.columns;
  const std::size_t from = (group + 1) * plan.stretch - product_count(d);
  for (std::size_t j = 0; j < d; ++j) {
    const mpq_class half_width(plan.half_width[group * d + j]);
    const Int128 square = box.most[from + j * d - j * (j + 1) / 2 + j];
    if (half_width * half_width * mpq_class(1 + kSlack) < exact_bound(square)) return false;
  }
  for (std::size_t j = group * plan.stretch; j < (group + 1) * plan.stretch; ++j) {
    const int grid = plan.numbers.grid_log2[j];
    if (!(plan.numbers.scale[j] > 0) || grid < 0 || grid > kFinestGrid || box.most[j] < 0) return false;
    if (j < from && exact_bound(box.most[j]) * mpq_class(std::ldexp(1.0, grid)) > mpq_class(kMostTicks)) return false;
  }
  return true;
}

/// As kernel/scale_check.h: the plan is not trusted.
Status check_plan(const EigenPlan& plan, const BoxSensitivity& box, const privacy::Loss& loss) {
  const std::size_t d = box.outer_products;
  const std::size_t size = plan.stretch * box.groups;
  const bool whole = d > 0 && d <= kMostColumns && plan.columns == d && box.groups > 0 && box.touched >= 1 && box.touched <= box.groups &&
                     size == box.most.size() && size == plan.numbers.scale.size() && size == plan.numbers.grid_log2.size() &&
                     plan.stretch >= product_count(d) && plan.half_width.size() == d * box.groups;
  bool fine = whole && plan.eigenvalue_scale > 0 && plan.eigenvalue_scale <= kLargestScale && plan.concentration > 0;
  mpq_class most = 0;
  for (std::size_t group = 0; fine && group < box.groups; ++group) {
    fine = fits(plan, box, group);
    if (fine) most = std::max(most, spent_in_stretch(plan, box, group));
  }
  if (!fine)
    return Error::of(Code::Internal, "a plan must have the values and the products of its box", "report it: a plan of noise is wrong");
  return kernel::check_pure(most * static_cast<unsigned long>(box.touched), loss);
}

}  // namespace

Result<EigenPlan> plan_eigen(const BoxSensitivity& box, const std::vector<double>& weights, const privacy::Loss& loss) {
  TACET_CHECK(check_box(box, weights));
  const std::size_t d = box.outer_products;
  const std::size_t before = weights.size() - 1;
  EigenPlan plan{{NoiseFamily::Laplace, {}, {}}, d, before + product_count(d), 0, 0, 0, {}};
  TACET_TRY(const NumbersPlan shared, mechanisms::plan_numbers(NoiseFamily::Laplace, shared_box(box, plan.stretch, before), weights, loss));
  plan.epsilon = 1 / shared.scale[before] * (1 - kSlack);
  const double step = plan.epsilon / static_cast<double>(d) * (1 - kSlack);
  const double change = change_of(box);
  plan.concentration = step / change * (1 - kSlack);
  plan.eigenvalue_scale = (change + kRounding) / step * (1 + kSlack);
  if (plan.eigenvalue_scale > kLargestScale) {
    return Error::invalid(
        "epsilon", fmt::format("{}", plan.epsilon),
        fmt::format("must be at least {} for the products of {} columns", static_cast<double>(d) * change / kLargestScale, d),
        "ask for more epsilon, rho or mu");
  }
  for (std::size_t group = 0; group < box.groups; ++group) {
    for (std::size_t j = 0; j < before; ++j) {
      plan.numbers.scale.push_back(shared.scale[group * (before + 1) + j]);
      plan.numbers.grid_log2.push_back(shared.grid_log2[group * (before + 1) + j]);
    }
    add_products(box, group * plan.stretch + before, plan);
  }
  return plan;
}

Result<Idealised<NoisyEigen>> release_eigen(Sensitive<std::vector<Int128>, BoxSensitivity>&& statistic, const EigenPlan& plan,
                                            Grant&& grant, exact::RandomBits& bits) {
  TACET_CHECK(grant.check_for(statistic.sensitivity().relation, statistic.dataset()));
  if (!grant.idealised()) {
    return Error::of(Code::Internal, "the grant was charged for exact noise, and that of ED is idealised")
        .after_charge(grant.spent_words());
  }
  const Grant consumed = std::move(grant);
  const std::string spent = consumed.spent_words();
  if (Status status = check_plan(plan, statistic.sensitivity(), consumed.loss()); !status.ok())
    return std::move(status).error().after_charge(spent);
  const Relation relation = statistic.sensitivity().relation;
  const auto opened = kernel::Vault::trusted_open(std::move(statistic));
  const std::vector<Int128>& values = *opened;
  if (values.size() != plan.numbers.scale.size())
    return Error::of(Code::Internal, "a box must have a bound for every coordinate").after_charge(spent);
  NoisyEigen noisy{{{}, plan.numbers, relation, consumed.loss(), consumed.receipt()}, plan, {}};
  if (Status status = add_noise(values, bits, noisy); !status.ok()) return std::move(status).error().after_charge(spent);
  return Idealised<NoisyEigen>(std::move(noisy));
}

}  // namespace tacet::eigen
