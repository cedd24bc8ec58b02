#include <fmt/format.h>

#include "tacet/service/all_verbs.h"
#include "tacet/service/privacy_fields.h"
#include "tacet/workflow/privacy/calibrate.h"

namespace tacet::service::calibrate_gaussian_verb {
namespace {

struct Request {
  std::optional<Digits> l2;
  std::optional<std::vector<Digits>> box, weights;
  std::optional<PrivacyAmount> loss;
};

struct Reply {
  PrivacyAmount promise;
  std::variant<GaussianCalibration, BoxCalibration> noise;

  const GaussianCalibration* isotropic() const { return std::get_if<GaussianCalibration>(&noise); }
  const BoxCalibration* box() const { return std::get_if<BoxCalibration>(&noise); }
};

Result<Reply> run(const Request& request, const Context& /*context*/) {
  if (request.box.has_value() == request.l2.has_value()) {
    return Error::invalid("sensitivity", request.l2 ? "given twice" : "missing",
                          "must be given as one of l2 (one bound for all) and box (one each)", "for example: l2 = 1");
  }
  if (request.weights && request.l2) return Error::invalid("weights", "given with l2", "go with box only");
  if (request.l2) {
    TACET_TRY(const GaussianCalibration noise, calibrate_gaussian({.l2 = *request.l2, .loss = *request.loss}));
    return Reply{*request.loss, noise};
  }
  TACET_TRY(BoxCalibration noise, calibrate_box({.box = *request.box, .loss = *request.loss, .weights = request.weights}));
  return Reply{*request.loss, std::move(noise)};
}

double mu(const Reply& reply) {
  return std::visit([](const auto& noise) { return noise.mu; }, reply.noise);
}
double rho(const Reply& reply) {
  return std::visit([](const auto& noise) { return noise.rho; }, reply.noise);
}
GaussianRule rule(const Reply& reply) {
  return std::visit([](const auto& noise) { return noise.rule; }, reply.noise);
}

std::string words(const Reply& reply) {
  const BoxCalibration* box = reply.box();
  const std::string noise = box != nullptr ? fmt::format("standard deviations {}, one for each coordinate", fmt::join(box->sigma, ", "))
                                           : fmt::format("standard deviation {} to every coordinate", reply.isotropic()->sigma);
  std::string out = fmt::format(
      "Add Gaussian noise with {}.\n"
      "That keeps {}; it is mu-GDP with mu {:.6g} and rho-zCDP with rho {:.6g}.\n",
      noise, promise_words(reply.promise), mu(reply), rho(reply));
  if (box == nullptr && reply.isotropic()->classical_sigma)
    out += fmt::format("The classical formula would add {:.6g}.\n", *reply.isotropic()->classical_sigma);
  return out;
}

AnswerTable<Reply> answer_table() {
  const Json number = Codec<double>::schema();
  const Json numbers = Codec<std::vector<double>>::schema();
  const auto of_box = [](std::vector<double> BoxCalibration::* member) {
    return [member](const Reply& reply) { return reply.box() != nullptr ? std::optional(reply.box()->*member) : std::nullopt; };
  };
  return AnswerTable<Reply>()
      .json(
          "sigma", [](const Reply& reply) { return reply.box() != nullptr ? Json(reply.box()->sigma) : Json(reply.isotropic()->sigma); },
          {{"anyOf", {number, numbers}}}, "the standard deviation for every coordinate; with box a list, one for each")
      .value("mu", mu, "what this noise gives away in mu")
      .value("rho", rho, "what this noise gives away in rho")
      .value(
          "l2", [](const Reply& reply) { return reply.isotropic() != nullptr ? std::optional(reply.isotropic()->l2) : std::nullopt; },
          "the sensitivity that was used, rounded up")
      .unless_null()
      .value(
          "classical_sigma",
          [](const Reply& reply) { return reply.isotropic() != nullptr ? reply.isotropic()->classical_sigma : std::nullopt; },
          "for comparison, with epsilon below 1 and delta: l2 sqrt(2 log(1.25/delta))/epsilon")
      .unless_null()
      .value("box", of_box(&BoxCalibration::box), "the bounds that were used, rounded up")
      .unless_null()
      .value("weights", of_box(&BoxCalibration::weights), "parts of the budget, squared")
      .unless_null()
      .value(
          "total_variance",
          [](const Reply& reply) { return reply.box() != nullptr ? std::optional(reply.box()->total_variance) : std::nullopt; },
          "the sum of the variances of all coordinates")
      .unless_null()
      .value(
          "promise", [](const Reply& reply) { return promise_words(reply.promise); }, "what is kept")
      .value("rule", rule, "how the noise was found")
      .value("theorem", [](const Reply& reply) { return std::string(theorem_of(rule(reply))); }, "why it keeps the promise");
}

}  // namespace

Verb make() {
  return verb<Request, Reply>(
      {.name = "calibrate gaussian",
       .summary = "The least Gaussian noise that keeps a promise, never too little",
       .example = "tacet calibrate gaussian --l2 1 --epsilon 1 --delta 1e-6",
       .library = LibraryFunction{"calibrate_gaussian", "tacet/workflow/privacy/calibrate.h"},
       .request = RequestTable<Request>()
                      .field("l2", &Request::l2, "S", "the L2 sensitivity: how far one person moves the statistic")
                      .include(&Request::loss, privacy_table_of({{"epsilon", "E", "the epsilon of (epsilon, delta)", FieldKind::Number},
                                                                 {"delta", "D", "the delta of (epsilon, delta)", FieldKind::Number},
                                                                 {"mu", "M", "or mu (Gaussian privacy)", FieldKind::Number},
                                                                 {"rho", "R", "or rho (zero-concentrated privacy)", FieldKind::Number}}))
                      .field("box", &Request::box, "s,t", "instead of l2: how far one person moves each coordinate")
                      .field("weights", &Request::weights, "w,v",
                             "with box: parts of the budget, squared; those of the least total variance if not given"),
       .answer = answer_table(),
       .run = run,
       .words = words});
}

}  // namespace tacet::service::calibrate_gaussian_verb
