#include "tacet/numeric/insecure_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tacet/numeric/binomial_hat.h"
#include "tacet/numeric/vector_math.h"

namespace tacet::numeric {
namespace {

/// Tables worked on at a time.
constexpr std::size_t kPass = 256;
/// What is worked on is filled up to a multiple of this, so that no table is left over for slower code. Even, since normals come in pairs.
constexpr std::size_t kTogether = 8;
std::size_t filled_up(std::size_t size) { return (size + kTogether - 1) / kTogether * kTogether; }
/// The bits of a word that a normal variable leaves over decide most acceptances.
constexpr double kSpareBits = 1024;

/// The success of one trial, at most 1/2, and what counts instead where it was not.
struct Chance {
  double p, q;
  bool mirrored;
};

Chance chance(double p, double q) { return p <= q ? Chance{p, q, false} : Chance{q, p, true}; }

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

/// A number from 0 to kSpareBits - 1.
TACET_INLINE double spare_bits(std::uint64_t word) {
  return std::bit_cast<double>(0x4330000000000000U | ((word >> 2) & 1023)) - 0x1p52;
}

struct Proposal {
  double count;
  double open;  // 0 where the count stands, 1 where it must be judged or has no hat
};

TACET_INLINE Proposal propose(double n, double p, double q, double z, std::uint64_t word) {
  const double mean = n * p;
  const double variance = mean * q;
  const double whole = branchless_round(mean);
  const double bent = bent_normal(hat_spread(variance), (q - p) / 6, z);
  // Three conditions as one, without branches: the uniform variable below its bound, the bulk, a mean for which there is a hat.
  const double below = (kSpareBits - 1 - spare_bits(word)) * variance - kSpareBits * (kHatSlack + kHatDepth);
  const double within = kHatBulk - std::abs(z);
  const double hatted = mean - kLeastMeanToReject;
  const double two = below < within ? below : within;
  return {whole + branchless_round(bent + (mean - whole)), (two < hatted ? two : hatted) >= 0 ? 0.0 : 1.0};
}

/// Does a count between 0 and n stand whose word left it open? `second` completes the uniform variable that the word began.
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

/// Right for counts that are at least kLeastForStirling away from 0 and n.
TACET_VECTORISED void judge_inner(const double* people, const double* counts, const std::uint64_t* words, const std::uint64_t* seconds,
                                  std::size_t size, double p, double q, double* stands) {
  for (std::size_t i = 0; i < size; ++i) {
    const double n = people[i];
    const double above = counts[i] > kLeastForStirling ? counts[i] : kLeastForStirling;
    const double k = above < n - kLeastForStirling ? above : n - kLeastForStirling;  // computed for the others too
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

/// counts = drawn, or what is left of the people where the chance is mirrored; people -= counts.
TACET_VECTORISED void settle(const double* drawn, std::size_t tables, bool mirrored, double* counts, double* people) {
  for (std::size_t t = 0; t < tables; ++t) {
    const double others = people[t] - drawn[t];
    counts[t] = mirrored ? others : drawn[t];
    people[t] = mirrored ? drawn[t] : others;
  }
}

/// Tables whose count of a cell is open.
struct Open {
  void add(std::size_t at, double of, double count, std::uint64_t word) {
    place[size] = at;
    people[size] = of;
    counts[size] = count;
    words[size] = word;
    ++size;
  }
  /// Copies after the end, whose results nobody reads.
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

/// Judges what is open, and proposes anew what does not stand, until nothing is open.
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
      drawn[open.place[j]] = open.counts[j];  // overwritten where it does not stand
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

/// One cell of up to kPass tables: drawn[i] is binomial(people[i], p). Both have kPass places.
void draw_cell(InsecureStream& stream, const double* people, std::size_t count, const Chance& c, double* drawn) {
  std::array<std::uint64_t, kPass> words;
  std::array<double, kPass> flags;
  stream.fill_words({words.data(), filled_up(count)});
  propose_many(people, words.data(), filled_up(count), c.p, c.q, drawn, flags.data());
  Open open;
  for (std::size_t from = 0; from < count; from += kTogether) {
    const double* few = flags.data() + from;
    if ((few[0] + few[1]) + (few[2] + few[3]) + ((few[4] + few[5]) + (few[6] + few[7])) == 0) continue;  // most are
    for (std::size_t i = from; i < std::min(from + kTogether, count); ++i) {
      if (flags[i] == 0) continue;
      if (people[i] * c.p < kLeastMeanToReject) {
        drawn[i] = invert(stream, people[i], c.p, c.q);
      } else {
        open.add(i, people[i], drawn[i], words[i]);
      }
    }
  }
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
  std::array<double, kPass> people;
  std::array<double, kPass> drawn;
  for (std::size_t from = 0; from < tables; from += kPass) {
    const std::size_t count = std::min(kPass, tables - from);
    people.fill(n);
    for (std::size_t i = 0; i + 1 < cells; ++i) {
      const Chance c = chance(probabilities[i] / left[i], left[i + 1] / left[i]);
      draw_cell(stream, people.data(), count, c, drawn.data());
      settle(drawn.data(), count, c.mirrored, out.data() + i * tables + from, people.data());
    }
    std::copy_n(people.begin(), count, out.data() + (cells - 1) * tables + from);
  }
}

}  // namespace tacet::numeric
