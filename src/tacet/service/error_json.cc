#include "tacet/service/error_json.h"

#include <fmt/format.h>

#include "tacet/report/text_table.h"

namespace tacet::service {

nlohmann::json to_json(const Error& error) {
  return {{"error",
           {{"code", name(error.code())},
            {"name", error.name()},
            {"value", error.value()},
            {"rule", error.rule()},
            {"remedy", error.remedy()},
            {"message", error.message()},
            {"spent", error.spent()}}}};
}

std::string sentence(const Error& error) {
  return report::printable(fmt::format("{}: {}; {}", name(error.code()), error.message(), error.spent()));
}

int exit_code(Code code) {
  switch (code) {
    case Code::InvalidArgument:
    case Code::Unsupported:
    case Code::NotFound:
    case Code::AlreadyExists:
    case Code::SchemaInvalid:
    case Code::FileUnwritable: return 1;
    case Code::BudgetExhausted:
    case Code::LedgerUnavailable:
    case Code::LedgerCorrupt: return 3;
    case Code::DataUnreadable:
    case Code::EngineFailed: return 4;
    case Code::EntropyUnavailable:
    case Code::Internal: return 5;
  }
  return 5;
}

}  // namespace tacet::service
