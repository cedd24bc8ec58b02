#include "tacet/inference/counts/minimum_chi2.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "tacet/inference/block_sum.h"

namespace tacet::inference {
namespace {

constexpr int kMostSteps = 200;
/// Steps that neglect the second derivatives of p. For a table near the hypothesis four of them are
/// enough; far from it (all people in the diagonal of a 2 x 2 table) the minimum may be so flat
/// that thousands would not reach it.
constexpr int kGaussNewtonSteps = 12;
/// Of the central differences that give the second derivatives.
constexpr double kDifference = 1e-4;
/// A step that promises a smaller part of the statistic is the last.
constexpr double kSmallGain = 1e-13;
constexpr double kFirstDamping = 1e-3;
constexpr double kMostDamping = 1e12;
/// Prevents a division by zero for parameters that the table cannot distinguish.
constexpr double kRidge = 1e-14;

}  // namespace

class MinimumChi2::Work {
 public:
  Work(const NullModel& model, CellNoise noise)
      : model_(model),
        noise_(noise),
        d_(model.cells()),
        p_(d_),
        trial_(d_),
        deviations_(d_),
        pulled_(d_),
        jacobian_(d_ * model.parameters()) {}

  double df() const { return static_cast<double>(d_) - 1 - static_cast<double>(model_.parameters()); }

  double minimise(std::span<const double> values, std::optional<double> n, std::span<const double> middle) {
    open_n_ = !n.has_value();
    n_ = n ? *n : block_sum(values);
    scale_ = n_;
    theta_ = model_.guess(values);
    model_.probabilities(theta_, p_);
    set_middle(middle.empty() ? std::span<const double>(p_) : middle);
    double least = distance(values, p_, n_);
    steps(values, least);
    return least;
  }

  ChiFit result(double statistic) const { return {statistic, n_, theta_, p_, converged_}; }

 private:
  std::size_t parameters() const { return model_.parameters() + (open_n_ ? 1 : 0); }

  void set_middle(std::span<const double> p) {
    middle_.assign(p.begin(), p.end());
    t_ = noise_.variance / scale_;
    weights_.resize(d_);
    for (std::size_t i = 0; i < d_; ++i) weights_[i] = 1 / (p[i] + t_);
    g_ = block_sum(d_, [&](std::size_t i) { return p[i] * weights_[i]; });
  }

  /// Writes into pulled_: S^-1 v (n not public), or the matrix of the projected form times v (n
  /// public, v of sum 0).
  void pull(std::span<const double> v) {
    const double along = open_n_ ? block_sum(d_, [&](std::size_t i) { return middle_[i] * weights_[i] * v[i]; }) / (t_ * g_)
                                 : t_ / g_ * block_sum(d_, [&](std::size_t i) { return weights_[i] * v[i]; });
    for (std::size_t i = 0; i < d_; ++i) pulled_[i] = weights_[i] * (v[i] + along * (open_n_ ? middle_[i] : 1));
  }

  /// Sets deviations_ and pulled_ to those at (p, n).
  double distance(std::span<const double> values, std::span<const double> p, double n) {
    for (std::size_t i = 0; i < d_; ++i) deviations_[i] = values[i] - n * p[i];
    if (!open_n_) {
      const double mean = block_sum(deviations_) / static_cast<double>(d_);
      for (double& deviation : deviations_) deviation -= mean;
    }
    pull(deviations_);
    return block_sum(d_, [&](std::size_t i) { return deviations_[i] * pulled_[i]; }) / scale_;
  }

