#include "tacet/numeric/insecure_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "tacet/numeric/vector_math.h"

namespace tacet::numeric {
namespace {

/// Below this mean the search from 0 is short, and the rejection is not proven.
constexpr double kLeastMeanToReject = 10;
/// The part of the uniform variable that the quick step may use (Hoermann 1993, BTRD).
constexpr double kQuick = 0.86;
constexpr std::size_t kPass = 256;

/// The success of one trial, at most 1/2, and what counts instead where it was not.
struct Chance {
  double p, q;
  bool mirrored;
};

Chance chance(double p, double q) { return p <= q ? Chance{p, q, false} : Chance{q, p, true}; }

/// log k! - k log k + k: the part of Stirling's formula that is left when the entropy is taken apart.
double stirling_rest(double k) {
  if (k < 1) return 0;
  if (k < 10) return std::lgamma(k + 1) - k * std::log(k) + k;
  const double inverse = 1 / k;
  const double square = inverse * inverse;
  return 0.5 * std::log(2 * std::numbers::pi * k) +
         inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));
}

/// (1 + t) log(1 + t) - t.
double divergence(double t) { return t <= -1 ? 1 : (1 + t) * std::log1p(t) - t; }

/// The logarithm of the probability of k, up to a constant. Differences from the mean are taken first, so that nothing large cancels.
double log_probability(double n, double p, double q, double k) {
  const double from_mean = k - n * p;
  return -n * p * divergence(from_mean / (n * p)) - n * q * divergence(-from_mean / (n * q)) - stirling_rest(k) - stirling_rest(n - k);
}

double invert(InsecureStream& stream, double n, double p, double q) {
  const double ratio = p / q;
  const double none = std::exp(n * std::log1p(-p));
  // A sum of probabilities that rounding kept below the uniform variable would search for ever: start again.
  constexpr double kFarthest = 150;
  for (;;) {
    double left = stream.uniform();
    double probability = none;
    for (double k = 0; k <= std::min(n, kFarthest); ++k) {
      if (left <= probability) return k;
      left -= probability;
      probability *= ratio * (n - k) / (k + 1);
    }
  }
}

/// What BTRD needs of n, p and q = 1 - p >= p.
struct Hat {
  Hat(double people, double success, double failure)
      : n(people),
        p(success),
        q(failure),
        variance(n * p * q),
        b(1.15 + 2.53 * std::sqrt(variance)),
        a(-0.0873 + 0.0248 * b + 0.01 * p),
        c(n * p + 0.5),
        quick(0.92 - 4.2 / b) {}

  double point(double u) const { return std::floor((2 * a / (0.5 - std::abs(u)) + b) * u + c); }
  /// Steps 2 and 3 of BTRD, for a uniform v above kQuick * quick and another uniform w: the count, or nothing when it is rejected.
  std::optional<double> slow(double v, double w) const;

  double n, p, q, variance, b, a, c, quick;
};

std::optional<double> Hat::slow(double v, double w) const {
  double u = 0;
  if (v >= quick) {
    u = w - 0.5;
  } else {
    u = v / quick - 0.93;
    u = std::copysign(0.5, u) - u;
    v = w * quick;
  }
  const double us = 0.5 - std::abs(u);
  const double k = point(u);
  if (!(k >= 0 && k <= n)) return std::nullopt;
  const double alpha = (2.83 + 5.1 / b) * std::sqrt(variance);
  v *= alpha / (a / (us * us) + b);
  const double mode = std::floor((n + 1) * p);
  const double away = std::abs(k - mode);
  constexpr double kFewSteps = 15;
  if (away <= kFewSteps) {
    const double ratio = p / q;
    const double scaled = (n + 1) * ratio;
    double f = 1;
    for (double i = mode + 1; i <= k; ++i) f *= scaled / i - ratio;
    for (double i = k + 1; i <= mode; ++i) v *= scaled / i - ratio;
    if (v <= f) return k;
    return std::nullopt;
  }
  const double log_v = branchless_log(v);
  const double slack = (away / variance) * (((away / 3 + 0.625) * away + 1.0 / 6) / variance + 0.5);
  const double normal = -away * away / (2 * variance);
  if (log_v < normal - slack) return k;
  if (log_v > normal + slack) return std::nullopt;
  if (log_v <= log_probability(n, p, q, k) - log_probability(n, p, q, mode)) return k;
  return std::nullopt;
}

