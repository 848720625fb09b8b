// Cost of a reduction against the size of the mesh: a closed box of shells with two inner walls, generated
// here.
//   bench_reduce_scaling               10 k, 100 k, 300 k and 1 M degrees of freedom, one process each
//   bench_reduce_scaling DOF           one size
// Four boundary nodes with three components (12 static modes), 16 further interface nodes, 34 held modes: 40
// elastic coordinates. Fails when 1 M takes more than 600 s or 16 GiB.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "fe/assemble.h"
#include "io/mesh/fe_mesh.h"
#include "measure/stop_watch.h"
#include "reduce/reduce_body.h"
#include "support/shell_box.h"

namespace monocoque::bench {
namespace {

constexpr double kLimit_s = 600, kLimit_GiB = 16;

/// Box of 2 x 1 x 0.5 m, walls of 2 mm steel, quadrilaterals of one size; two walls across inside.
class BoxMesh : public test::ShellBox {
 public:
  explicit BoxMesh(int n) : ShellBox({2, 1, 0.5}, {4 * n, 2 * n, n}, 2e-3) {
    for (const int k : {0, nz()}) wall(2, k);
    for (const int j : {0, ny()}) wall(1, j);
    for (const int i : {0, nx() / 3, 2 * nx() / 3, nx()}) wall(0, i);
  }
};

struct Result {
  double unknowns = 0, assemble_s = 0, factor_s = 0, modes_s = 0, sid_s = 0, total_s = 0, memory_GiB = 0;
  int nq = 0;
  double first_Hz = 0;
};

reduce::ReduceOptions options_for(BoxMesh& box) {
  reduce::ReduceOptions o;
  o.name = "box";
  const int x = box.nx(), y = box.ny(), z = box.nz();
  for (const long id : {box.id(0, 0, 0), box.id(x, 0, 0), box.id(0, y, 0), box.id(x, y, 0)})
    o.boundary.push_back({id, 7});
  for (int k = 0; k < 8; ++k) {
    o.interface_nodes.push_back(box.id(x * (k + 1) / 9, 0, z));
    o.interface_nodes.push_back(box.id(x * (k + 1) / 9, y, z / 2));
  }
  o.modes = 34;
  o.memory_limit_bytes = kLimit_GiB * std::pow(1024.0, 3);
  o.log = [](const std::string& line) { fmt::print(stderr, "  {}\n", line); };
  return o;
}

Result measure(double dof) {
  // 6 (2 * 8 + 2 * 4 + 4 * 2) n^2 unknowns.
  BoxMesh box(std::max(2, static_cast<int>(std::lround(std::sqrt(dof / (6 * 32))))));
  reduce::ReduceOptions o = options_for(box);
  const measure::StopWatch watch;
  const FeSystem fe = assemble(box.mesh, MassKind::consistent);
  const double assembled = watch.elapsed().wall_s;
  fmt::print(stderr, "{} unknowns, assembled in {:.1f} s\n", fe.size(), assembled);
  const reduce::NodeMap map(fe);
  const reduce::ReducedBody body = reduce::reduce_body(fe, map, o);
  Result r;
  r.unknowns = fe.size();
  r.assemble_s = assembled;
  r.factor_s = body.cholesky_s;
  r.modes_s = body.modes_s;
  r.sid_s = body.sid_s;
  r.total_s = watch.elapsed().wall_s;
  r.nq = body.sid.nq;
  r.first_Hz = std::sqrt(body.basis.omega2[0]) / (2 * 3.14159265358979);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  r.memory_GiB = static_cast<double>(usage.ru_maxrss) / 1024 / 1024;
  return r;
}

void print(const Result& r) {
  fmt::print("{:10.0f} {:4} {:9.3f} {:9.1f} {:9.1f} {:9.1f} {:9.1f} {:9.1f} {:9.2f}\n", r.unknowns, r.nq,
             r.first_Hz, r.assemble_s, r.factor_s, r.modes_s, r.sid_s, r.total_s, r.memory_GiB);
  std::fflush(stdout);
}

/// A process of its own per size: the peak of memory is then that of the size.
Result measure_apart(double dof) {
  int ends[2];
  if (pipe(ends) != 0) throw Error("bench", "no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      const Result r = measure(dof);
      if (write(ends[1], &r, sizeof r) == static_cast<ssize_t>(sizeof r)) status = 0;
    } catch (const std::exception& e) {
      fmt::print(stderr, "{}\n", e.what());
    }
    _exit(status);
  }
  Result r;
  close(ends[1]);
  const bool got = read(ends[0], &r, sizeof r) == static_cast<ssize_t>(sizeof r);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!got) throw Error("bench", fmt::format("{} degrees of freedom failed", dof));
  return r;
}

int table() {
  fmt::print(
      "  unknowns   nq   f1 [Hz]  assemble  factor    modes      SID     total   memory\n"
      "                               [s]      [s]      [s]      [s]      [s]     [GiB]\n");
  std::vector<Result> all;
  for (const double dof : {1e4, 1e5, 3e5, 1e6}) {
    all.push_back(measure_apart(dof));
    print(all.back());
  }
  const auto exponent = [&](double Result::*what) {
    return std::log(all.back().*what / (all[1].*what)) / std::log(all.back().unknowns / all[1].unknowns);
  };
  fmt::print("growth from 100 k to 1 M: time N^{:.2f}, memory N^{:.2f}\n", exponent(&Result::total_s),
             exponent(&Result::memory_GiB));
  const bool ok = all.back().total_s < kLimit_s && all.back().memory_GiB < kLimit_GiB && all.back().nq == 40;
  if (!ok) fmt::print("FAILED: 1 M must give 40 coordinates in {} s and {} GiB\n", kLimit_s, kLimit_GiB);
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace monocoque::bench

int main(int argc, char** argv) {
  using namespace monocoque::bench;
  try {
    if (argc == 1) return table();
    print(measure(std::atof(argv[1])));
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
