// tacet-reference FOLDER: writes the reference pages and JSON Schemas of all verbs into a folder
// (docs/reference/verbs).
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tacet/service/reference.h"

namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    (void)std::fputs("usage: tacet-reference FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  bool good = std::filesystem::is_directory(folder) && write(folder / "README.md", tacet::service::reference_index());
  for (const tacet::service::Verb& verb : tacet::service::verbs()) {
    const std::string name = tacet::service::file_name(verb);
    good = good && write(folder / (name + ".md"), tacet::service::reference_page(verb));
    good = good && write(folder / (name + ".schema.json"), tacet::service::dump(tacet::service::verb_schema(verb), 1) + "\n");
  }
  if (!good) (void)std::fputs("tacet-reference: could not write into the folder\n", stderr);
  return good ? 0 : 1;
}
