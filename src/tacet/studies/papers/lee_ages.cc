#include "tacet/studies/papers/lee_ages.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacet/inference/block_sum.h"
#include "tacet/inference/counts/noisy_tables.h"

namespace tacet::studies {
namespace {

constexpr std::size_t kAgeDraws = 5000;
/// -log of the chance of a stop that all draws would contradict.
constexpr double kLateSurprise = 13.1;
/// Of the paper, for its red line.
constexpr double kPaperAgeTrials = 1000;

/// Population by five-year age group in 2020, thousands (UN World Population Prospects 2019). Lee
/// used the statistics offices' own tables, which differ from these by about 0.01 in total
/// variation, where the countries differ by 0.099.
constexpr std::array<double, 18> kUnitedStates = {19676.332, 20045.152, 21089.487, 21242.908, 22258.745, 23835.330,
                                                  23052.479, 21615.791, 20294.599, 20053.798, 20577.807, 21542.270,
                                                  20669.143, 17819.027, 14354.863, 9727.734,  6461.202,  6685.980};
constexpr std::array<double, 18> kKorea = {1897.011, 2256.802, 2276.782, 2476.476, 3216.244, 3500.050, 3282.425, 3797.414, 3924.934,
                                           4293.910, 4315.516, 4161.183, 3774.566, 2679.140, 1998.091, 1562.555, 1083.829, 772.255};

/// KL(a, q) of coins: l draws of which a part a is heads have a chance of at most exp(-l KL) if
/// that of heads is q, on either side.
double surprise(double a, double q) {
  const double heads = a > 0 ? a * std::log(a / q) : 0, tails = a < 1 ? (1 - a) * std::log((1 - a) / (1 - q)) : 0;
  return heads + tails;
}

std::vector<std::string> with_ours() {
  std::vector<std::string> all = age_mechanisms();
  all.emplace_back(kOurAgeTest);
  return all;
}

}  // namespace

std::vector<double> age_shares(Country country, std::size_t years) {
  const auto& people = country == Country::Korea ? kKorea : kUnitedStates;
  const std::size_t together = years / 5;
  const double all = std::accumulate(people.begin(), people.end(), 0.0);
  std::vector<double> shares(people.size() / together);
  for (std::size_t i = 0; i < people.size(); ++i) shares[i / together] += people[i] / all;
  return shares;
}

std::string AgeSetting::name() const { return fmt::format("p={} mu={}", 90 / years, mu); }

Status for_released(numeric::InsecureStream& stream, double n, const std::vector<double>& shares,
                    const mechanisms::NoiseDistribution& noise, std::size_t tables,
                    const std::function<Status(std::size_t table, std::span<const double> values)>& use) {
  const inference::NoisyTables drawn(n, shares, {.distribution = noise});
  const std::size_t cells = shares.size(), most = inference::kMostTablesInABlock;
  std::vector<double> deviations(cells * most), sums(most), values(cells);
  for (std::size_t from = 0; from < tables; from += most) {
    const std::size_t block = std::min(most, tables - from);
    drawn.draw(stream, block, std::span(deviations).first(cells * block), std::span(sums).first(block));
    for (std::size_t t = 0; t < block; ++t) {
      for (std::size_t i = 0; i < cells; ++i) values[i] = drawn.expected()[i] + deviations[i * block + t];
      TACET_CHECK(use(from + t, values));
    }
  }
  return {};
}

bool rejects(double statistic, std::uint64_t seed, const std::function<std::vector<double>(const Simulation& simulation)>& null) {
  std::size_t drawn = 0;
  double reached = 0;
  while (drawn < kAgeDraws) {
    const std::size_t part = std::min(inference::kMostTablesInABlock, kAgeDraws - drawn);
    const std::vector<double> statistics = null({.draws = part, .seed = seed + drawn, .threads = 1});
    reached += static_cast<double>(std::count_if(statistics.begin(), statistics.end(), [statistic](double t) { return !(t < statistic); }));
    drawn += part;
    const auto all = static_cast<double>(drawn);
    if (all * surprise(reached / all, kAgeAlpha) > kLateSurprise) return reached / all < kAgeAlpha;
  }
  return (1 + reached) / (static_cast<double>(kAgeDraws) + 1) <= kAgeAlpha;
}

double excess(const Rate& a, const Rate& b, std::size_t count) {
  const double common = (a.share * a.trials + b.share * b.trials) / (a.trials + b.trials);
  const double least = 1 / (a.trials + b.trials);
  const double variance = std::max(common * (1 - common), least) * (1 / a.trials + 1 / b.trials);
  return (a.share - b.share) / (allowed_errors(count) * std::sqrt(variance));
}

double excess_over_alpha(const Rate& rate, std::size_t count) {
  return (rate.share - kAgeAlpha) / (allowed_errors(count) * std::sqrt(kAgeAlpha * (1 - kAgeAlpha) / rate.trials));
}

const std::vector<std::string>& age_mechanisms() {
  static const std::vector<std::string> kAll = {"M_G", "M_r", "M_JS0", "M_JS", "M_rJS", "M_Lap"};
  return kAll;
}

Result<TableMechanism> age_mechanism(const AgeSetting& setting, const std::string& name) {
  TACET_TRY(const std::vector<TableMechanism> all, table_mechanisms(setting.mu, Projection::Nonnegative));
  if (name == kOurAgeTest) return TableMechanism{name, all[0].noise, {}};
  return *std::find_if(all.begin(), all.end(), [&name](const TableMechanism& one) { return one.name == name; });
}

std::optional<double> shown_total(const TableMechanism& mechanism, std::span<const double> values) {
  return mechanism.keeps_total() ? std::optional(inference::block_sum(values)) : std::nullopt;
}

std::string age_cell(const AgeSetting& setting, const std::string& mechanism, double n) {
  return fmt::format("{} {} n={}", setting.name(), mechanism, n);
}

std::vector<std::string> age_cells(PeopleOf people, const std::string& mechanism, std::string_view mu, double low, double high) {
  std::vector<std::string> names;
  for (const AgeSetting& setting : kAgeSettings) {
    if (!mu.empty() && mu != setting.mu) continue;
    for (const double n : people(setting)) {
      if (n >= low && n <= high) names.push_back(age_cell(setting, mechanism, n));
    }
  }
  return names;
}

void for_telling(PeopleOf people, const Measured& measured, const std::function<void(const AgeSetting& setting, double n)>& use) {
  for (const AgeSetting& setting : kAgeSettings) {
    for (const double n : people(setting)) {
      double best = 0;
      for (const std::string& mechanism : age_mechanisms()) best = std::max(best, measured.rate(age_cell(setting, mechanism, n), 1).share);
      if (best >= 0.25 && best <= 0.98) use(setting, n);
    }
  }
}

namespace {

std::vector<report::Figure> age_figures(PeopleOf people, const Measured& measured, const std::string& levels, const std::string& powers) {
  std::vector<report::Figure> figures = {{.title = levels, .panels = {}, .columns = 2}, {.title = powers, .panels = {}, .columns = 2}};
  // r - 2 sqrt(r (1 - r)/K) = 0.05.
  const double k = 4 / kPaperAgeTrials, b = 2 * kAgeAlpha + k;
  const double line = (b + std::sqrt(b * b - 4 * (1 + k) * kAgeAlpha * kAgeAlpha)) / (2 * (1 + k));
  for (const AgeSetting& setting : kAgeSettings) {
    const std::vector<double> all = people(setting);
    for (std::size_t which = 0; which < figures.size(); ++which) {
      report::Panel panel{
          .title = fmt::format("{}-year age groups, mu = {}", setting.years, setting.mu), .x = {"people"}, .y = {"rejected"}, .series = {}};
      for (const std::string& mechanism : with_ours()) {
        report::Series series{mechanism, {}, report::Mark::Line};
        for (const double n : all) series.points.push_back({n, measured.rate(age_cell(setting, mechanism, n), which).share});
        panel.series.push_back(std::move(series));
      }
      if (which == 0) {
        panel.series.push_back({"0.05", {{all.front(), kAgeAlpha}, {all.back(), kAgeAlpha}}, report::Mark::Line});
        panel.series.push_back({"0.05 within two standard errors", {{all.front(), line}, {all.back(), line}}, report::Mark::Line});
      }
      figures[which].panels.push_back(std::move(panel));
    }
  }
  return figures;
}

Table age_table(PeopleOf people, const Measured& measured) {
  Table table{"rates", "Rejections", {"setting", "n", "mechanism", "type I error", "power"}, {}};
  for (const AgeSetting& setting : kAgeSettings) {
    for (const double n : people(setting)) {
      for (const std::string& mechanism : with_ours()) {
        const std::string cell = age_cell(setting, mechanism, n);
        table.rows.push_back({setting.name(), n, mechanism, measured.rate(cell, 0).share, measured.rate(cell, 1).share});
      }
    }
  }
  return table;
}

}  // namespace

Findings age_findings(PeopleOf people, const Measured& measured, const std::string& levels, const std::string& powers) {
  return {.tables = {age_table(people, measured)}, .figures = age_figures(people, measured, levels, powers), .verdicts = {}};
}

}  // namespace tacet::studies
