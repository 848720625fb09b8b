#include "io/mesh/triangle_mesh.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <fmt/format.h>

#include "core/error.h"

namespace monocoque::io {

namespace {

constexpr std::size_t kMostTriangles = 5'000'000, kMostMeshBytes = std::size_t{1} << 30;

[[noreturn]] void refuse_mesh(const std::string& path, int line, const std::string& problem) {
  Place place;
  place.file = path;
  place.line = line;
  throw Error(place, "mesh", problem, "give a whole STL or OBJ file with triangles");
}

struct Corner {
  std::array<std::uint32_t, 3> bits;
  bool operator==(const Corner&) const = default;
};
struct CornerHash {
  std::size_t operator()(const Corner& c) const {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const std::uint32_t b : c.bits) h = (h ^ b) * 0x100000001b3ULL;
    return static_cast<std::size_t>(h ^ (h >> 29));
  }
};

/// Gathers triangles by their corners.
class MeshGatherer {
 public:
  explicit MeshGatherer(const std::string& path) : path_(path) {}

  int corner(const std::array<float, 3>& p, int line) {
    Corner key{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!std::isfinite(p[i])) refuse_mesh(path_, line, "a coordinate is not a finite number");
      key.bits[i] = std::bit_cast<std::uint32_t>(p[i] + 0.0F);  // minus zero is zero
    }
    const auto [it, fresh] = known_.emplace(key, static_cast<int>(points_.size()));
    if (fresh) points_.push_back(p);
    return it->second;
  }
  void triangle(int a, int b, int c, int line) {
    if (triangles_.size() == kMostTriangles)
      refuse_mesh(path_, line, fmt::format("it has more than {} triangles", kMostTriangles));
    if (a != b && b != c && a != c) triangles_.push_back({a, b, c});
  }
  TriangleMesh finish() {
    if (triangles_.empty()) refuse_mesh(path_, 0, "it has no triangles");
    TriangleMesh mesh;
    mesh.points.resize(3, static_cast<Eigen::Index>(points_.size()));
    for (std::size_t i = 0; i < points_.size(); ++i)
      mesh.points.col(static_cast<Eigen::Index>(i)) << points_[i][0], points_[i][1], points_[i][2];
    mesh.triangles = std::move(triangles_);
    return mesh;
  }
  std::vector<std::array<float, 3>>& points() { return points_; }

 private:
  const std::string& path_;
  std::unordered_map<Corner, int, CornerHash> known_;
  std::vector<std::array<float, 3>> points_;
  std::vector<std::array<int, 3>> triangles_;
};

std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code bad;
  const auto size = std::filesystem::file_size(path, bad);
  if (!in || bad) refuse_mesh(path, 0, "the file cannot be read");
  if (size > kMostMeshBytes) refuse_mesh(path, 0, "the file is larger than 1 GiB");
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(in.gcount()) != size) refuse_mesh(path, 0, "the file cannot be read");
  return text;
}

TriangleMesh binary_stl(const std::string& path, const std::string& bytes) {
  constexpr std::size_t kHeader = 84, kRecord = 50;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  if (bytes.size() < kHeader + kRecord * std::size_t{count})
    refuse_mesh(path, 0,
                fmt::format("it announces {} triangles, but ends after {}", count,
                            (bytes.size() - kHeader) / kRecord));
  MeshGatherer mesh(path);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<int, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<float, 3> p{};
      std::memcpy(p.data(), bytes.data() + kHeader + kRecord * i + 12 * (k + 1), 12);
      corners[k] = mesh.corner(p, 0);
    }
    mesh.triangle(corners[0], corners[1], corners[2], 0);
  }
  return mesh.finish();
}

/// Words of a line, one after the other.
class LineWords {
 public:
  explicit LineWords(std::string_view line) : rest_(line) {}
  std::string_view next() {
    std::size_t a = 0;
    while (a < rest_.size() && std::isspace(static_cast<unsigned char>(rest_[a])) != 0) ++a;
    std::size_t b = a;
    while (b < rest_.size() && std::isspace(static_cast<unsigned char>(rest_[b])) == 0) ++b;
    const std::string_view word = rest_.substr(a, b - a);
    rest_.remove_prefix(b);
    return word;
  }

