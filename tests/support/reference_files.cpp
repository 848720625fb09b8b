#include "support/reference_files.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <unistd.h>
#include <zlib.h>

#include "support/paths.h"

namespace fs = std::filesystem;

namespace monocoque::test {
namespace {

std::vector<fs::path> folders() {
  std::vector<fs::path> out{fs::path(source_dir()) / "tests" / "reference"};
  if (const char* given = std::getenv("MONOCOQUE_REFERENCE")) out.emplace_back(given);
  out.push_back(fs::path(source_dir()) / ".." / "shared" / "reference");
  return out;
}

/// Folder of this process for unpacked files.
class Unpacked {
 public:
  Unpacked() : folder_(fs::temp_directory_path() / ("monocoque-reference-" + std::to_string(getpid()))) {}
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  ~Unpacked() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string file(const fs::path& packed, const std::string& name) const {
    const fs::path path = folder_ / name;
    if (fs::exists(path)) return path.string();
    fs::create_directories(path.parent_path());
    const gzFile in = gzopen(packed.c_str(), "rb");
    if (in == nullptr) throw std::runtime_error("cannot be opened: " + packed.string());
    std::ofstream out(path, std::ios::binary);
    std::array<char, 65536> buffer{};
    int count = 0;
    while ((count = gzread(in, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0)
      out.write(buffer.data(), count);
    gzclose(in);
    if (count < 0 || !out) throw std::runtime_error("cannot be unpacked: " + packed.string());
    return path.string();
  }

 private:
  fs::path folder_;
};

}  // namespace

std::string find_reference(const std::string& name) {
  static const Unpacked unpacked;
  for (const fs::path& folder : folders()) {
    if (fs::exists(folder / name)) return (folder / name).string();
    const fs::path packed = folder / (name + ".gz");
    if (fs::exists(packed)) return unpacked.file(packed, name);
  }
  return {};
}

std::string reference(const std::string& name) {
  const std::string found = find_reference(name);
  return found.empty() ? "tests/reference/" + name : found;
}

bool reference_required() {
  const char* given = std::getenv("MONOCOQUE_REQUIRE_REFERENCE");
  return given != nullptr && std::string(given) != "" && std::string(given) != "0";
}

}  // namespace monocoque::test
