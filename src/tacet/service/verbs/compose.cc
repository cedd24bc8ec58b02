#include "tacet/workflow/privacy/compose.h"

#include <fmt/format.h>

#include "tacet/mechanisms/json_file.h"
#include "tacet/report/text_table.h"
#include "tacet/service/all_verbs.h"
#include "tacet/service/losses_file.h"

namespace tacet::service::compose_verb {
namespace {

constexpr std::uint64_t kMostPeople = 1'000'000'000'000'000'000;

struct Request {
  std::optional<std::string> file, losses;
  CompositionRequest composition;
};
using Reply = Composition;

Result<Reply> run(const Request& request, const Context& context) {
  if (request.file.has_value() == request.losses.has_value()) {
    return Error::invalid("losses", request.file ? "given twice" : "missing", "must be given as one of file and losses",
                          R"(for example: losses = '[{"epsilon": 0.1, "times": 30}]')");
  }
  CompositionRequest composition = request.composition;
  if (request.file) {
    TACET_TRY(composition.losses, read_losses(*request.file));
  } else {
    TACET_TRY(const Json list, mechanisms::parse_json(*request.losses, "losses", "a text that is none"));
    TACET_TRY(composition.losses, parse_losses(list));
  }
  return compose_losses(composition, context);
}

std::string words(const Reply& reply) {
  std::string out;
  constexpr const char* kNumerical = "numerical, from the distributions of the noise";
  constexpr const char* kFixed = "losses fixed in advance";
  constexpr const char* kAny = "any losses";
  constexpr const char* kPreset = "any losses, within a budget set beforehand";
  constexpr const char* kAnyMoment = "any losses, read at any moment";
  const auto add = [](report::TextTable& table, const char* rule, const std::optional<double>& value, const char* holds) {
    if (value) table.add({rule, fmt::format("{:.9g}", *value), holds});
  };
  const auto upper = [](const std::optional<EnclosedDp>& rule, std::optional<accounting::Bounds> EnclosedDp::* part) {
    const auto bounds = rule ? (*rule).*part : std::nullopt;
    return bounds ? std::optional(bounds->upper) : std::nullopt;
  };
  if (reply.delta) {
    out += fmt::format("{} releases together; the least proven epsilon for delta {}:\n", reply.mechanisms, reply.delta->to_string());
    report::TextTable table({"rule", "epsilon", "holds for"});
    add(table, "basic (sum)", reply.basic ? std::optional(reply.basic->epsilon.approximate()) : std::nullopt, kAny);
    add(table, "advanced", reply.advanced, kFixed);
    add(table, "optimal", upper(reply.optimal, &EnclosedDp::epsilon), kFixed);
    add(table, kNumerical, upper(reply.numerical, &EnclosedDp::epsilon), kFixed);
    add(table, reply.rho && !reply.rho->xi.is_zero() ? "rho and xi add up" : "rho adds up", reply.rho ? reply.rho->epsilon : std::nullopt,
        kPreset);
    add(table, "mu^2 adds up", reply.mu ? reply.mu->epsilon : std::nullopt, kPreset);
    add(table, "odometer", reply.odometer ? reply.odometer->bound : std::nullopt, kAnyMoment);
    add(table, "odometer in rho", reply.rho ? reply.rho->odometer : std::nullopt, kAnyMoment);
    out += table.render();
  }
  if (reply.at_epsilon) {
    out += fmt::format("The least proven delta for epsilon {}:\n", reply.at_epsilon->to_string());
    report::TextTable table({"rule", "delta", "holds for"});
    add(table, "optimal", upper(reply.optimal, &EnclosedDp::delta), kFixed);
    add(table, kNumerical, upper(reply.numerical, &EnclosedDp::delta), kFixed);
    out += table.render();
  }
  if (reply.filters) {
    report::TextTable table({"filter", "spent", "may all of it be released?"});
    for (const auto& filter : {reply.filters->basic, reply.filters->rogers, reply.filters->whitehouse}) {
      if (filter) table.add({std::string(name(filter->rule)), fmt::format("{:.9g}", filter->spent), filter->go ? "yes" : "no"});
    }
    out += "Filters for that budget, for losses chosen as results come in:\n" + table.render();
  }
  return out;
}

AnswerTable<EnclosedDp> enclosed_table() {
  const auto end = [](std::optional<accounting::Bounds> EnclosedDp::* part, double accounting::Bounds::* which) {
    return [part, which](const EnclosedDp& found) {
      const auto& bounds = found.*part;
      return bounds ? std::optional((*bounds).*which) : std::nullopt;
    };
  };
  using accounting::Bounds;
  return AnswerTable<EnclosedDp>()
      .value("epsilon", end(&EnclosedDp::epsilon, &Bounds::upper), "proven for the delta")
      .unless_null()
      .value("epsilon_lower", end(&EnclosedDp::epsilon, &Bounds::lower), "no computation can prove less")
      .unless_null()
      .value("delta", end(&EnclosedDp::delta, &Bounds::upper), "proven for the epsilon")
      .unless_null()
      .value("delta_lower", end(&EnclosedDp::delta, &Bounds::lower), "no computation can prove less")
      .unless_null();
}

AnswerTable<FilterAnswer> filter_table() {
  return AnswerTable<FilterAnswer>()
      .value("rule", &FilterAnswer::rule, "how the filter counts")
      .value("spent", &FilterAnswer::spent, "what all losses amount to")
      .value("go", &FilterAnswer::go, "whether all of it may be released");
}

AnswerTable<FilterAnswers> filters_table() {
  return AnswerTable<FilterAnswers>()
      .object("basic", &FilterAnswers::basic, filter_table(), "epsilons add up")
      .object("rogers", &FilterAnswers::rogers, filter_table(), "Rogers 5.5.1")
      .object("whitehouse", &FilterAnswers::whitehouse, filter_table(), "Whitehouse, Ramdas, Rogers & Wu (2023)");
}

/// The text of an exact decimal that may be absent.
std::optional<std::string> text_of(const std::optional<Decimal>& decimal) {
  return decimal ? std::optional(decimal->to_string()) : std::nullopt;
}

AnswerTable<Reply> answer_table() {
  const auto rogers = [](const Reply& reply) { return reply.filters ? reply.filters->rogers : std::nullopt; };
  const Json number = Codec<std::optional<double>>::schema();
  return AnswerTable<Reply>()
      .value("mechanisms", &Reply::mechanisms, "how many releases")
      .value(
          "delta", [](const Reply& reply) { return text_of(reply.delta); }, "the delta of the request")
      .unless_null()
      .value(
          "at_epsilon", [](const Reply& reply) { return text_of(reply.at_epsilon); }, "the epsilon of the request")
      .unless_null()
      .value(
          "basic", [](const Reply& reply) { return reply.basic ? std::optional(reply.basic->epsilon.approximate()) : std::nullopt; },
          "the sum of the epsilons")
      .object("basic_exact", &Reply::basic,
              AnswerTable<accounting::ExactGuarantee>()
                  .value(
                      "epsilon", [](const accounting::ExactGuarantee& sum) { return sum.epsilon.to_string(); }, "the sum of the epsilons")
                  .value(
                      "delta", [](const accounting::ExactGuarantee& sum) { return sum.delta.to_string(); }, "the sum of the deltas"),
              "the sums as exact decimals")
      .unless_null()
      .value("advanced", &Reply::advanced, "epsilon by advanced composition")
      .object("optimal", &Reply::optimal, enclosed_table(), "the best that holds for all mechanisms with these parameters")
      .object("numerical", &Reply::numerical, enclosed_table(), "from the distributions of the noise")
      .object("filter", rogers, filter_table(), "the filter of Rogers 5.5.1")
      .object("filters", &Reply::filters, filters_table(), "filters for the budget")
      .unless_null()
      .value(
          "odometer", [](const Reply& reply) { return reply.odometer ? reply.odometer->advanced : std::nullopt; },
          "the odometer's bound by its theorem; null where the deltas leave none")
      .json_object({{"odometer_bound", "the odometer's bound, where it was asked for", number, false}},
                   [](const Reply& reply) {
                     if (!reply.odometer) return Json::object();
                     return Json{{"odometer_bound", Codec<std::optional<double>>::write(reply.odometer->bound)}};
                   })
      .object("zcdp", &Reply::rho,
              AnswerTable<RhoTotal>()
                  .value("rho", &RhoTotal::rho, "the sum, rounded up")
                  .value(
                      "rho_exact", [](const RhoTotal& total) { return total.exact.to_string(); }, "the sum as an exact decimal")
                  .value(
                      "xi", [](const RhoTotal& total) { return total.xi.is_zero() ? std::nullopt : std::optional(total.xi.to_string()); },
                      "the sum of the xi, where a loss has one")
                  .unless_null()
                  .value("epsilon", &RhoTotal::epsilon, "for the delta, within a budget set beforehand")
                  .unless_null()
                  .value("odometer", &RhoTotal::odometer, "an epsilon for the delta that holds when it is read, at any moment")
                  .unless_null(),
              "the sum of the rhos")
      .unless_null()
      .object("gdp", &Reply::mu,
              AnswerTable<MuTotal>()
                  .value("mu", &MuTotal::mu, "the root of the sum, rounded up")
                  .value(
                      "mu_squared_exact", [](const MuTotal& total) { return total.mu_squared.to_string(); }, "the sum as an exact decimal")
                  .value("epsilon", &MuTotal::epsilon, "for the delta, within a budget set beforehand")
                  .unless_null()
                  .value("odometer", &MuTotal::odometer, "an epsilon for the delta that holds when it is read, at any moment")
                  .unless_null(),
              "the sum of the mu^2")
      .unless_null();
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "compose",
       .summary = "What many releases give away together, by every rule that holds for them",
       .example = "tacet compose --losses '[{\"epsilon\": 0.1, \"times\": 30}]' --delta 1e-6 --epsilon-budget 3 --n 10000",
       .library = LibraryFunction{"compose_losses", "tacet/workflow/privacy/compose.h"},
       .request =
           RequestTable<Request>()
               .field("file", &Request::file, "F",
                      "a JSON list of losses: [{\"epsilon\": e, \"delta\": d, \"times\": k}, {\"laplace\": e}, {\"mu\": m}, {\"rho\": r, "
                      "\"xi\": x}]")
               .field("losses", &Request::losses, "JSON", "the same list, as text, instead of file")
               .field(
                   "delta", [](Request& r) -> auto& { return r.composition.delta; }, "D", "the delta for which epsilons are wanted")
               .field(
                   "at-epsilon", [](Request& r) -> auto& { return r.composition.at_epsilon; }, "E",
                   "the epsilon for which deltas are wanted")
               .field(
                   "epsilon-budget", [](Request& r) -> auto& { return r.composition.epsilon_budget; }, "E",
                   "whether filters with this budget (and delta) allow all losses")
               .whole(
                   "n", [](Request& r) -> auto& { return r.composition.n; }, 2, kMostPeople, "N", "the number of people, for the odometer"),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::compose_verb
