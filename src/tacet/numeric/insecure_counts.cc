#include "tacet/numeric/insecure_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tacet/numeric/binomial_hat.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::numeric {
namespace {

/// The number of tables per pass.
constexpr std::size_t kPass = 256;
/// Batches are padded to a multiple of this, so that vectorised code handles every table. It is
/// even, because normal variables come in pairs.
constexpr std::size_t kTogether = 8;
std::size_t filled_up(std::size_t size) { return (size + kTogether - 1) / kTogether * kTogether; }
/// The bits of a word that a normal variable does not use decide most acceptances.
constexpr double kSpareBits = 1024;

/// A success probability p <= 1/2 and q = 1 - p. If mirrored, the caller's probability is q, and
/// failures are counted.
struct Chance {
  double p, q;
  bool mirrored;
};

Chance chance(double p, double q) { return p <= q ? Chance{p, q, false} : Chance{q, p, true}; }

/// Sequential search from 0, for a mean below kLeastMeanToReject. Counts beyond kFarthest have a
/// probability below 10^-100.
constexpr int kFarthest = 150;

double invert(InsecureStream& stream, double n, double p, double q) {
  const double none = branchless_exp(n * branchless_log1p(-p));
  // Rounding may keep the sum of probabilities below the uniform variable; the search then starts
  // again.
  for (;;) {
    double left = stream.uniform();
    double probability = none;
    for (int k = 0; k <= kFarthest && k <= n; ++k) {
      if (left <= probability) return k;
      left -= probability;
      probability *= (p / q) * (n - k) / (k + 1);
    }
  }
}

TACET_VECTORISED void begin_search(const double* people, const std::uint64_t* words, std::size_t size, double log_q, double* left,
                                   double* probability) {
  for (std::size_t i = 0; i < size; ++i) {
    left[i] = unit_interval(words[i]);
    probability[i] = branchless_exp(people[i] * log_q);
  }
}

/// Advances every search that has not ended; the others do not change.
TACET_VECTORISED void step_search(const double* people, std::size_t size, double k, double ratio, double* left, double* probability,
                                  double* counts) {
  const double next = ratio / (k + 1);
  for (std::size_t i = 0; i < size; ++i) {
    const bool on = left[i] > probability[i];
    const double passed = on ? probability[i] : 0.0;
    probability[i] = on ? probability[i] * (next * (people[i] - k)) : probability[i];
    left[i] -= passed;
    counts[i] += on ? 1.0 : 0.0;
  }
}

/// A number from 0 to kSpareBits - 1.
TACET_INLINE double spare_bits(std::uint64_t word) { return std::bit_cast<double>(0x4330000000000000U | ((word >> 2) & 1023)) - 0x1p52; }

struct Proposal {
  double count;
  double open;  // 0: the count is accepted; 1: it must be judged, or has no proposal
};

TACET_INLINE Proposal propose(double n, double p, double q, double z, std::uint64_t word) {
  const double mean = n * p;
  const double variance = mean * q;
  const double whole = branchless_round(mean);
  const double bent = bent_normal(hat_spread(variance), (q - p) / 6, z);
  // Three conditions without branches: the uniform variable is below its bound, z is in the bulk,
  // and the mean is large enough for a proposal.
  const double below = (kSpareBits - 1 - spare_bits(word)) * variance - kSpareBits * (kHatSlack + kHatDepth);
  const double within = kHatBulk - std::abs(z);
  const double hatted = mean - kLeastMeanToReject;
  const double two = below < within ? below : within;
  return {whole + branchless_round(bent + (mean - whole)), (two < hatted ? two : hatted) >= 0 ? 0.0 : 1.0};
}

/// Decides a count between 0 and n that the spare bits of its word left open; `second` supplies
/// more digits of the same uniform variable.
TACET_INLINE bool accepted(double n, double p, double q, double k, double log_probability, std::uint64_t word, std::uint64_t second) {
  const double u = (spare_bits(word) + unit_interval(second)) * (1 / kSpareBits);
  const double mean = n * p;
  const double variance = mean * q;
  const double ratio = log_probability - log_bent_normal(k - mean, hat_spread(variance), (q - p) / 6);
  return branchless_log(u) <= ratio - kHatSlack / variance;
}

bool accepted_anywhere(double n, double p, double q, double k, std::uint64_t word, std::uint64_t second) {
  return k >= 0 && k <= n && accepted(n, p, q, k, log_binomial(n, p, q, k), word, second);
}

double reject(InsecureStream& stream, double n, double p, double q) {
  for (;;) {
    const std::uint64_t word = stream.word();
    const Proposal proposal = propose(n, p, q, normal_pair(word, stream.word()).x, word);
    if (proposal.open == 0 || accepted_anywhere(n, p, q, proposal.count, word, stream.word())) return proposal.count;
  }
}

/// The first half of the tables takes one normal variable of each pair, the second half the other.
TACET_VECTORISED void to_normal(const std::uint64_t* words, std::size_t pairs, double* normals) {
  for (std::size_t i = 0; i < pairs; ++i) {
    const Point z = normal_pair(words[i], words[pairs + i]);
    normals[i] = z.x;
    normals[pairs + i] = z.y;
  }
}

TACET_VECTORISED void propose_many(const double* people, const std::uint64_t* words, std::size_t size, double p, double q, double* counts,
                                   double* open) {
  std::array<double, kPass> normals;
  to_normal(words, size / 2, normals.data());
  for (std::size_t i = 0; i < size; ++i) {
    const Proposal proposal = propose(people[i], p, q, normals[i], words[i]);
    counts[i] = proposal.count;
    open[i] = proposal.open;
  }
}

/// Correct for counts at least kLeastForStirling away from 0 and n.
TACET_VECTORISED void judge_inner(const double* people, const double* counts, const std::uint64_t* words, const std::uint64_t* seconds,
                                  std::size_t size, double p, double q, double* stands) {
  for (std::size_t i = 0; i < size; ++i) {
    const double n = people[i];
    const double above = counts[i] > kLeastForStirling ? counts[i] : kLeastForStirling;
    // Clamped to the domain; the caller judges other counts separately.
    const double k = above < n - kLeastForStirling ? above : n - kLeastForStirling;
    const double log_probability = log_binomial_entropy(n, p, q, k) + (stirling_rest(n) - stirling_rest(k) - stirling_rest(n - k));
    stands[i] = accepted(n, p, q, k, log_probability, words[i], seconds[i]) ? 1.0 : 0.0;
  }
}

void judge_many(const double* people, const double* counts, const std::uint64_t* words, const std::uint64_t* seconds, std::size_t size,
                double p, double q, double* stands) {
  judge_inner(people, counts, words, seconds, size, p, q, stands);
  for (std::size_t i = 0; i < size; ++i) {
    if (counts[i] < kLeastForStirling || counts[i] > people[i] - kLeastForStirling)
      stands[i] = accepted_anywhere(people[i], p, q, counts[i], words[i], seconds[i]) ? 1.0 : 0.0;
  }
}

/// counts = drawn, or the remaining people if the probability is mirrored; people -= counts.
TACET_VECTORISED void settle(const double* drawn, std::size_t tables, bool mirrored, double* counts, double* people) {
  for (std::size_t t = 0; t < tables; ++t) {
    const double others = people[t] - drawn[t];
    counts[t] = mirrored ? others : drawn[t];
    people[t] = mirrored ? drawn[t] : others;
  }
}

/// The tables whose count of a cell is not yet decided.
struct Open {
  void add(std::size_t at, double of, double count, std::uint64_t word) {
    place[size] = at;
    people[size] = of;
    counts[size] = count;
    words[size] = word;
    ++size;
  }
  /// Pads with copies; their results are not used.
  void fill_up() {
    for (std::size_t j = size; j % kTogether != 0; ++j) {
      people[j] = people[size - 1];
      counts[j] = counts[size - 1];
      words[j] = words[size - 1];
    }
  }
  std::size_t size = 0;
  std::array<std::size_t, kPass> place;
  std::array<double, kPass> people;
  std::array<double, kPass> counts;
  std::array<std::uint64_t, kPass> words;
};

/// Draws by search where the mean is below kLeastMeanToReject. `counts` and `words` serve as
/// buffers.
void search(InsecureStream& stream, Open& open, const Chance& c, double* drawn) {
  std::array<double, kPass> left;
  std::array<double, kPass> probability;
  while (open.size > 0) {
    open.fill_up();
    const std::size_t size = filled_up(open.size);
    stream.fill_words({open.words.data(), size});
    begin_search(open.people.data(), open.words.data(), size, branchless_log1p(-c.p), left.data(), probability.data());
    open.counts.fill(0);
    const auto arrived = [&] {
      for (std::size_t j = 0; j < size; ++j) {
        if (left[j] > probability[j]) return false;
      }
      return true;
    };
    for (int k = 0; k < kFarthest && !arrived(); ++k) {
      step_search(open.people.data(), size, k, c.p / c.q, left.data(), probability.data(), open.counts.data());
    }
    std::size_t again = 0;
    for (std::size_t j = 0; j < open.size; ++j) {
      drawn[open.place[j]] = open.counts[j];
      open.place[again] = open.place[j];
      open.people[again] = open.people[j];
      // Rounding may keep the sum of probabilities below the uniform variable: such a search
      // starts again.
      again += open.counts[j] > open.people[j] || open.counts[j] >= kFarthest ? 1 : 0;
    }
    open.size = again;
  }
}

/// Judges the open counts and proposes new ones for those refused, until none is open.
void finish(InsecureStream& stream, Open& open, const Chance& c, double* drawn) {
  std::array<std::uint64_t, kPass> words;
  std::array<double, kPass> counts;
  std::array<double, kPass> flags;
  while (open.size > 0) {
    open.fill_up();
    stream.fill_words({words.data(), filled_up(open.size)});
    judge_many(open.people.data(), open.counts.data(), open.words.data(), words.data(), filled_up(open.size), c.p, c.q, flags.data());
    std::size_t refused = 0;
    for (std::size_t j = 0; j < open.size; ++j) {
      drawn[open.place[j]] = open.counts[j];  // overwritten if it is refused
      open.place[refused] = open.place[j];
      open.people[refused] = open.people[j];
      refused += flags[j] == 0 ? 1 : 0;
    }
    if (refused == 0) return;
    open.size = refused;
    open.fill_up();
    stream.fill_words({words.data(), filled_up(refused)});
    propose_many(open.people.data(), words.data(), filled_up(refused), c.p, c.q, counts.data(), flags.data());
    open.size = 0;
    for (std::size_t j = 0; j < refused; ++j) {
      const std::size_t at = open.place[j];
      drawn[at] = counts[j];
      if (flags[j] != 0) open.add(at, open.people[j], counts[j], words[j]);
    }
  }
}

/// One cell of up to kPass tables: drawn[i] is binomial(people[i], p). Both arrays have kPass
/// elements.
void draw_cell(InsecureStream& stream, const double* people, std::size_t count, const Chance& c, double* drawn) {
  std::array<std::uint64_t, kPass> words;
  std::array<double, kPass> flags;
  stream.fill_words({words.data(), filled_up(count)});
  propose_many(people, words.data(), filled_up(count), c.p, c.q, drawn, flags.data());
  Open few;
  Open open;
  for (std::size_t from = 0; from < count; from += kTogether) {
    const double* f = flags.data() + from;
    // Most groups of eight are decided.
    if ((f[0] + f[1]) + (f[2] + f[3]) + ((f[4] + f[5]) + (f[6] + f[7])) == 0) continue;
    for (std::size_t i = from; i < std::min(from + kTogether, count); ++i) {
      if (flags[i] == 0) continue;
      (people[i] * c.p < kLeastMeanToReject ? few : open).add(i, people[i], drawn[i], words[i]);
    }
  }
  search(stream, few, c, drawn);
  finish(stream, open, c, drawn);
}

}  // namespace

