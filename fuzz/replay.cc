// Runs a fuzz target on every file of a folder, without libFuzzer: what `make check` does with the
// corpus.
//
//   fuzz_csv fuzz/corpus/csv [FILE...]      FILEs of that folder are left out
//
// The name of a file is printed before it is run, so that the last line names the one that failed.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    (void)std::fputs("usage: replay FOLDER [FILE...]\n", stderr);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(words.front())) {
    if (std::find(words.begin() + 1, words.end(), entry.path().filename().string()) == words.end()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::printf("%s\n", file.filename().c_str());
    (void)std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    // A copy of exactly this size, so that the address sanitizer sees a read beyond its end.
    const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
    (void)LLVMFuzzerTestOneInput(data.data(), data.size());
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
