// Writes 20,000 synthetic patients as CSV: smoking, disease, age group and six blood values. Nobody
// in it exists.
//
//   make_patients > patients.csv
//
// The blood values (mg/dl) have the covariance printed in Shoham & Rinott, "Adjusting Queries to
// Statistical Procedures Under Differential Privacy", section 4. The seed is fixed and the
// generator is our own arithmetic, so that everybody gets the same file.
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string_view>

#include <fmt/core.h>

namespace {

constexpr int kPatients = 20'000;
constexpr std::uint64_t kSeed = 1597;
constexpr std::size_t kValues = 6;
using Matrix = std::array<std::array<double, kValues>, kValues>;

constexpr std::array<std::string_view, kValues> kNames = {"cholesterol", "hdl", "apo_a1", "ldl", "total_lipid", "glucose"};
constexpr std::array<double, kValues> kMeans = {200, 55, 150, 120, 600, 95};
constexpr Matrix kCovariance = {{{1600, -160, -400, 840, 800, -40},
                                 {-160, 400, 160, -175, -200, 0},
                                 {-400, 160, 1600, 280, 600, 0},
                                 {840, -175, 280, 1225, 700, -35},
                                 {800, -200, 600, 700, 2500, -50},
                                 {-40, 0, 0, -35, -50, 100}}};

class Generator {
 public:
  /// Uniform on (0, 1).
  double uniform() { return (static_cast<double>(words_() >> 11U) + 0.5) * 0x1p-53; }
  /// Box and Muller; std::normal_distribution differs between libraries.
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  /// An index with probability proportional to its weight.
  template <std::size_t N>
  std::size_t pick(const std::array<double, N>& weights) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double at = uniform() * total;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      if (at < weights[i]) return i;
      at -= weights[i];
    }
    return N - 1;
  }

 private:
  std::mt19937_64 words_{kSeed};  // the same people every time: NOLINT(bugprone-random-generator-seed)
};

Matrix cholesky(const Matrix& a) {
  Matrix l{};
  for (std::size_t i = 0; i < kValues; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  return l;
}

// The last of each is what real files have too: an answer nobody declared, and a missing one.
constexpr std::array<std::string_view, 5> kSmoking = {"never", "former", "current", "pipe on Sundays", ""};
constexpr std::array<double, 5> kSmokingWeights = {0.55, 0.25, 0.19, 0.004, 0.006};
constexpr std::array<std::string_view, 3> kDisease = {"none", "heart", "lung"};
constexpr std::array<std::string_view, 3> kAge = {"18-39", "40-59", "60+"};
constexpr std::array<double, 3> kAgeWeights = {0.38, 0.34, 0.28};

}  // namespace

int main() {
  Generator random;
  const Matrix factor = cholesky(kCovariance);
  fmt::print("smoking,disease,age_group");
  for (const std::string_view name : kNames) fmt::print(",{}", name);
  fmt::print("\n");
  for (int i = 0; i < kPatients; ++i) {
    const std::size_t age = random.pick(kAgeWeights);
    const std::size_t smoking = random.pick(kSmokingWeights);
    const double years = static_cast<double>(age);
    const double exposure = smoking == 2 ? 1.0 : smoking == 1 ? 0.5 : 0.0;
    const std::size_t disease =
        random.pick(std::array<double, 3>{1.0, 0.02 + 0.04 * years + 0.03 * exposure, 0.004 + 0.05 * exposure * (0.3 + years)});
    std::array<double, kValues> z{};
    for (double& value : z) value = random.normal();
    fmt::print("{},{},{}", kSmoking[smoking], kDisease[disease], kAge[age]);
    for (std::size_t row = 0; row < kValues; ++row) {
      double value = kMeans[row];
      for (std::size_t column = 0; column <= row; ++column) value += factor[row][column] * z[column];
      fmt::print(",{:.1f}", value);
    }
    fmt::print("\n");
  }
  return 0;
}
