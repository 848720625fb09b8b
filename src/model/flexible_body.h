#pragma once
// Inertia and elasticity of a flexible part as the equations of motion use them, made from Standard Input
// Data. Elastic coordinates q; k, l, m count them, c the axes x y z. Names as in io/body/sid.h.
//   mass matrix in body axes  [m E, mc~^T, Ct^T; mc~, J, Cr^T; Ct, Cr, Me]
//   mc = mc0 + Ct0^T q,  J = J0 + sum J1_l q_l + sum J2_lm q_l q_m / 2,  Cr = Cr0 + sum Cr1_m q_m
//   quadratic forces  h_r = -(w~ J w + sum Gr_l q_dot_l w),  h_e = -(sum Ge_l q_dot_l w + Oe w_q)
// Matrices over pairs of coordinates are stored per component, so that q enters by matrix times vector.

#include <array>
#include <vector>

#include "core/error.h"
#include "io/model/specification.h"

namespace monocoque {

using Mat3X = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Mat6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Mat9X = Eigen::Matrix<double, 9, Eigen::Dynamic>;

struct FlexibleBody {
  int nq = 0;
  double mass = 0;
  Vec3 mc0 = Vec3::Zero();
  Mat3X Ct0, Cr0;           ///< transposed: column k
  std::array<MatX, 3> Ct1;  ///< [c](k, m); empty: none (geometric stiffening only)
  std::array<MatX, 3> Cr1;  ///< [c](k, m); empty: none
  Vec6 J0 = Vec6::Zero();   ///< xx yy zz xy xz yz
  Mat6X J1;                 ///< column l
  std::array<MatX, 6> J2;   ///< [entry](l, m), second derivatives; empty: none
  MatX Me, Ke, De;
  VecX ksigma;
  Mat9X Gr0;                ///< column l: Gr_l column by column
  std::array<MatX, 9> Gr1;  ///< [entry](l, m); empty: none
  std::array<MatX, 3> Ge;   ///< [c](k, l): factor of q_dot_l w_c; empty: none
  Mat6X Oe0;                ///< transposed: column k, factors of (w1^2 w2^2 w3^2 w1w2 w2w3 w1w3)
  std::array<MatX, 6> Oe1;  ///< [j](k, m)

  /// Of compressed couplings: B (nq x r). The matrices over pairs of coordinates above are B C B^T, and
  /// C (r x r) stands in their place. Empty: they are whole.
  MatX pair_basis;

  bool compressed() const { return pair_basis.size() > 0; }
  bool stiffens() const { return Ct1[0].size() > 0; }
};

/// Shapes of a marker on a node: displacement Phi q and small rotation Psi q, body axes.
struct MarkerShape {
  Mat3X Phi, Psi;
  Mat6X stress;  ///< per unit q: xx yy zz xy xz yz; empty: none
};

/// Checks sizes, symmetry, positive masses. Without `stiffening` the geometric terms are left out, without
/// full `couplings` some inertia terms between pairs of elastic coordinates. `stiffness_factor` scales the
/// elastic stiffness, its root the damping.
FlexibleBody flexible_body(const io::Sid& sid, bool stiffening,
                           io::InertiaCouplings couplings = io::InertiaCouplings::full,
                           double stiffness_factor = 1, double coupling_tolerance = 1e-3);

/// A rigid part with rotors. Their spin is a coordinate like an elastic one: its shape at a frame on the
/// rotor is a rotation about the axis, its mass the axial inertia, and nothing holds it. Because rotors are
/// bodies of revolution no matrix depends on their angles.
FlexibleBody body_with_rotors(const io::PartSpec& part);

/// Symmetric tensor from its six entries xx yy zz xy xz yz.
inline Mat3 tensor(const Vec6& j) {
  Mat3 J;
  J << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
  return J;
}

/// (w1^2 w2^2 w3^2 w1w2 w2w3 w1w3)
inline Vec6 products(const Vec3& w) {
  Vec6 p;
  p << w[0] * w[0], w[1] * w[1], w[2] * w[2], w[0] * w[1], w[1] * w[2], w[0] * w[2];
  return p;
}

}  // namespace monocoque
