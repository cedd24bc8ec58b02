#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacet/report/plot.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/histogram_words.h"
#include "tacet/service/mean_fields.h"
#include "tacet/service/volume_words.h"
#include "tacet/workflow/infer/mean_region.h"
#include "tacet/workflow/new_file.h"

namespace tacet::service::infer_region_verb {
namespace {

struct Request {
  MeanFields means;
  MeanRegionRequest region;
  std::optional<ShrinkTowards> shrink;
  std::vector<double> target;
  std::optional<std::string> plot;
  std::vector<std::string> coordinates;
};

struct Reply {
  MeanRegionAnswer answer;
  std::optional<std::string> plot;
};

enum class RegionOutcome : std::uint8_t { Region, Inconclusive };
constexpr auto names_of(RegionOutcome) {
  return std::to_array<Named<RegionOutcome>>({{RegionOutcome::Region, "region"}, {RegionOutcome::Inconclusive, "inconclusive"}});
}

/// The two coordinates to draw, by name; the first two where none are named.
Result<std::pair<std::size_t, std::size_t>> coordinates_of(const std::vector<std::string>& chosen, const std::vector<std::string>& names) {
  const auto wrong = [&](const std::string& value) {
    return Error::invalid("coordinates", value, fmt::format("must be two of the release's means: {}", fmt::join(names, ", ")),
                          "for example: coordinates = ldl,hdl");
  };
  if (names.size() < 2) return wrong("of a release with one mean, which has no picture");
  if (chosen.empty()) return std::pair<std::size_t, std::size_t>(0, 1);
  if (chosen.size() != 2 || chosen[0] == chosen[1]) return wrong(fmt::format("{} names", chosen.size()));
  std::array<std::size_t, 2> places{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto found = std::find(names.begin(), names.end(), chosen[i]);
    if (found == names.end()) return wrong(chosen[i].substr(0, 60));
    places[i] = static_cast<std::size_t>(found - names.begin());
  }
  return std::pair(places[0], places[1]);
}

report::Curve box(const std::string& name, const Intervals& at, std::size_t i, std::size_t j) {
  return {name,
          {{at.lower[i], at.lower[j]},
           {at.upper[i], at.lower[j]},
           {at.upper[i], at.upper[j]},
           {at.lower[i], at.upper[j]},
           {at.lower[i], at.lower[j]}}};
}

Result<std::string> picture(const MeanRegion& region, const std::vector<std::string>& names, std::pair<std::size_t, std::size_t> at,
                            double confidence) {
  constexpr std::size_t kPoints = 181;
  const auto [i, j] = at;
  const double across = (region.marginal.upper[i] - region.marginal.lower[i]) / 40;
  const double up = (region.marginal.upper[j] - region.marginal.lower[j]) / 40;
  const double x = region.center[i];
  const double y = region.center[j];
  const report::LinePlot plot{
      .title = fmt::format("Confidence region for the means of {} and {}", names[i], names[j]),
      .subtitle = fmt::format("Confidence {:g}; projection of the region onto these two means, with simultaneous intervals", confidence),
      .x = {names[i]},
      .y = {names[j]},
      .curves = {{"region", outline(region, i, j, kPoints)},
                 box("simultaneous intervals", region.simultaneous, i, j),
                 {"estimate", {{x - across, y}, {x + across, y}, {x, y}, {x, y - up}, {x, y + up}}}},
      .in_order_given = true};
  return report::to_html(plot);
}

Result<Reply> run(const Request& request, const Context& context) {
  if (!request.plot && !request.coordinates.empty())
    return Error::invalid("coordinates", "given without a picture", "goes with plot", "add plot = region.html");
  if (!request.shrink && !request.target.empty())
    return Error::invalid("target", "given without shrink", "goes with shrink = target", "add shrink = target");
  TACET_TRY(const MeanInput input, read_means(request.means, context));
  MeanRegionRequest asked{
      .means = input.choice, .confidence = request.region.confidence, .all_groups = request.region.all_groups, .shrinkage = {}};
  if (request.shrink) asked.shrinkage = MeanShrinkage{*request.shrink, request.target};
  TACET_TRY(MeanRegionAnswer answer, mean_region(input.release, asked, context));
  Reply reply{std::move(answer), {}};
  if (!request.plot) return reply;
  const std::vector<std::string>& names = reply.answer.basis.columns;
  TACET_TRY(const auto at, coordinates_of(request.coordinates, names));
  if (!reply.answer.region) return reply;
  TACET_TRY(const std::string page, picture(*reply.answer.region, names, at, reply.answer.confidence));
  TACET_TRY(NewFile file, NewFile::reserve(*request.plot, page.size()));
  TACET_CHECK(file.publish(page));
  reply.plot = request.plot;
  return reply;
}

std::string shrunk_words(const MeanRegionAnswer& answer) {
  std::string out = "Shrunk means of the data:";
  for (std::size_t j = 0; j < answer.shrunk->values.size(); ++j)
    out += fmt::format("{} {} {:.6g}", j == 0 ? "" : ",", report::printable(answer.basis.columns[j]), answer.shrunk->values[j]);
  return out +
         fmt::format(
             ".\nTheir expected squared error in units of the noise: {:.4g}, estimated without bias; {:.4g} for the means as released. "
             "The intervals are those of the released means.\n",
             answer.shrunk->cost, answer.shrunk->cost_bound);
}

std::string words(const Reply& reply) {
  const MeanRegionAnswer& answer = reply.answer;
  if (!answer.region) return fmt::format("Inconclusive: {}.\nThis cost no privacy.\n", answer.reason.value_or("there is no region"));
  const MeanRegion& region = *answer.region;
  report::TextTable table({"mean of", "estimate", "single: from", "to", "simultaneous: from", "to"});
  for (std::size_t j = 0; j < region.center.size(); ++j) {
    const bool dates = j < answer.basis.dates.size() && answer.basis.dates[j];
    const auto number = [dates](double value) { return number_words(value, dates); };
    table.add({report::printable(answer.basis.columns[j]), number(region.center[j]), number(region.marginal.lower[j]),
               number(region.marginal.upper[j]), number(region.simultaneous.lower[j]), number(region.simultaneous.upper[j])});
  }
  std::string out = fmt::format("Means of {}, with confidence {:.6g}:\n", whom_words(answer.basis), answer.confidence) + table.render();
  if (answer.together)
    out += fmt::format("The regions of all groups, computed like this one, hold together with confidence {:g}.\n", *answer.together);
  out += fmt::format("Region: an ellipsoid of radius {:.4g} in units of its shape, volume {}.\n", region.radius,
                     volume_words(region.log_volume));
  out += fmt::format("Distribution of the error: {}.\n", region.distribution) + included_words(answer.basis);
  if (answer.shrunk) out += shrunk_words(answer);
  if (reply.plot) out += fmt::format("Wrote {}.\n", report::shell_word(*reply.plot));
  return out + "This cost no privacy.\n";
}

/// A member of the region; nothing where there is none.
template <class T>
auto of_region(T MeanRegion::* member) {
  return [member](const Reply& reply) -> std::optional<T> {
    if (!reply.answer.region) return std::nullopt;
    return (*reply.answer.region).*member;
  };
}

AnswerTable<Intervals> intervals_table() {
  return AnswerTable<Intervals>()
      .value("lower", &Intervals::lower, "one number for each mean")
      .value("upper", &Intervals::upper, "one number for each mean");
}

AnswerTable<ShrunkMeans> shrunk_table() {
  return AnswerTable<ShrunkMeans>()
      .value("values", &ShrunkMeans::values, "the shrunk means")
      .value("factor", &ShrunkMeans::factor, "what is left of the distance to the target")
      .value("cost", &ShrunkMeans::cost, "the expected squared error in units of the noise, estimated without bias")
      .value("cost_bound", &ShrunkMeans::cost_bound, "that of the released means, which is never less in expectation");
}

AnswerTable<Reply> answer_table() {
  return AnswerTable<Reply>()
      .include([](const Reply& r) -> auto& { return r.answer.basis; }, mean_basis_table())
      .value(
          "confidence", [](const Reply& r) { return r.answer.confidence; }, "how often the region holds the truth")
      .value(
          "together", [](const Reply& r) { return r.answer.together; },
          "with all-groups: how often the regions of all groups hold the truth at once; null otherwise")
      .value(
          "outcome", [](const Reply& r) { return r.answer.region ? RegionOutcome::Region : RegionOutcome::Inconclusive; },
          "whether there is a region")
      .value(
          "reason", [](const Reply& r) { return r.answer.reason; }, "why there is no region; null otherwise")
      .value("center", of_region(&MeanRegion::center), "the estimated means; null where there is no region")
      .value("shape", of_region(&MeanRegion::shape), "the matrix S of the region (m - center)' S^-1 (m - center) <= radius^2")
      .value("radius", of_region(&MeanRegion::radius), "in units of the shape")
      .value(
          "volume", [](const Reply& r) { return r.answer.region ? volume_of(r.answer.region->log_volume) : std::nullopt; },
          "of the region; null outside a double's range")
      .value("log_volume", of_region(&MeanRegion::log_volume), "the logarithm of the volume")
      .object("marginal", of_region(&MeanRegion::marginal), intervals_table(), "intervals that each hold with this confidence")
      .object("simultaneous", of_region(&MeanRegion::simultaneous), intervals_table(),
              "intervals that all hold at once with this confidence")
      .value("distribution", of_region(&MeanRegion::distribution), "the distribution of the error, in words; null where there is no region")
      .value(
          "simultaneous_draws", [](const Reply& r) { return r.answer.region ? r.answer.region->simultaneous_draws : std::nullopt; },
          "draws behind the simultaneous intervals alone; null: none")
      .value(
          "clipping_bias", [](const Reply& r) { return r.answer.region ? r.answer.region->clip_bias : std::nullopt; },
          "how far clipping moved the mean of the mapped rows; null where rows were not clipped")
      .object(
          "shrunk", [](const Reply& r) { return r.answer.shrunk; }, shrunk_table(),
          "with shrink: the shrunk means of the data; null otherwise")
      .value("plot", &Reply::plot, "the page that was written")
      .unless_null();
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "infer region",
       .summary = "A confidence region and intervals for released means: of the data, or of the population behind them",
       .example = "tacet infer region --release moments.json --for population --confidence 0.95",
       .library = LibraryFunction{"mean_region", "tacet/workflow/infer/mean_region.h"},
       .request =
           RequestTable<Request>()
               .include(&Request::means, mean_release_table())
               .field(
                   "confidence", [](Request& r) -> auto& { return r.region.confidence; }, "C", "how often the region holds the truth")
               .field(
                   "all-groups", [](Request& r) -> auto& { return r.region.all_groups; }, "",
                   "the confidence is that of the regions of all groups of the release together")
               .field("shrink", &Request::shrink, "T",
                      "also shrink the means of the data (James-Stein, for Gaussian noise): towards a target, from 3 means, or towards one "
                      "common value, from 4 means in one unit")
               .field("target", &Request::target, "a,b", "with shrink = target: the means to shrink towards")
               .field("plot", &Request::plot, "FILE", "write a picture of two coordinates: one page that needs no network")
               .field("coordinates", &Request::coordinates, "a,b", "with plot: which two; the first two if not given")
               .include(&Request::means, mean_simulation_table()),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::infer_region_verb
