#include "model/flexible_body.h"

#include <cmath>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "model/mass_matrix.h"

namespace monocoque {

namespace {

/// Whether a Taylor series has the size it must have; nothing to check in an absent order.
void check(const io::Sid& sid, const io::SidTaylor& t, const char* name, int rows, int columns) {
  const auto fits = [&](const MatX& m) { return m.rows() == rows && m.cols() == columns; };
  if (!fits(t.zero))
    throw Error(sid.name, fmt::format("{} has {} x {} entries, it must have {} x {}", name, t.zero.rows(),
                                      t.zero.cols(), rows, columns));
  const std::size_t n = static_cast<std::size_t>(sid.nq);
  if (!t.first.empty() && t.first.size() != n)
    throw Error(sid.name,
                fmt::format("{} has {} first-order matrices for {} modes", name, t.first.size(), n));
  if (!t.second.empty() && t.second.size() != n * (n + 1) / 2)
    throw Error(sid.name,
                fmt::format("{} has {} second-order matrices for {} modes", name, t.second.size(), n));
  bool finite = t.zero.allFinite();
  for (const MatX& m : t.first) {
    if (!fits(m)) throw Error(sid.name, fmt::format("a first-order matrix of {} has the wrong size", name));
    finite = finite && m.allFinite();
  }
  for (const MatX& m : t.second) {
    if (!fits(m)) throw Error(sid.name, fmt::format("a second-order matrix of {} has the wrong size", name));
    finite = finite && m.allFinite();
  }
  if (!finite) throw Error(sid.name, fmt::format("{} has an entry that is not finite", name));
}

void check_all(const io::Sid& sid) {
  const int n = sid.nq;
  if (n < 0 || n > 100000) throw Error(sid.name, fmt::format("it has {} modes", n));
  if (!(sid.mass_kg > 0))
    throw Error(sid.name, fmt::format("its mass is {} kg, it must be > 0", sid.mass_kg));
  check(sid, sid.mdCM, "mdCM", 3, 1);
  check(sid, sid.J, "J", 6, 1);
  check(sid, sid.Ct, "Ct", n, 3);
  check(sid, sid.Cr, "Cr", n, 3);
  check(sid, sid.Me, "Me", n, n);
  check(sid, sid.Gr, "Gr", 3, 3 * n);
  check(sid, sid.Ge, "Ge", n, 3 * n);
  check(sid, sid.Oe, "Oe", n, 6);
  check(sid, sid.ksigma, "ksigma", n, 1);
  check(sid, sid.Ke, "Ke", n, n);
  check(sid, sid.De, "De", n, n);
}

/// out[c](k, m) = first[m](k, c)
template <std::size_t N>
void by_component(const io::SidTaylor& t, std::array<MatX, N>& out) {
  if (t.first.empty()) return;
  const auto n = static_cast<Eigen::Index>(t.first.size());
  for (std::size_t c = 0; c < N; ++c) {
    out[c].resize(t.zero.rows(), n);
    for (Eigen::Index m = 0; m < n; ++m)
      out[c].col(m) = t.first[static_cast<std::size_t>(m)].col(static_cast<Eigen::Index>(c));
  }
}

const MatX& second_of(const io::SidTaylor& t, int l, int m) {
  const int a = std::max(l, m), b = std::min(l, m);
  return t.second[static_cast<std::size_t>(a * (a + 1) / 2 + b)];
}

void take_inertia(const io::Sid& sid, FlexibleBody& b) {
  b.J0 = sid.J.zero.col(0);
  b.J1.setZero(6, b.nq);
  for (int l = 0; l < b.nq && !sid.J.first.empty(); ++l)
    b.J1.col(l) = sid.J.first[static_cast<std::size_t>(l)].col(0);
  if (sid.J.second.empty()) return;
  for (int e = 0; e < 6; ++e) {
    MatX& J2 = b.J2[static_cast<std::size_t>(e)];
    J2.resize(b.nq, b.nq);
    for (int l = 0; l < b.nq; ++l)
      for (int m = 0; m < b.nq; ++m) J2(l, m) = second_of(sid.J, l, m)(e, 0);
  }
}

void take_gyroscopic(const io::Sid& sid, FlexibleBody& b) {
  b.Gr0.resize(9, b.nq);
  for (int l = 0; l < b.nq; ++l) b.Gr0.col(l) = Mat3(sid.Gr.zero.middleCols<3>(3 * l)).reshaped();
  if (!sid.Gr.first.empty())
    for (int e = 0; e < 9; ++e) {
      MatX& G = b.Gr1[static_cast<std::size_t>(e)];
      G.resize(b.nq, b.nq);
      for (int m = 0; m < b.nq; ++m)
        for (int l = 0; l < b.nq; ++l)
          G(l, m) = sid.Gr.first[static_cast<std::size_t>(m)](e % 3, 3 * l + e / 3);
    }
  for (int c = 0; c < 3; ++c) {
    MatX& G = b.Ge[static_cast<std::size_t>(c)];
    G.resize(b.nq, b.nq);
    for (int l = 0; l < b.nq; ++l) G.col(l) = sid.Ge.zero.col(3 * l + c);
  }
}

/// The geometric terms are symmetric in (k, m); the inertia terms of Cr1 are antisymmetric, those of Oe1
/// follow from the second order of J: Oe w_q = -w^T J_k w / 2.
void drop_stiffening(const io::Sid& sid, FlexibleBody& b) {
  b.Ct1 = {};
  for (MatX& C : b.Cr1) C = (0.5 * (C - C.transpose())).eval();
  if (b.Oe1[0].size() == 0) return;
  if (b.J2[0].size() == 0)
    throw Error(
        sid.name,
        "its centrifugal terms cannot be parted into inertia and geometric stiffening, because the inertia "
        "tensor is given to first order only",
        "leave geometric_stiffening on, or reduce the body anew");
  constexpr double factor[6] = {-0.5, -0.5, -0.5, -1, -1, -1};
  constexpr std::size_t entry[6] = {0, 1, 2, 3, 5, 4};  // w_q has w2w3 before w1w3, J has xz before yz
  for (std::size_t j = 0; j < 6; ++j) b.Oe1[j] = factor[j] * b.J2[entry[j]];
}

void drop_couplings(const io::Sid& sid, FlexibleBody& b) {
  if (b.stiffens())
    throw Error(sid.name, "its geometric stiffening is among the couplings to be neglected",
                "give geometric_stiffening: off as well, or inertia_couplings: full");
  b.Cr1 = {};
  b.J2 = {};
  b.Gr1 = {};
  b.Ge = {};
  b.Oe1 = {};
}

/// Weights: coordinates as far as a unit force on each bends the body, so that stiff ones count for little.
VecX compliance_scale(const FlexibleBody& b) {
  VecX s = b.Me.diagonal().cwiseAbs().cwiseQuotient(b.Ke.diagonal().cwiseAbs().cwiseMax(1e-300));
  return (s / s.maxCoeff()).cwiseMax(1e-12);
}

/// One basis for the columns and rows of all couplings: the leading eigenvectors of the sum of their squares,
/// each kind of matrix (Cr, J, Gr, ...) of weight one. What is left out has at most `tolerance` of the norm.
void compress_couplings(double tolerance, FlexibleBody& b) {
  if (b.nq == 0) return;
  const VecX scale = compliance_scale(b);
  MatX gram = MatX::Zero(b.nq, b.nq);
  const auto add = [&](const auto& kind) {
    double norm = 0;
    for (const MatX& M : kind)
      if (M.size() > 0) norm += (scale.asDiagonal() * M * scale.asDiagonal()).squaredNorm();
    if (norm == 0) return;
    for (const MatX& M : kind) {
      const MatX weighted = scale.asDiagonal() * M * scale.asDiagonal();
      gram.noalias() += (weighted * weighted.transpose() + weighted.transpose() * weighted) / norm;
    }
  };
  const auto for_all = [&](auto&& visit) {
    visit(b.Ct1);
    visit(b.Cr1);
    visit(b.J2);
    visit(b.Gr1);
    visit(b.Ge);
    visit(b.Oe1);
  };
  for_all(add);
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(gram);
  const double all = eigen.eigenvalues().cwiseMax(0).sum();
  int rank = b.nq;
  for (double left = 0; rank > 1; --rank) {
    left += std::max(eigen.eigenvalues()[b.nq - rank], 0.0);
    if (left > tolerance * tolerance * all) break;
  }
  const MatX basis = eigen.eigenvectors().rightCols(rank);
  b.pair_basis = scale.cwiseInverse().asDiagonal() * basis;
  const MatX outer = scale.asDiagonal() * basis;
  for_all([&](auto& kind) {
    for (MatX& M : kind)
      if (M.size() > 0) M = (outer.transpose() * M * outer).eval();
  });
}

void check_definite(const io::Sid& sid, const FlexibleBody& b) {
  const MatX M = mass_matrix(sid);
  const auto bad = [&](const MatX& A) {
    return (A - A.transpose()).cwiseAbs().maxCoeff() > 1e-6 * A.cwiseAbs().maxCoeff();
  };
  if (b.nq > 0 && (bad(b.Me) || bad(b.Ke)))
    throw Error(sid.name, "its modal mass or stiffness matrix is not symmetric");
  // Units of modes are free: scale to a unit diagonal before judging.
  const VecX scale = M.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(scale.asDiagonal() * M * scale.asDiagonal(),
                                                  Eigen::EigenvaluesOnly);
  // Zero is no mistake: a line of mass has no inertia about itself, and joints may hold that.
  if (!(eigen.eigenvalues()[0] > -1e-9))
    throw Error(
        sid.name,
        fmt::format(
            "its mass matrix is indefinite (smallest eigenvalue {:.3g} after scaling): no body has such",
            eigen.eigenvalues()[0]),
        "its mass integrals contradict each other; reduce the body anew");
}

}  // namespace

FlexibleBody flexible_body(const io::Sid& sid, bool stiffening, io::InertiaCouplings couplings,
                           double stiffness_factor, double coupling_tolerance) {
  check_all(sid);
  FlexibleBody b;
  b.nq = sid.nq;
  b.mass = sid.mass_kg;
  b.mc0 = sid.mdCM.zero.col(0);
  b.Ct0 = sid.Ct.zero.transpose();
  b.Cr0 = sid.Cr.zero.transpose();
  by_component(sid.Ct, b.Ct1);
  by_component(sid.Cr, b.Cr1);
  take_inertia(sid, b);
  take_gyroscopic(sid, b);
  b.Oe0 = sid.Oe.zero.transpose();
  by_component(sid.Oe, b.Oe1);
  b.Me = sid.Me.zero;
  b.Ke = stiffness_factor * sid.Ke.zero;
  b.De = std::sqrt(stiffness_factor) * sid.De.zero;
  b.ksigma = sid.ksigma.zero.col(0);
  if (!stiffening) drop_stiffening(sid, b);
  if (couplings == io::InertiaCouplings::neglected) drop_couplings(sid, b);
  if (couplings == io::InertiaCouplings::compressed) compress_couplings(coupling_tolerance, b);
  check_definite(sid, b);
  return b;
}

FlexibleBody body_with_rotors(const io::PartSpec& part) {
  FlexibleBody b;
  const auto n = static_cast<Eigen::Index>(part.rotors.size());
  b.nq = static_cast<int>(n);
  b.Ct0.setZero(3, n);
  b.Cr0.setZero(3, n);
  b.J1.setZero(6, n);
  b.Gr0.setZero(9, n);
  b.Oe0.setZero(6, n);
  b.Me.setZero(n, n);
  b.Ke.setZero(n, n);
  b.De.setZero(n, n);
  b.ksigma.setZero(n);
  Mat3 J = Mat3::Zero();
  const auto add = [&](double mass, const Vec3& r, const Mat3& inertia) {
    b.mass += mass;
    b.mc0 += mass * r;
    J += inertia - mass * skew(r) * skew(r);
  };
  add(part.mass_kg, part.center_of_mass_m, part.inertia_kg_m2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const io::RotorSpec& rotor = part.rotors[static_cast<std::size_t>(i)];
    const Vec3 spin = rotor.axial_inertia_kg_m2 * rotor.axis;
    add(rotor.mass_kg, rotor.position_m,
        rotor.transverse_inertia_kg_m2 * (Mat3::Identity() - rotor.axis * rotor.axis.transpose()) +
            spin * rotor.axis.transpose());
    b.Cr0.col(i) = spin;
    b.Me(i, i) = rotor.axial_inertia_kg_m2;
    // Moment of momentum turning with the part: w x (spin q_dot) = -spin~ q_dot w.
    b.Gr0.col(i) = Mat3(-skew(spin)).reshaped();
  }
  b.J0 << J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2);
  return b;
}

}  // namespace monocoque