 private:
  std::string_view rest_;
};

std::array<float, 3> three_numbers(LineWords& words, const std::string& path, int line) {
  std::array<float, 3> p{};
  for (float& value : p) {
    std::string_view w = words.next();
    if (!w.empty() && w.front() == '+') w.remove_prefix(1);
    const auto [end, bad] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (w.empty() || bad != std::errc() || end != w.data() + w.size())
      refuse_mesh(path, line, fmt::format("'{}' is no coordinate, a vertex has three numbers", w));
  }
  return p;
}

template <class Take>
void each_line(const std::string& text, const Take& take) {
  int line = 0;
  for (std::size_t a = 0; a < text.size();) {
    std::size_t b = text.find('\n', a);
    if (b == std::string::npos) b = text.size();
    take(std::string_view(text).substr(a, b - a), ++line);
    a = b + 1;
  }
}

TriangleMesh text_stl(const std::string& path, const std::string& text) {
  MeshGatherer mesh(path);
  std::vector<int> facet;
  each_line(text, [&](std::string_view line, int number) {
    LineWords words(line);
    const std::string_view first = words.next();
    if (first == "vertex") facet.push_back(mesh.corner(three_numbers(words, path, number), number));
    if (first != "endfacet") return;
    if (facet.size() != 3)
      refuse_mesh(path, number, fmt::format("a facet has {} vertices, it must have 3", facet.size()));
    mesh.triangle(facet[0], facet[1], facet[2], number);
    facet.clear();
  });
  if (!facet.empty()) refuse_mesh(path, 0, "the file ends within a facet");
  return mesh.finish();
}

TriangleMesh obj(const std::string& path, const std::string& text) {
  MeshGatherer mesh(path);
  auto& points = mesh.points();
  each_line(text, [&](std::string_view line, int number) {
    LineWords words(line);
    const std::string_view first = words.next();
    if (first == "v") {
      points.push_back(three_numbers(words, path, number));
      for (const float value : points.back())
        if (!std::isfinite(value)) refuse_mesh(path, number, "a coordinate is not a finite number");
      return;
    }
    if (first != "f") return;
    std::vector<int> corners;
    for (std::string_view w = words.next(); !w.empty(); w = words.next()) {
      long index = 0;
      const auto parsed = std::from_chars(w.data(), w.data() + w.size(), index);
      const auto count = static_cast<long>(points.size());
      if (index < 0) index += count + 1;  // counted from the last
      if (parsed.ec != std::errc() || index < 1 || index > count)
        refuse_mesh(path, number, fmt::format("'{}' is no vertex of the {} before it", w, count));
      corners.push_back(static_cast<int>(index - 1));
    }
    if (corners.size() < 3) refuse_mesh(path, number, "a face has fewer than 3 vertices");
    for (std::size_t k = 2; k < corners.size(); ++k)
      mesh.triangle(corners[0], corners[k - 1], corners[k], number);
  });
  return mesh.finish();
}

}  // namespace

TriangleMesh read_triangle_mesh(const std::string& path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (suffix != ".stl" && suffix != ".obj")
    refuse_mesh(path, 0, fmt::format("'{}' is no kind of mesh, .stl and .obj are", suffix));
  const std::string text = whole_file(path);
  if (suffix == ".obj") return obj(path, text);
  // A binary file may begin with "solid" as well; then its length fits the number of triangles.
  std::uint32_t count = 0;
  if (text.size() >= 84) std::memcpy(&count, text.data() + 80, 4);
  const bool fits = text.size() >= 84 && text.size() == 84 + 50 * std::size_t{count};
  if (!fits && text.compare(0, 5, "solid") == 0) return text_stl(path, text);
  if (text.size() < 84) refuse_mesh(path, 0, "it is too short for an STL file");
  return binary_stl(path, text);
}

}  // namespace monocoque::io
