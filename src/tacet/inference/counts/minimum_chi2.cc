#include "tacet/inference/counts/minimum_chi2.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "tacet/inference/block_sum.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::inference {
namespace {

constexpr int kMostSteps = 200;
/// A step that promises a smaller part of the statistic is the last.
constexpr double kSmallGain = 1e-13;
/// A step that rounding errors do not let decrease the distance is no loss if it promises less.
constexpr double kSmallPromise = 1e-9;
/// A step is solved to this part of the gradient: the next one begins elsewhere anyway.
constexpr double kSmallResidual = 1e-2;
/// A direction with a smaller part of the Gauss-Newton curvature counts as one without.
constexpr double kSmallCurvature = 1e-3;
/// A step of this length in a parameter is not the last.
constexpr double kLongWay = 0.5;
constexpr double kFirstDamping = 1e-3;
constexpr double kMostDamping = 1e12;
/// Prevents a division by zero for parameters that the table cannot distinguish.
constexpr double kRidge = 1e-14;

/// The cells that are summed at once, so that rounding errors do not grow with the table.
constexpr std::size_t kBlock = 1024;

/// The sums of weights v^2 and of leading v, where v = values - n p - level.
struct Fold {
  double squares, along;
};
TACET_VECTORISED Fold fold_deviations(const double* values, const double* p, const double* weights, const double* leading, double n,
                                      double level, std::size_t count) {
  double squares[8] = {};
  double along[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      const double v = values[i + k] - n * p[i + k] - level;
      squares[k] += weights[i + k] * v * v;
      along[k] += leading[i + k] * v;
    }
  }
  for (; i < count; ++i) {
    const double v = values[i] - n * p[i] - level;
    squares[0] += weights[i] * v * v;
    along[0] += leading[i] * v;
  }
  const auto total = [](const double(&sums)[8]) {
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  };
  return {total(squares), total(along)};
}

}  // namespace

class MinimumChi2::Work {
 public:
  Work(const NullModel& model, CellNoise noise)
      : model_(model),
        noise_(noise),
        d_(model.cells()),
        derivative_(model.derivative()),
        s_(static_cast<Eigen::Index>(derivative_->directions())),
        p_(d_),
        trial_(d_),
        weights_(d_),
        leading_(d_),
        pulled_(d_) {}

  double df() const { return static_cast<double>(d_) - 1 - static_cast<double>(model_.parameters()); }

  double minimise(std::span<const double> values, std::optional<double> n, std::span<const double> middle) {
    open_n_ = !n.has_value();
    total_ = block_sum(values);
    n_ = n ? *n : total_;
    scale_ = n_;
    theta_ = model_.guess(values);
    model_.probabilities(theta_, p_);
    set_middle(middle.empty() ? std::span<const double>(p_) : middle);
    double least = distance(values, p_, n_);
    accepted_along_ = along_;
    steps(values, least);
    return least;
  }

  ChiFit result(double statistic) const { return {statistic, n_, theta_, p_, converged_}; }

 private:
  Eigen::Index size() const { return s_ + (open_n_ ? 1 : 0); }
  std::span<double> directions(Eigen::VectorXd& vector) const { return {vector.data(), derivative_->directions()}; }

  /// The matrix of the quadratic form is diag(weights_) + leading_weight_ leading_ leading_'.
  void set_middle(std::span<const double> p) {
    const double t = noise_.variance / scale_;
    for (std::size_t i = 0; i < d_; ++i) weights_[i] = 1 / (p[i] + t);
    for (std::size_t i = 0; i < d_; ++i) leading_[i] = weights_[i] * (open_n_ ? p[i] : 1);
    const double g = block_sum(d_, [&](std::size_t i) { return p[i] * weights_[i]; });
    leading_weight_ = open_n_ ? 1 / (t * g) : t / g;
  }

  /// The quadratic form of the deviations at (p, n). Sets along_.
  double distance(std::span<const double> values, std::span<const double> p, double n) {
    const double level = level_of(n);
    double squares = 0;
    along_ = 0;
    for (std::size_t from = 0; from < d_; from += kBlock) {
      const Fold fold = fold_deviations(values.data() + from, p.data() + from, weights_.data() + from, leading_.data() + from, n, level,
                                        std::min(kBlock, d_ - from));
      squares += fold.squares;
      along_ += fold.along;
    }
    return (squares + leading_weight_ * along_ * along_) / scale_;
  }

