#include "tacet/inference/means/mean_errors.h"

#include <array>
#include <cmath>

#include "tacet/numeric/insecure_gamma.h"

namespace tacet::inference {

using Eigen::Index;
using Eigen::VectorXd;
using numeric::InsecureStream;

KnownErrors::KnownErrors(const NoisyMean& mean, const std::vector<double>& covariance, const std::vector<double>& sampling)
    : mean_(mean), mix_(Eigen::Map<const Matrix>(mean.mix.data(), static_cast<Index>(mean.dimension()), static_cast<Index>(mean.units))) {
  shared_.covariance = square_view(covariance, mean.dimension());
  shared_.factor.compute(shared_.covariance);
  if (!sampling.empty()) root_ = Eigen::LLT<Matrix>(square_view(sampling, mean.dimension())).matrixL();
}

const ErrorDraw& KnownErrors::draw(InsecureStream& stream) {
  VectorXd unit(mix_.cols());
  draw_unit_noise(mean_.family, mean_.draw_size, stream, {unit.data(), static_cast<std::size_t>(unit.size())});
  shared_.error = mix_ * unit;
  if (root_.size() > 0) {
    VectorXd normal(mix_.rows());
    stream.fill_normal({normal.data(), static_cast<std::size_t>(normal.size())});
    shared_.error += root_ * normal;
  }
  return shared_;
}

DrawnReleases::DrawnReleases(const NoisyMean& mean, const std::vector<double>& row_covariance)
    : observed_(mean.second_moments->parts.front()),
      release_(*mean.second_moments),
      people_(std::round(mean.people)),
      estimate_(vector_view(mean.estimate)),
      offset_(estimate_),
      root_(Eigen::LLT<Matrix>(square_view(row_covariance, mean.dimension())).matrixL()),
      unit_(mean.units + observed_.products.size()) {
  for (std::size_t j = 0; j < mean.dimension(); ++j) offset_[static_cast<Index>(j)] -= release_.columns[j].centre;
  // Eigen leaves a member of an empty factor unset, and moving it would read that member.
  drawn_.factor.compute(Matrix::Identity(root_.rows(), root_.cols()));
}

const ErrorDraw& DrawnReleases::draw(InsecureStream& stream) {
  draw_sample(stream);
  add_noise(stream);
  const NoisyMean mean = noisy_mean_alone(release_);
  const std::vector<double> noise = noise_covariance(mean);
  const std::vector<double> row = private_row_covariance(release_, mean);
  const std::size_t d = mean.dimension();
  drawn_.error = vector_view(mean.estimate) - estimate_;
  drawn_.covariance = square_view(noise, d) + square_view(row, d) / mean.people;
  drawn_.factor.compute(drawn_.covariance);
  return drawn_;
}

/// A sample mean, and a sample covariance divided by n.
void DrawnReleases::draw_sample(InsecureStream& stream) {
  const Index d = root_.rows();
  sample_mean_.resize(d);
  stream.fill_normal({sample_mean_.data(), static_cast<std::size_t>(d)});
  sample_mean_ = offset_ + root_ * sample_mean_ / std::sqrt(people_);
  Matrix triangle = Matrix::Zero(d, d);
  for (Index i = 0; i < d; ++i) {
    stream.fill_normal({triangle.row(i).data(), static_cast<std::size_t>(i + 1)});
    const double df = people_ - 1 - static_cast<double>(i);
    std::array<double, 1> gamma{};
    numeric::fill_gamma(stream, df / 2, gamma);
    triangle(i, i) = std::sqrt(2 * gamma[0]);
  }
  const Matrix half = root_ * triangle;
  second_ = half * half.transpose() / people_ + sample_mean_ * sample_mean_.transpose();
}

void DrawnReleases::add_noise(InsecureStream& stream) {
  draw_release_noise(release_, stream, unit_);
  mechanisms::GroupMoments& part = release_.parts.front();
  std::size_t next = 0;
  if (observed_.people.scale > 0) part.people.value = people_ + observed_.people.scale * unit_[next++];
  const auto d = static_cast<std::size_t>(root_.rows());
  for (std::size_t j = 0; j < d; ++j)
    part.sums[j].value = people_ * sample_mean_[static_cast<Index>(j)] + observed_.sums[j].scale * unit_[next++];
  std::size_t at = 0;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = j; k < d; ++k, ++at) {
      const double product = second_(static_cast<Index>(j), static_cast<Index>(k));
      part.products[at].value = people_ * product + observed_.products[at].scale * unit_[next++];
    }
  }
}

}  // namespace tacet::inference
