#include "tacet/service/losses_file.h"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "tacet/accounting/losses.h"
#include "tacet/mechanisms/json_file.h"
#include "tacet/service/request.h"

namespace tacet::service {
namespace {

constexpr const char* kExample = R"(for example: [{"epsilon": 0.1, "delta": 0, "times": 30}])";

struct Named {
  MechanismKind kind;
  const char* field;
};
constexpr std::array<Named, 4> kKinds = {{{MechanismKind::Known, "epsilon"},
                                          {MechanismKind::Laplace, "laplace"},
                                          {MechanismKind::Gaussian, "mu"},
                                          {MechanismKind::Zcdp, "rho"}}};

Error wrong(std::size_t number, const std::string& value, const std::string& rule) {
  return Error::invalid(fmt::format("loss {}", number), value, rule, kExample);
}

/// The parameter of this kind, through the door of its currency.
Result<Decimal> parameter(MechanismKind kind, const std::string& text) {
  if (kind == MechanismKind::Gaussian) {
    TACET_TRY(const privacy::Mu mu, privacy::Mu::parse(text));
    return mu.value();
  }
  if (kind == MechanismKind::Zcdp) {
    TACET_TRY(const privacy::Rho rho, privacy::Rho::parse(text));
    return rho.value();
  }
  TACET_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::parse(text));
  return epsilon.value();
}

Result<Mechanism> parse_one(const Json& item, std::size_t number) {
  if (!item.is_object()) return wrong(number, "no object", "must be a JSON object");
  const Named* found = nullptr;
  for (const auto& [key, value] : item.items()) {
    const Named* kind = nullptr;
    for (const Named& named : kKinds) {
      if (key == named.field) kind = &named;
    }
    if (kind != nullptr && found != nullptr)
      return wrong(number, fmt::format("{} and {}", found->field, kind->field), "must have one of epsilon, laplace, mu, rho");
    if (kind != nullptr) found = kind;
    if (kind == nullptr && key != "delta" && key != "times")
      return wrong(number, fmt::format("the field \"{}\"", key.substr(0, 40)), "may have epsilon, delta, times, laplace, mu and rho only");
    if (!value.is_number() && !value.is_string())
      return wrong(number, fmt::format("{} that is no number", key), "must have numbers as values");
  }
  if (found == nullptr) return wrong(number, "without a parameter", "must have one of epsilon, laplace, mu, rho");
  Mechanism mechanism{found->kind, {}, {}, 1};
  TACET_TRY(mechanism.first, parameter(found->kind, *number_field(item, found->field)));
  if (const auto text = number_field(item, "delta")) {
    TACET_TRY(const privacy::Delta delta, privacy::Delta::parse(*text));
    if (found->kind != MechanismKind::Known && !delta.value().is_zero())
      return wrong(number, fmt::format("delta {} beside {}", *text, found->field), "may have a delta beside epsilon only");
    mechanism.delta = delta.value();
  }
  if (const auto text = number_field(item, "times")) {
    TACET_TRY(mechanism.times, whole_number("times", *text, 1, accounting::LossList::kMostTimes));
  }
  return mechanism;
}

}  // namespace

Result<std::vector<Mechanism>> parse_losses(const Json& list) {
  if (!list.is_array()) return Error::invalid("losses", "no list", "must be a JSON list of losses", kExample);
  if (list.empty() || list.size() > accounting::LossList::kMostTerms)
    return Error::invalid("losses", fmt::format("a list of {}", list.size()), "must be at least one loss and at most a million", kExample);
  std::vector<Mechanism> mechanisms;
  mechanisms.reserve(list.size());
  for (const Json& item : list) {
    TACET_TRY(Mechanism mechanism, parse_one(item, mechanisms.size() + 1));
    mechanisms.push_back(std::move(mechanism));
  }
  return mechanisms;
}

Result<std::vector<Mechanism>> read_losses(const std::string& path) {
  TACET_TRY(const Json list, mechanisms::read_json_file(path, "file"));
  return parse_losses(list);
}

}  // namespace tacet::service