  /// If n is public, deviations have no mean: their sum is that of the values less n.
  double level_of(double n) const { return open_n_ ? 0 : (total_ - n) / static_cast<double>(d_); }

  double along_p(std::span<const double> f) const {
    return block_sum(d_, [&](std::size_t i) { return f[i] * p_[i]; });
  }

  /// Half the negative gradient by the directions and the logarithm of n, and what the Gauss-Newton
  /// Hessian needs.
  void linearise(std::span<const double> values) {
    // The product of the matrix and the deviations.
    const double along = leading_weight_ * accepted_along_;
    const double level = level_of(n_);
    for (std::size_t i = 0; i < d_; ++i) pulled_[i] = weights_[i] * (values[i] - n_ * p_[i] - level) + along * leading_[i];
    derivative_->at(theta_, p_);
    for (Eigen::VectorXd* vector : {&downhill_, &leading_slope_, &units_, &column_}) vector->setZero(size());
    derivative_->transposed(pulled_, directions(downhill_));
    derivative_->transposed(leading_, directions(leading_slope_));
    derivative_->diagonal(weights_, directions(units_));
    if (open_n_) {
      downhill_[s_] = along_p(pulled_);
      leading_slope_[s_] = along_p(leading_);
      for (std::size_t i = 0; i < d_; ++i) trial_[i] = weights_[i] * p_[i];
      derivative_->transposed(trial_, directions(column_));
      column_[s_] = along_p(trial_);
      units_[s_] = column_[s_];
    }
    downhill_ *= n_ / scale_;
    units_ += leading_weight_ * leading_slope_.cwiseAbs2();
    // The Gauss-Newton curvature of a share that vanishes does so faster than its slope. The second
    // derivative, which is at most the slope, keeps its unit from growing beyond all others.
    units_ = n_ * n_ / scale_ * units_ + downhill_.cwiseAbs();
    for (double& unit : units_) unit = unit > 0 ? 1 / std::sqrt(unit) : 0;
  }

  /// out = half the Gauss-Newton Hessian, which neglects the second derivatives of p, times x.
  void gauss_newton(const Eigen::VectorXd& x, Eigen::VectorXd& out) {
    out.setZero(size());
    derivative_->weighted(weights_, {x.data(), derivative_->directions()}, directions(out));
    if (open_n_) {
      out.head(s_) += column_.head(s_) * x[s_];
      out[s_] = column_.dot(x);
    }
    out += leading_weight_ * leading_slope_.dot(x) * leading_slope_;
    out *= n_ * n_ / scale_;
  }

  /// out = the part of the Hessian with the second derivatives of p, halved too, times x.
  void second_order(const Eigen::VectorXd& x, Eigen::VectorXd& out) {
    out.setZero(size());
    derivative_->second_derivative(pulled_, {x.data(), derivative_->directions()}, directions(out));
    out *= -n_ / scale_;
    if (!open_n_) return;
    out.head(s_) -= downhill_.head(s_) * x[s_];
    out[s_] -= downhill_.dot(x);
  }

  void steps(std::span<const double> values, double& least) {
    trial_theta_ = theta_;
    converged_ = size() == 0;
    double damping = 0;
    for (int step = 0; step < kMostSteps && !converged_; ++step) {
      linearise(values);
      const double before = least;
      double promised = -1;  // by the first step, which is damped least
      for (;;) {
        const double gain = solve(damping);
        if (promised < 0) promised = gain;
        if (gain <= kSmallGain * least || damping > kMostDamping) {
          converged_ = promised <= kSmallPromise * least;
          return;
        }
        if (go(values, least)) break;
        damping = std::max(10 * damping, kFirstDamping);
      }
      // Towards a border at infinity, steps of the same length would be many.
      extrapolate(values, least);
      // Near a border of the parameter space the predicted gain stays large and the true gain
      // vanishes.
      converged_ = damping <= 1 && before - least <= kSmallGain * before;
      damping = damping > kFirstDamping ? damping / 10 : 0;
    }
  }

