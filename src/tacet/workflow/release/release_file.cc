#include "tacet/workflow/release/release_file.h"

#include "tacet/workflow/new_file.h"

namespace tacet {

Status write_release(const Release& release, const std::string& path) {
  const std::string text = mechanisms::to_text(release);
  TACET_TRY(NewFile file, NewFile::reserve(path, text.size()));
  return file.publish(text);
}

}  // namespace tacet
