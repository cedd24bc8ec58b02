#include "tacet/report/vega_scripts.h"

#include <cstddef>

// The folder of the files is an include path of the assembler (src/CMakeLists.txt).
// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are names
#define TACET_EMBED(symbol, file)                                                                                                         \
  __asm__(".pushsection .rodata\n.hidden tacet_" #symbol "_begin\n.hidden tacet_" #symbol "_end\n.global tacet_" #symbol                  \
          "_begin\n"                                                                                                                      \
          ".global tacet_" #symbol "_end\ntacet_" #symbol "_begin:\n.incbin \"" file "\"\ntacet_" #symbol "_end:\n.byte 0\n.popsection"); \
  extern "C" const char tacet_##symbol##_begin[];                                                                                         \
  extern "C" const char tacet_##symbol##_end[]
#define TACET_EMBEDDED(symbol) \
  std::string_view(tacet_##symbol##_begin, static_cast<std::size_t>(tacet_##symbol##_end - tacet_##symbol##_begin))
// NOLINTEND(bugprone-macro-parentheses)

TACET_EMBED(vega, "vega.min.js");
TACET_EMBED(vega_lite, "vega-lite.min.js");
TACET_EMBED(vega_embed, "vega-embed.min.js");
TACET_EMBED(vega_licence, "LICENSE.vega");
TACET_EMBED(vega_lite_licence, "LICENSE.vega-lite");
TACET_EMBED(vega_embed_licence, "LICENSE.vega-embed");

namespace tacet::report {

const std::array<Script, 3>& vega_scripts() {
  static const std::array<Script, 3> scripts = {{{"vega", TACET_EMBEDDED(vega), TACET_EMBEDDED(vega_licence)},
                                                 {"vega-lite", TACET_EMBEDDED(vega_lite), TACET_EMBEDDED(vega_lite_licence)},
                                                 {"vega-embed", TACET_EMBEDDED(vega_embed), TACET_EMBEDDED(vega_embed_licence)}}};
  return scripts;
}

}  // namespace tacet::report