  /// The step by conjugate gradients, in units of each parameter's curvature, which nearly vanishes
  /// for parameters near a border. Where the Hessian has a negative curvature, the step so far is
  /// the step: it leads downhill. Returns the gain that the step promises, before it is cut to the
  /// longest.
  double solve(double damping) {
    step_.setZero(size());
    residual_ = units_.cwiseProduct(downhill_);
    direction_ = residual_;
    double squares = residual_.squaredNorm();
    const double enough = kSmallResidual * kSmallResidual * squares;
    for (Eigen::Index k = 0; k < 2 * size() && squares > enough; ++k) {
      moved_ = units_.cwiseProduct(direction_);
      gauss_newton(moved_, gauss_newton_);
      gauss_newton_ = units_.cwiseProduct(gauss_newton_) + (damping + kRidge) * direction_;
      second_order(moved_, second_order_);
      second_order_ = units_.cwiseProduct(second_order_);
      const double positive = direction_.dot(gauss_newton_);
      const double curvature = positive + direction_.dot(second_order_);
      if (!(curvature > kSmallCurvature * positive)) {
        if (k == 0) step_ = squares / positive * direction_;
        break;
      }
      const double length = squares / curvature;
      step_ += length * direction_;
      residual_ -= length * (gauss_newton_ + second_order_);
      const double next = residual_.squaredNorm();
      direction_ = residual_ + next / squares * direction_;
      squares = next;
    }
    step_ = units_.cwiseProduct(step_);
    const double longest = step_.head(s_).lpNorm<Eigen::Infinity>();
    const double gain = step_.dot(downhill_);
    if (longest > model_.longest_step()) step_ *= model_.longest_step() / longest;
    return gain;
  }

  /// A border of the parameter space is infinitely far away, and Newton's steps towards it have the
  /// length 1: goes on as long as double the step leads further down.
  void extrapolate(std::span<const double> values, double& least) {
    do {
      if (step_.head(s_).lpNorm<Eigen::Infinity>() < kLongWay) return;
      step_ *= 2;
    } while (go(values, least));
  }

  /// Takes the step if the distance decreases.
  bool go(std::span<const double> values, double& least) {
    derivative_->move(theta_, directions(step_), trial_theta_);
    const double n = open_n_ ? n_ * std::exp(step_[s_]) : n_;
    if (!std::isfinite(n) || !model_.probabilities(trial_theta_, trial_)) return false;
    const double reached = distance(values, trial_, n);
    if (!(reached < least)) return false;
    std::swap(theta_, trial_theta_);
    std::swap(p_, trial_);
    n_ = n;
    accepted_along_ = along_;
    least = reached;
    return true;
  }

  const NullModel& model_;
  CellNoise noise_;
  std::size_t d_;
  std::unique_ptr<ModelDerivative> derivative_;
  Eigen::Index s_;  // directions
  bool open_n_ = false, converged_ = false;
  double total_ = 0, n_ = 1, scale_ = 1, leading_weight_ = 0, along_ = 0, accepted_along_ = 0;
  std::vector<double> theta_, trial_theta_, p_, trial_, weights_, leading_, pulled_;
  Eigen::VectorXd downhill_, leading_slope_, units_, column_, second_order_, moved_, step_, residual_, direction_, gauss_newton_;
};

MinimumChi2::MinimumChi2(const NullModel& model, CellNoise noise) : work_(std::make_unique<Work>(model, noise)) {}
MinimumChi2::~MinimumChi2() = default;

ChiFit MinimumChi2::fit(std::span<const double> values, std::optional<double> n) { return fit_with(values, n, {}); }

ChiFit MinimumChi2::fit_with(std::span<const double> values, std::optional<double> n, std::span<const double> middle) {
  const double least = work_->minimise(values, n, middle);
  return work_->result(least);
}

double MinimumChi2::statistic(std::span<const double> values, std::optional<double> n) { return work_->minimise(values, n, {}); }

double MinimumChi2::df() const { return work_->df(); }

}  // namespace tacet::inference
