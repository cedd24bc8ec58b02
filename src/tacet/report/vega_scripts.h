// tacet/report/vega_scripts.h: the scripts that draw plots, from npm, and their licences.
//
//   for (const Script& script : vega_scripts()) show(script.name, script.licence);
//
// The assembler includes the files of .deps/vega (pinned in tools/setup) byte for byte, so that
// the program is one file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace tacet::report {

struct Script {
  std::string_view name, text, licence;
};

/// vega, vega-lite and vega-embed, in the order in which a page must load them.
const std::array<Script, 3>& vega_scripts();

}  // namespace tacet::report