double reject(InsecureStream& stream, const Hat& hat) {
  for (;;) {
    const double v = stream.uniform();
    if (v <= kQuick * hat.quick) return hat.point(v / hat.quick - 0.43);
    if (const auto k = hat.slow(v, stream.uniform())) return *k;
  }
}

/// log1p and what is built on it, without branches. Domain t > -1.
TACET_INLINE double branchless_divergence(double t) {
  const double sum = 1 + t;
  return sum * branchless_log(sum) + (t - (sum - 1)) - t;
}

/// The same by its series, for a t of at most 1/10: the mode is that near to the mean.
TACET_INLINE double small_divergence(double t) {
  return t * t *
         (1.0 / 2 -
          t * (1.0 / 6 - t * (1.0 / 12 - t * (1.0 / 20 - t * (1.0 / 30 - t * (1.0 / 42 - t * (1.0 / 56 - t * (1.0 / 72 - t / 90))))))));
}

/// Stirling's series; k >= 10.
TACET_INLINE double stirling_series(double k) {
  const double inverse = 1 / k;
  const double square = inverse * inverse;
  return inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680))));
}

/// What the whole of BTRD says about two words: the count stands, does not, or lies so near to an end that Hat must decide.
/// Doubles, so that they stand beside what they are decided from.
constexpr double kRejected = 0;
constexpr double kAccepted = 1;
constexpr double kUndecided = 2;
/// From here on Stirling's series has twelve digits.
constexpr double kFarFromEnds = 10;

/// BTRD for many n at a time, its acceptance by logarithms alone. Every mean is at least kLeastMeanToReject.
TACET_VECTORISED void whole_step(const double* people, const std::uint64_t* first, const std::uint64_t* second, std::size_t count, double p,
                                 double q, double* counts, double* decisions) {
  for (std::size_t i = 0; i < count; ++i) {
    const double n = people[i];
    const double mean = n * p;
    const double rest = n * q;
    const double root = std::sqrt(mean * q);
    const double b = 1.15 + 2.53 * root;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double quick = 0.92 - 4.2 / b;
    const double v = unit_interval(first[i]);
    const double w = unit_interval(second[i]);
    const double part = v / quick;
    const double turned = (part - 0.93 < 0 ? -0.5 : 0.5) - (part - 0.93);
    const double u = v <= kQuick * quick ? part - 0.43 : v >= quick ? w - 0.5 : turned;
    const double height = v >= quick ? v : w * quick;
    const double us = 0.5 - std::abs(u);
    const double k = branchless_floor((2 * a / us + b) * u + (mean + 0.5));
    counts[i] = k;
    // Far from both ends or not, the arithmetic goes on within them.
    const double low = k > kFarFromEnds ? k : kFarFromEnds;
    const double inside = low < n - kFarFromEnds ? low : n - kFarFromEnds;
    const double mode = branchless_floor((n + 1) * p);
    const double scaled = height * ((2.83 + 5.1 / b) * root) / (a / (us * us) + b);
    const double from_mean = inside - mean;
    const double mode_from_mean = mode - mean;
    const double threshold =
        mean * (small_divergence(mode_from_mean / mean) - branchless_divergence(from_mean / mean)) +
        rest * (small_divergence(-mode_from_mean / rest) - branchless_divergence(-from_mean / rest)) +
        ((stirling_series(mode) - stirling_series(inside)) + (stirling_series(n - mode) - stirling_series(n - inside)));
    const double ratio = (inside / mode) * ((n - inside) / (n - mode));
    const double accepted = 0.5 * branchless_log(scaled * scaled * ratio) <= threshold ? kAccepted : kRejected;
    const double decided = k == inside ? accepted : kUndecided;
    decisions[i] = v <= kQuick * quick ? kAccepted : decided;
  }
}

