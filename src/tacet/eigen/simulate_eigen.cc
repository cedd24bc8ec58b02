#include "tacet/eigen/simulate_eigen.h"

#include <vector>

#include <fmt/format.h>

#include "tacet/eigen/noisy_directions.h"
#include "tacet/kernel/sensitive.h"
#include "tacet/mechanisms/eigen_matrix.h"

namespace tacet::eigen {
namespace {

Status check_simulated(const mechanisms::Matrix& matrix, const EigenNoise& noise) {
  if (matrix.rows < 1 || matrix.rows > kernel::kMostColumns || matrix.columns != matrix.rows) {
    return Error::invalid("matrix", fmt::format("{} x {}", matrix.rows, matrix.columns),
                          fmt::format("must be a square matrix of 1 to {} columns", kernel::kMostColumns));
  }
  if (!(noise.scale > 0)) return Error::invalid("scale", fmt::format("{}", noise.scale), "must be greater than 0");
  if (!(noise.concentration > 0)) return Error::invalid("concentration", fmt::format("{}", noise.concentration), "must be greater than 0");
  return {};
}

}  // namespace

Result<mechanisms::Matrix> simulate_eigen(const mechanisms::Matrix& matrix, const EigenNoise& noise, numeric::InsecureStream& stream) {
  TACET_CHECK(check_simulated(matrix, noise));
  const Eigen::MatrixXd given = mechanisms::matrix_view(matrix);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(given, Eigen::EigenvaluesOnly);
  std::vector<double> laplace(matrix.rows);
  stream.fill_laplace(laplace);
  Eigen::VectorXd values = solver.eigenvalues().reverse() + noise.scale * mechanisms::vector_view(laplace);
  if (noise.absolute) values = values.cwiseAbs().eval();
  const auto draw = [&stream](const BinghamDirection& bingham) { return bingham.simulate(stream); };
  TACET_TRY(const Eigen::MatrixXd directions, noisy_directions(given, noise.concentration, draw));
  return mechanisms::matrix_from(directions * values.asDiagonal() * directions.transpose());
}

}  // namespace tacet::eigen
