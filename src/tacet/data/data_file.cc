#include "tacet/data/data_file.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacet/base/text.h"

namespace tacet::data {
Result<DataFile> DataFile::of(OwnedDescriptor descriptor, const FileForm& form, const std::string& path) {
  struct stat about{};
  if (::fstat(descriptor.number(), &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error::of(Code::DataUnreadable, fmt::format("{} is not a regular file", in_quotes(path)),
                     "a folder, a pipe or a device cannot be tabulated; save the rows as a file");
  }
  DataFile file = adopt(std::move(descriptor), form, path);
  // From the open file, not from the name: changing a symbolic link meanwhile has no effect.
  std::error_code unknown;  // then nothing is found under the empty path
  file.real_path_ = std::filesystem::read_symlink(file.descriptor_path(), unknown).string();
  return file;
}

DataFile DataFile::adopt(OwnedDescriptor descriptor, const FileForm& form, const std::string& name) {
  DataFile file;
  file.path_ = file.real_path_ = name;
  file.form_ = form;
  file.descriptor_ = std::make_shared<const OwnedDescriptor>(std::move(descriptor));
  return file;
}

std::string DataFile::descriptor_path() const { return fmt::format("/proc/self/fd/{}", descriptor()); }

}  // namespace tacet::data