/// The quick step for many n at a time. `done` says where it was enough; elsewhere `counts` means nothing.
TACET_VECTORISED void quick_step(const double* people, const std::uint64_t* words, std::size_t count, double p, double q, double* counts,
                                 double* done) {
  for (std::size_t i = 0; i < count; ++i) {
    const double mean = people[i] * p;
    const double b = 1.15 + 2.53 * std::sqrt(mean * q);
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double quick = 0.92 - 4.2 / b;
    const double v = unit_interval(words[i]);
    const double u = v / quick - 0.43;
    counts[i] = branchless_floor((2 * a / (0.5 - std::abs(u)) + b) * u + (mean + 0.5));
    done[i] = (v <= kQuick * quick) & (mean >= kLeastMeanToReject) ? 1.0 : 0.0;
  }
}

/// Tables whose count of a cell is still open: their places, people and first words.
struct Open {
  std::size_t size = 0;
  std::array<std::size_t, kPass> place;
  std::array<double, kPass> people;
  std::array<std::uint64_t, kPass> first;
};

/// Counts for all that is open, by rounds of the whole step.
void finish(InsecureStream& stream, Open& open, const Chance& c, double* counts) {
  std::array<std::uint64_t, kPass> second;
  std::array<double, kPass> drawn;
  std::array<double, kPass> decisions;
  while (open.size > 0) {
    stream.fill_words({second.data(), open.size});
    whole_step(open.people.data(), open.first.data(), second.data(), open.size, c.p, c.q, drawn.data(), decisions.data());
    std::size_t left = 0;
    for (std::size_t j = 0; j < open.size; ++j) {
      bool rejected = decisions[j] == kRejected;
      counts[open.place[j]] = drawn[j];  // overwritten where it is rejected
      if (decisions[j] == kUndecided) {
        const auto k = Hat(open.people[j], c.p, c.q).slow(unit_interval(open.first[j]), unit_interval(second[j]));
        rejected = !k;
        if (k) counts[open.place[j]] = *k;
      }
      open.place[left] = open.place[j];
      open.people[left] = open.people[j];
      left += rejected ? 1 : 0;
    }
    open.size = left;
    stream.fill_words({open.first.data(), open.size});
  }
}

/// One cell of up to kPass tables: counts[i] is binomial(people[i], p).
void draw_cell(InsecureStream& stream, const double* people, std::size_t count, const Chance& c, double* counts) {
  std::array<std::uint64_t, kPass> words;
  std::array<double, kPass> done;
  Open open;
  stream.fill_words({words.data(), count});
  quick_step(people, words.data(), count, c.p, c.q, counts, done.data());
  for (std::size_t i = 0; i < count; ++i) {
    open.place[open.size] = i;
    open.people[open.size] = people[i];
    open.first[open.size] = words[i];
    const bool few = people[i] * c.p < kLeastMeanToReject;
    if (few) counts[i] = invert(stream, people[i], c.p, c.q);
    open.size += done[i] == 0 && !few ? 1 : 0;
  }
  finish(stream, open, c, counts);
  if (c.mirrored) {
    for (std::size_t i = 0; i < count; ++i) counts[i] = people[i] - counts[i];
  }
}

}  // namespace

double draw_binomial(InsecureStream& stream, double n, double p) {
  const Chance c = chance(p, 1 - p);
  const double k = n * c.p < kLeastMeanToReject ? invert(stream, n, c.p, c.q) : reject(stream, Hat(n, c.p, c.q));
  return c.mirrored ? n - k : k;
}

void draw_multinomials(InsecureStream& stream, double n, std::span<const double> probabilities, std::size_t tables, std::span<double> out) {
  const std::size_t cells = probabilities.size();
  std::vector<double> left(cells + 1, 0.0);  // the probability of this cell and those after it
  for (std::size_t i = cells; i-- > 0;) left[i] = left[i + 1] + probabilities[i];
  std::array<double, kPass> people;
  for (std::size_t from = 0; from < tables; from += kPass) {
    const std::size_t count = std::min(kPass, tables - from);
    std::fill_n(people.begin(), count, n);
    for (std::size_t i = 0; i + 1 < cells; ++i) {
      double* counts = out.data() + i * tables + from;
      draw_cell(stream, people.data(), count, chance(probabilities[i] / left[i], left[i + 1] / left[i]), counts);
      for (std::size_t t = 0; t < count; ++t) people[t] -= counts[t];
    }
    std::copy_n(people.begin(), count, out.data() + (cells - 1) * tables + from);
  }
}

}  // namespace tacet::numeric