double draw_binomial(InsecureStream& stream, double n, double p) {
  const Chance c = chance(p, 1 - p);
  const double k = n * c.p < kLeastMeanToReject ? invert(stream, n, c.p, c.q) : reject(stream, n, c.p, c.q);
  return c.mirrored ? n - k : k;
}

void draw_multinomials(InsecureStream& stream, double n, std::span<const double> probabilities, std::size_t tables, std::span<double> out) {
  const std::size_t cells = probabilities.size();
  std::vector<double> left(cells + 1, 0.0);  // the probability of this cell and those after it
  for (std::size_t i = cells; i-- > 0;) left[i] = left[i + 1] + probabilities[i];
  // The last cell that anybody can be in has the people that are left.
  std::size_t last = cells - 1;
  while (last > 0 && probabilities[last] == 0) --last;
  std::array<double, kPass> people;
  std::array<double, kPass> drawn;
  for (std::size_t from = 0; from < tables; from += kPass) {
    const std::size_t count = std::min(kPass, tables - from);
    people.fill(n);
    for (std::size_t i = 0; i < cells; ++i) {
      if (i > last || probabilities[i] == 0) std::fill_n(out.data() + i * tables + from, count, 0.0);
      if (i >= last || probabilities[i] == 0) continue;
      const Chance c = chance(probabilities[i] / left[i], left[i + 1] / left[i]);
      draw_cell(stream, people.data(), count, c, drawn.data());
      settle(drawn.data(), count, c.mirrored, out.data() + i * tables + from, people.data());
    }
    std::copy_n(people.begin(), count, out.data() + last * tables + from);
  }
}

}  // namespace tacet::numeric
