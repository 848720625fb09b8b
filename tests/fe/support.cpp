#include "fe/support.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <Eigen/SparseCholesky>
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/MatOp/SymShiftInvert.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include "core/decompositions.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace monocoque::test {

void MeshBuilder::surface(ElementKind kind, int property, int nx, int ny,
                          const std::function<Vec3(double, double)>& map) {
  const int first = static_cast<int>(mesh.nodes.size());
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) node(map(double(i) / nx, double(j) / ny));
  }
  const auto id = [&](int i, int j) { return first + i + (nx + 1) * j; };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = id(i, j), b = id(i + 1, j), c = id(i + 1, j + 1), d = id(i, j + 1);
      if (kind == ElementKind::shell4) {
        element(kind, property, {a, b, c, d});
      } else {
        element(kind, property, {a, b, c});
        element(kind, property, {a, c, d});
      }
    }
  }
}

void MeshBuilder::volume(ElementKind kind, int property, int nx, int ny, int nz,
                         const std::function<Vec3(double, double, double)>& map) {
  // Quadratic kinds use every second grid point; nodes are made when first used.
  const bool quadratic = kind == ElementKind::tet10 || kind == ElementKind::brick20;
  const int s = quadratic ? 2 : 1;
  std::map<std::array<int, 3>, int> made;
  const auto id = [&](int i, int j, int k) {
    const auto [it, fresh] = made.try_emplace({i, j, k}, 0);
    if (fresh) it->second = node(map(double(i) / (s * nx), double(j) / (s * ny), double(k) / (s * nz)));
    return it->second;
  };
  using P = std::array<int, 3>;
  constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  constexpr int edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                               {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  constexpr int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                              {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
  constexpr int tet_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const auto at = [&](int c) {
          return P{s * (i + corner[c][0]), s * (j + corner[c][1]), s * (k + corner[c][2])};
        };
        const auto vertex = [&](int c) { return id(at(c)[0], at(c)[1], at(c)[2]); };
        const auto middle = [&](int a, int b) {
          const P p = at(a), q = at(b);
          return id((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
        };
        std::vector<int> n;
        if (kind == ElementKind::brick8 || kind == ElementKind::brick20) {
          for (int c = 0; c < 8; ++c) n.push_back(vertex(c));
          if (quadratic) {
            for (const auto& e : edge) n.push_back(middle(e[0], e[1]));
          }
          element(kind, property, n);
        } else if (kind == ElementKind::wedge6) {
          element(kind, property, {vertex(0), vertex(1), vertex(2), vertex(4), vertex(5), vertex(6)});
          element(kind, property, {vertex(0), vertex(2), vertex(3), vertex(4), vertex(6), vertex(7)});
        } else {
          for (const auto& t : tets) {
            n.clear();
            for (const int c : t) n.push_back(vertex(c));
            if (quadratic) {
              for (const auto& e : tet_edge) n.push_back(middle(t[e[0]], t[e[1]]));
            }
            element(kind, property, n);
          }
        }
      }
    }
  }
}

VecX solve_static(const FeSystem& system, const VecX& nodal_load) {
  const Eigen::SimplicialLDLT<SparseMatrix> solver(system.K);
  if (solver.info() != Eigen::Success) throw std::runtime_error("K is singular");
  const VecX f = system.to_nodes.transpose() * nodal_load;
  VecX u = solver.solve(f);
  u += solver.solve(f - system.K * u);
  return system.to_nodes * u;
}

VecX solve_prescribed(const FeSystem& system, const std::map<int, double>& prescribed) {
  const int n = system.size();
  std::vector<int> place(static_cast<std::size_t>(n), -1);
  VecX u = VecX::Zero(n);
  int free = 0;
  for (int i = 0; i < n; ++i) {
    const FeSystem::Unknown& unknown = system.unknowns[static_cast<std::size_t>(i)];
    int component = 0;
    unknown.direction.cwiseAbs().maxCoeff(&component);
    const auto it = prescribed.find(6 * unknown.node + component);
    if (it != prescribed.end()) {
      u[i] = it->second;
    } else {
      place[static_cast<std::size_t>(i)] = free++;
    }
  }
  if (free == 0) return system.to_nodes * u;
  const VecX load = -(system.K * u);
  std::vector<Eigen::Triplet<double>> triplets;
  VecX f(free);
  for (int j = 0; j < n; ++j) {
    const int c = place[static_cast<std::size_t>(j)];
    if (c < 0) continue;
    f[c] = load[j];
    for (SparseMatrix::InnerIterator it(system.K, j); it; ++it) {
      const int r = place[static_cast<std::size_t>(it.row())];
      if (r >= 0) triplets.emplace_back(r, c, it.value());
    }
  }
  SparseMatrix K(free, free);
  K.setFromTriplets(triplets.begin(), triplets.end());
  const Eigen::SimplicialLDLT<SparseMatrix> solver(K);
  VecX x = solver.solve(f);
  x += solver.solve(f - K * x);
  for (int i = 0; i < n; ++i) {
    if (place[static_cast<std::size_t>(i)] >= 0) u[i] = x[place[static_cast<std::size_t>(i)]];
  }
  return system.to_nodes * u;
}

namespace {

std::vector<double> to_hertz(std::vector<double> squared, int count) {
  std::sort(squared.begin(), squared.end());
  squared.resize(std::min(squared.size(), static_cast<std::size_t>(count)));
  for (double& v : squared) v = (v < 0 ? -1 : 1) * std::sqrt(std::abs(v)) / (2 * M_PI);
  return squared;
}

std::vector<double> shifted(const FeSystem& system, int count, double shift_Hz) {
  const int n = system.size();
  using Op = Spectra::SymShiftInvert<double, Eigen::Sparse, Eigen::Sparse>;
  using BOp = Spectra::SparseSymMatProd<double>;
  Op op(system.K, system.M);
  BOp b(system.M);
  const double shift = -std::pow(2 * M_PI * shift_Hz, 2);
  const int basis = std::min(n, std::max(3 * count, count + 20));
  Spectra::SymGEigsShiftSolver<Op, BOp, Spectra::GEigsMode::ShiftInvert> solver(op, b, count, basis, shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-10);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw std::runtime_error("eigenvalues did not converge");
  const VecX values = solver.eigenvalues();
  return to_hertz(std::vector<double>(values.data(), values.data() + values.size()), count);
}

}  // namespace

std::vector<double> frequencies(const FeSystem& system, int count) {
  const int n = system.size();
  if (n <= 300) {
    // M may be singular: eigenvalues 1 / (lambda + s) of M against K + s M.
    const MatX K = system.K, M = system.M;
    const double s = 1e-6 * K.trace() / std::max(M.trace(), 1e-300);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(M, K + s * M);
    std::vector<double> squared;
    for (const double mu : eigen.eigenvalues()) {
      if (mu > 1e-14 / s) squared.push_back(1 / mu - s);
    }
    return to_hertz(squared, count);
  }
  // The shift must not lie far below what is wanted: near rigid modes the factor loses the digits of the
  // rest.
  const std::vector<double> rough = shifted(system, count, 1);
  return rough.back() < 100 ? rough : shifted(system, count, rough.back() / 20);
}

}  // namespace monocoque::test
