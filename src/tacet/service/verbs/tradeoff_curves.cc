#include "tacet/service/all_verbs.h"
#include "tacet/service/tradeoff_answer.h"

namespace tacet::service::tradeoff_curves_verb {
namespace {

struct Request {
  std::vector<std::string> curves;
  TradeoffOutput output;
};

/// "1/-1": numbers with slashes between them.
Result<std::vector<double>> parts_of(const std::string& text) {
  std::vector<double> parts;
  for (std::size_t from = 0;;) {
    const std::size_t slash = text.find('/', from);
    TACET_TRY(const double part, Codec<double>::read(text.substr(from, slash == std::string::npos ? slash : slash - from), "curve"));
    parts.push_back(part);
    if (slash == std::string::npos) return parts;
    from = slash + 1;
  }
}

/// "gaussian:1", "laplace:1/-1", "epsilon:0.8", "epsilon:1/1e-6".
Result<TradeOff> parse_curve(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const auto wrong = [&text] {
    return Error::invalid("curve", text.substr(0, 60), "must be gaussian:MU, laplace:SHIFT/SHIFT..., epsilon:E or epsilon:E/DELTA",
                          "for example: curves = gaussian:1,laplace:1/1,epsilon:0.8");
  };
  if (colon == std::string::npos) return wrong();
  TACET_TRY(const std::vector<double> parts, parts_of(text.substr(colon + 1)));
  if (kind == "gaussian" && parts.size() == 1) return TradeOff::gaussian(parts[0]);
  if (kind == "laplace") return TradeOff::laplace(parts);
  if (kind == "epsilon" && parts.size() == 1) return TradeOff::pure(parts[0]);
  if (kind == "epsilon" && parts.size() == 2) return TradeOff::approximate(parts[0], parts[1]);
  return wrong();
}

/// "gaussian:1+laplace:1": the curve of several releases together.
Result<TradeOff> parse_releases(const std::string& text) {
  std::size_t plus = text.find('+');
  TACET_TRY(TradeOff curve, parse_curve(text.substr(0, plus)));
  while (plus != std::string::npos) {
    const std::size_t from = plus + 1;
    plus = text.find('+', from);
    TACET_TRY(const TradeOff next, parse_curve(text.substr(from, plus == std::string::npos ? plus : plus - from)));
    TACET_TRY(curve, accounting::compose(curve, next));
  }
  return curve;
}

Result<TradeoffReply> run(const Request& request, const Context& /*context*/) {
  std::vector<TradeOff> curves;
  for (const std::string& text : request.curves) {
    TACET_TRY(TradeOff curve, parse_releases(text));
    curves.push_back(std::move(curve));
  }
  return tradeoff_reply(curves, request.output);
}

}  // namespace

Verb make() {
  return verb<Request, TradeoffReply>(
      {.name = "tradeoff curves",
       .summary = "Several trade-off curves together, as numbers, CSV and a picture",
       .example = "tacet tradeoff curves --curves gaussian:1,laplace:1/1,epsilon:0.8,epsilon:1/1e-6 --html curves.html",
       .library = LibraryFunction{"tradeoff_table", "tacet/workflow/privacy/tradeoff.h"},
       .request = RequestTable<Request>()
                      .required("curves", &Request::curves, "C,C",
                                "gaussian:MU, laplace:SHIFT/SHIFT..., epsilon:E, epsilon:E/DELTA, or several with + for releases together")
                      .include(&Request::output, tradeoff_output()),
       .answer = tradeoff_answer(),
       .run = run,
       .words = tradeoff_words});
}

}  // namespace tacet::service::tradeoff_curves_verb
