// Solids against CalculiX (ccx) on the same mesh: a bent, clamped block. Skipped when ccx is not installed.
// C3D4 integrates the mass with one point; ours is exact. With one point ours agrees to 1e-7, so what remains
// is that difference, which falls with the square of the mesh width. C3D6 has two points, wedge6 six and a
// bubble.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fe/element.h"
#include "fe/support.h"
#include "support/verify_row.h"

namespace monocoque::test {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / fmt::format("monocoque_ccx_{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_inp(const io::FeMesh& mesh, const std::string& type, const Steel& steel, int count,
               const fs::path& file) {
  std::ofstream out(file);
  out << "*NODE\n";
  for (const io::FeNode& n : mesh.nodes)
    out << fmt::format("{},{:.15g},{:.15g},{:.15g}\n", n.id, n.p.x(), n.p.y(), n.p.z());
  out << "*ELEMENT,TYPE=" << type << ",ELSET=ALL\n";
  for (const io::FeElement& e : mesh.elements) {
    out << e.id;
    for (int k = 0; k < io::node_count(e.kind); ++k) {
      // At most 16 entries per line.
      out << (k == 15 ? ",\n" : ",") << mesh.nodes[static_cast<std::size_t>(mesh.nodes_of(e)[k])].id;
    }
    out << '\n';
  }
  out << fmt::format("*MATERIAL,NAME=S\n*ELASTIC\n{:.15g},{:.15g}\n*DENSITY\n{:.15g}\n", steel.E, steel.nu,
                     steel.rho);
  out << "*SOLID SECTION,ELSET=ALL,MATERIAL=S\n*BOUNDARY\n";
  for (const io::Support& s : mesh.supports)
    out << mesh.nodes[static_cast<std::size_t>(s.node)].id << ",1,3\n";
  out << "*STEP\n*FREQUENCY\n" << count << "\n*END STEP\n";
}

/// Lines "mode eigenvalue rad/s Hz imaginary" below the eigenvalue heading.
std::vector<double> read_dat(const fs::path& file) {
  std::ifstream in(file);
  std::vector<double> out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.find("P A R T I C I P A T I O N") != std::string::npos) break;
    std::istringstream words(line);
    int mode = 0;
    double value = 0, radian = 0, hertz = 0;
    if (words >> mode >> value >> radian >> hertz && mode == static_cast<int>(out.size()) + 1)
      out.push_back(hertz);
  }
  return out;
}

struct SolidCase {
  ElementKind kind;
  const char* type;
  int nx, ny, nz;
};

class CalculiX : public ::testing::TestWithParam<SolidCase> {};
INSTANTIATE_TEST_SUITE_P(Solids, CalculiX,
                         ::testing::Values(SolidCase{ElementKind::tet4, "C3D4", 36, 9, 7},
                                           SolidCase{ElementKind::tet10, "C3D10", 8, 2, 2},
                                           SolidCase{ElementKind::wedge6, "C3D6", 32, 10, 8},
                                           SolidCase{ElementKind::brick8, "C3D8I", 24, 6, 4},
                                           SolidCase{ElementKind::brick20, "C3D20", 8, 2, 2}),
                         [](const auto& info) { return fe::kind_name(info.param.kind); });

TEST_P(CalculiX, SameFrequencies) {
  if (std::system("command -v ccx > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "not compared: CalculiX (ccx) is not installed";
  const SolidCase& c = GetParam();
  const Steel steel;
  MeshBuilder b;
  const int solid = b.solid(steel);
  b.volume(c.kind, solid, c.nx, c.ny, c.nz, [](double x, double y, double z) {
    // Bent and tapered: no element is a box.
    const double angle = 1.1 * x, r = 0.4 + 0.12 * (1 - 0.3 * x) * y;
    return Vec3(r * std::sin(angle), r * std::cos(angle), 0.08 * z * (1 - 0.2 * x) + 0.03 * x * y);
  });
  b.support_where([](const Vec3& p) { return p.x() < 1e-9; }, bits({1, 2, 3}));
  constexpr int kCount = 6;
  const TemporaryFolder folder;
  write_inp(b.mesh, c.type, steel, kCount, folder.path() / "job.inp");
  const std::string command =
      fmt::format("cd '{}' && OMP_NUM_THREADS=1 ccx job > log.txt 2>&1", folder.path().string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::vector<double> expected = read_dat(folder.path() / "job.dat");
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(kCount));
  const auto f = frequencies(assemble(b.mesh), kCount);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double error = std::abs(f[k] / expected[k] - 1);
    verify_row("Finite elements: solids against CalculiX on the same mesh",
               fmt::format("bent block, {} x {} x {} cells of {}", c.nx, c.ny, c.nz, fe::kind_name(c.kind)),
               fmt::format("mode {}", k + 1), fmt::format("{:.3f} Hz", f[k]),
               fmt::format("{:.3f} Hz", expected[k]), error,
               fmt::format("ccx {}{}", c.type,
                           c.kind == ElementKind::tet4 ? ", which takes the mass from one point" : ""));
    EXPECT_LT(error, 5e-3) << f[k] << " against " << expected[k];
  }
}

}  // namespace
}  // namespace monocoque::test
