#pragma once
// Standard Input Data of a flexible body (Wallrapp 1993): inertia integrals and nodal shapes as Taylor series
// in the elastic coordinates q, X(q) = X0 + sum_l X1_l q_l (+ sum_lm X2_lm q_l q_m / 2 for the inertia
// tensor). All in the body's reference frame, SI. Signs: velocity of a point v + w x (R + Phi q) + Phi q_dot,
//   M = [m E, mc~^T, Ct^T; mc~, J, Cr^T; Ct, Cr, Me] on (v_dot, w_dot, q_ddot), all in body axes.

#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace monocoque::io {

struct SidTaylor {
  MatX zero;                ///< rows x columns; never empty
  std::vector<MatX> first;  ///< one per elastic coordinate, each rows x columns; empty: order 0
  /// Second derivatives for l >= m at [l (l + 1) / 2 + m]; empty: order below 2. Only J has them.
  std::vector<MatX> second;
  int order() const { return !second.empty() ? 2 : !first.empty() ? 1 : 0; }
};

struct SidNode {
  long id = 0;
  SidTaylor origin;  ///< 3 x 1, R + Phi q
  SidTaylor phi;     ///< 3 x nq; order 1: geometric stiffening of a force at this node (K_geo,F: see theory)
  SidTaylor psi;     ///< 3 x nq, rad, body axes; order 1: the same of a moment
  SidTaylor AP;      ///< 3 x 3, node axes to body axes
  SidTaylor sigma;   ///< 6 x nq, modal stress; empty zero: none
};

struct Sid {
  std::string name;
  double mass_kg = 0;
  int nq = 0;
  std::vector<std::string> mode_names;  ///< e.g. "Eigen Mode 7 : 51.6 Hz"
  std::vector<SidNode> nodes;
  SidTaylor mdCM;  ///< 3 x 1, order 1
  SidTaylor J;     ///< 6 x 1: xx yy zz xy xz yz as tensor entries, order 1 or 2
  SidTaylor Ct;    ///< nq x 3; order 1: geometric stiffening by acceleration of the frame
  SidTaylor Cr;    ///< nq x 3, order 1; geometric stiffening by angular acceleration is added to its order 1
  SidTaylor Me;    ///< nq x nq
  SidTaylor Gr;    ///< 3 x 3nq, block l at columns 3l..3l+2 (readers turn other layouts into this one)
  SidTaylor Ge;    ///< nq x 3nq, block l at columns 3l..3l+2: h_e = -sum_l Ge_l q_dot_l w
  SidTaylor Oe;    ///< nq x 6 on (w1^2 w2^2 w3^2 w1w2 w2w3 w1w3), order 1
  SidTaylor ksigma;  ///< nq x 1
  SidTaylor Ke, De;  ///< nq x nq
};

/// Text form (.SID_FEM); throws Error with file and line.
/// Order 2 of J: "order = 2", "nqn = nq (nq + 1) / 2" and lines "mn( i, k, j) = value" behind those of m1,
/// with k counting the pairs l >= m from 1: k = l (l - 1) / 2 + m for l, m = 1..nq, and as value the second
/// derivative. Programs that know m0 and m1 only can leave the mn lines out. Gr is written with columns c nq
/// + l (as Ge, and as FEMBS does) and says so on the first line; in other files its layout is found from
/// sym(Gr_l) = J1_l. Numbers are written with 17 digits: what is read again is the same to the last bit.
Sid read_sid(const std::string& path);
Sid read_sid_text(std::string_view text, const std::string& file_name);
void write_sid(const Sid& sid, const std::string& path);
std::string sid_text(const Sid& sid);

}  // namespace monocoque::io