  /// Half the negative gradient and half the Gauss-Newton Hessian, by theta and the logarithm of
  /// n.
  void linearise() {
    const std::size_t s = model_.parameters();
    const auto size = static_cast<Eigen::Index>(parameters());
    model_.jacobian(theta_, p_, jacobian_);
    downhill_.setZero(size);
    curvature_.setZero(size, size);
    Eigen::VectorXd& row = row_;
    row.resize(size);
    along_.setZero(size);
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t k = 0; k < s; ++k) row[static_cast<Eigen::Index>(k)] = jacobian_[i * s + k];
      if (open_n_) row[size - 1] = p_[i];
      downhill_ += pulled_[i] * row;
      along_ += weights_[i] * (open_n_ ? middle_[i] : 1) * row;
      curvature_.selfadjointView<Eigen::Lower>().rankUpdate(row, weights_[i]);
    }
    curvature_.selfadjointView<Eigen::Lower>().rankUpdate(along_, open_n_ ? 1 / (t_ * g_) : t_ / g_);
    downhill_ *= n_ / scale_;
    curvature_ *= n_ * n_ / scale_;
    units_ = curvature_.diagonal();
    for (double& unit : units_) unit = unit > 0 ? 1 / std::sqrt(unit) : 0;
  }

  /// Makes the Gauss-Newton Hessian the whole one. Keeps it as it is beside a border of the
  /// parameter space.
  void add_second_derivatives() {
    const std::size_t s = model_.parameters();
    const auto size = static_cast<Eigen::Index>(s);
    bent_.setZero(size, size);
    for (const double step : {kDifference, -kDifference}) {
      for (std::size_t k = 0; k < s; ++k) {
        trial_theta_ = theta_;
        trial_theta_[k] += step;
        if (!model_.probabilities(trial_theta_, trial_)) return;
        model_.jacobian(trial_theta_, trial_, jacobian_);
        for (std::size_t i = 0; i < d_; ++i) {
          for (std::size_t l = 0; l < s; ++l)
            bent_(static_cast<Eigen::Index>(l), static_cast<Eigen::Index>(k)) += pulled_[i] * jacobian_[i * s + l] / (2 * step);
        }
      }
    }
    curvature_.topLeftCorner(size, size) -= n_ / scale_ * bent_;
    if (open_n_) curvature_.row(size) -= downhill_.transpose();
  }

  void steps(std::span<const double> values, double& least) {
    converged_ = parameters() == 0;
    double damping = 0;
    for (int step = 0; step < kMostSteps && !converged_; ++step) {
      linearise();
      if (step >= kGaussNewtonSteps) add_second_derivatives();
      const double before = least;
      for (;;) {
        const bool descends = solve(damping);
        if ((descends && !(step_.dot(downhill_) > kSmallGain * least)) || damping > kMostDamping) {
          converged_ = true;
          return;
        }
        if (descends && go(values, least)) break;
        damping = std::max(10 * damping, kFirstDamping);
      }
      // Near a border of the parameter space the predicted gain stays large and the true gain
      // vanishes.
      converged_ = damping <= 1 && before - least <= kSmallGain * before;
      damping = damping > kFirstDamping ? damping / 10 : 0;
    }
  }

  /// The step in units of each parameter's curvature, which nearly vanishes for parameters near a
  /// border. False if the damped Hessian is not positive definite.
  bool solve(double damping) {
    // The solver reads only the part below the diagonal.
    damped_ = units_.asDiagonal() * curvature_ * units_.asDiagonal();
    for (Eigen::Index k = 0; k < units_.size(); ++k) damped_(k, k) = (units_[k] > 0 ? damped_(k, k) : 1) + damping + kRidge;
    solver_.compute(damped_);
    if (solver_.info() != Eigen::Success) return false;
    step_ = units_.cwiseProduct(solver_.solve(units_.cwiseProduct(downhill_)));
    const double longest = step_.head(static_cast<Eigen::Index>(theta_.size())).lpNorm<Eigen::Infinity>();
    if (longest > model_.longest_step()) step_ *= model_.longest_step() / longest;
    return true;
  }

  /// Takes the step if the distance decreases.
  bool go(std::span<const double> values, double& least) {
    trial_theta_ = theta_;
    for (std::size_t k = 0; k < theta_.size(); ++k) trial_theta_[k] += step_[static_cast<Eigen::Index>(k)];
    const double n = open_n_ ? n_ * std::exp(step_[step_.size() - 1]) : n_;
    if (!std::isfinite(n) || !model_.probabilities(trial_theta_, trial_)) return false;
    const double reached = distance(values, trial_, n);
    if (!(reached < least)) {
      distance(values, p_, n_);  // restores deviations_ and pulled_
      return false;
    }
    std::swap(theta_, trial_theta_);
    std::swap(p_, trial_);
    n_ = n;
    least = reached;
    return true;
  }

  const NullModel& model_;
  CellNoise noise_;
  std::size_t d_;
  bool open_n_ = false, converged_ = false;
  double n_ = 1, scale_ = 1, t_ = 0, g_ = 1;
  std::vector<double> theta_, trial_theta_, p_, trial_, middle_, weights_, deviations_, pulled_, jacobian_;
  Eigen::VectorXd downhill_, along_, row_, step_, units_;
  Eigen::MatrixXd curvature_, bent_, damped_;
  Eigen::LLT<Eigen::MatrixXd> solver_;
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
