#include "analysis/linear/linear_system.h"

#include <algorithm>

#include "core/decompositions.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

namespace {

using Eigen::Index;

constexpr double kStep = 1e-5;  ///< of motions, m, rad, m/s; motions of a car differ from straight lines by
                                ///< the square of it

/// Where the model is moved: along coordinates (world axes), their rates, inner states, one input.
struct Direction {
  VecX xi, rate, c;
  const LinearInput* input = nullptr;
  Taylor2 u{};
  double step = kStep;
};

/// Accelerations (world axes), rates of inner states, channels: differentiated along a direction.
struct Response {
  VecX acceleration, c_rate, y;
};

class Differences {
 public:
  Differences(Workspace& ws, const State& s, OutputSet& outputs)
      : ws_(ws), s_(s), outputs_(outputs), port_(ws, s) {
    evaluate(ws, s);
  }

  Response along(const Direction& d) {
    MatX steps(ws_.model.nz, 2);
    steps << d.xi, d.rate;
    evaluate(ws_, s_);
    MatX turned = turning(ws_, steps.rightCols(1));
    to_body_axes(ws_, steps);
    const Sample plus = at(d, steps, d.step), minus = at(d, steps, -d.step);
    const double over = 1 / (2 * d.step);
    port_.rest();
    evaluate(ws_, s_);
    MatX acceleration = over * (plus.z_dot - minus.z_dot);
    to_world_axes(ws_, acceleration);
    return {acceleration.col(0) + turned.col(0), over * (plus.c_dot - minus.c_dot),
            over * (plus.y - minus.y)};
  }

  /// Residuals of the constraints by an input, on the position and on the velocity level.
  void constraints_by(const LinearInput& input, const Taylor2& u, VecX& g, VecX& g_dot) {
    const double e = input.step;
    move(input, u, e);
    evaluate(ws_, s_);
    g = ws_.g;
    g_dot = ws_.g_dot;
    move(input, u, -e);
    evaluate(ws_, s_);
    g = (g - ws_.g) / (2 * e);
    g_dot = (g_dot - ws_.g_dot) / (2 * e);
    port_.rest();
  }

 private:
  struct Sample {
    VecX z_dot, c_dot, y;
  };

  void move(const LinearInput& input, const Taylor2& u, double e) {
    port_.move(input, {e * u.value, e * u.rate, e * u.acceleration});
  }

  Sample at(const Direction& d, const MatX& steps, double e) {
    State s = s_;
    retract(ws_.model, s_.x, e * steps.col(0), s.x);
    s.z += e * steps.col(1);
    s.c += e * d.c;
    if (d.input != nullptr)
      move(*d.input, d.u, e);
    else
      port_.rest();
    Sample out;
    out.y = VecX::Zero(static_cast<Index>(outputs_.channels().size()));
    WorkAudit audit;
    outputs_.fill(ws_, s, audit, out.y.data());
    out.z_dot = outputs_.z_dot();
    out.c_dot = ws_.c_dot;
    return out;
  }

  Workspace& ws_;
  const State& s_;
  OutputSet& outputs_;
  InputPort port_;
};

MatX rows_of_holonomic(const Model& model, const MatX& m) {
  MatX rows(model.holonomic_row_count(), m.cols());
  Index at = 0;
  for (const JointInstance& j : model.joints)
    for (int k = 0; k < j.joint->holonomic_rows(); ++k) rows.row(at++) = m.row(j.lambda_start + k);
  return rows;
}

/// Motions that inputs ask for: Y0 by the value, (Z_u, Y1) rates by value and rate.
struct Driven {
  MatX Y0, Z_u, Y1;
};

Driven driven_motions(Differences& differences, const Model& model, const Linearisation& l,
                      const std::vector<LinearInput>& inputs) {
  const Index nl = model.nlambda, nu = static_cast<Index>(inputs.size());
  MatX g = MatX::Zero(nl, nu), h = g, h_rate = g;
  VecX position, velocity;
  for (Index k = 0; k < nu; ++k) {
    const LinearInput& input = inputs[static_cast<std::size_t>(k)];
    if (input.kind != LinearInput::Kind::signal) continue;
    differences.constraints_by(input, {1, 0, 0}, position, velocity);
    g.col(k) = position;
    h.col(k) = velocity;
    differences.constraints_by(input, {0, 1, 0}, position, velocity);
    h_rate.col(k) = velocity;
  }
  Driven d;
  d.Y0 = -least_solution(rows_of_holonomic(model, l.G), rows_of_holonomic(model, g));
  d.Y1 = -least_solution(l.G, h_rate);
  d.Z_u = -least_solution(l.G, l.H * d.Y0 + h);
  return d;
}

}  // namespace

LinearSystem linear_system(Workspace& ws, const State& s, const Linearisation& l,
                           const std::vector<LinearInput>& inputs, OutputSet& outputs) {
  const Model& model = ws.model;
  const Index np = l.Q.cols(), nv = l.Q_v.cols(), nc = model.nc, n = np + nv + nc, nz = model.nz,
              nu = static_cast<Index>(inputs.size()), ny = static_cast<Index>(outputs.channels().size());
  LinearSystem out;
  out.A = l.A;
  out.inputs = inputs;
  out.outputs = outputs.channels();
  out.B0 = out.B1 = out.B2 = MatX::Zero(n, nu);
  out.D0 = out.D1 = out.D2 = MatX::Zero(ny, nu);
  out.C = MatX::Zero(ny, n);
  Differences differences(ws, s, outputs);
  const VecX none = VecX::Zero(nz), no_c = VecX::Zero(nc);

  const double size = l.A.size() > 0 ? l.A.cwiseAbs().maxCoeff() : 0;
  for (Index k = 0; k < n; ++k) {
    Direction d{none, none, no_c};
    if (k < np) {
      d.xi = l.Q.col(k);
      d.rate = l.Z.col(k);
    } else if (k < np + nv) {
      d.rate = l.Q_v.col(k - np);
    } else {
      d.c[k - np - nv] = 1;
      d.step = kStep * std::max(1.0, std::abs(s.c[k - np - nv]));
    }
    const Response r = differences.along(d);
    out.C.col(k) = r.y;
    const VecX v = l.velocity_rate(model, d.rate, r.acceleration);
    const double off = std::max(nv > 0 ? (v - l.A.block(np, k, nv, 1)).cwiseAbs().maxCoeff() : 0,
                                nc > 0 ? (r.c_rate - l.A.block(np + nv, k, nc, 1)).cwiseAbs().maxCoeff() : 0);
    if (size > 0) out.deviation = std::max(out.deviation, off / size);
  }

  const Driven driven = driven_motions(differences, model, l, inputs);
  for (Index k = 0; k < nu; ++k) {
    const LinearInput& input = inputs[static_cast<std::size_t>(k)];
    const auto column = [&](const VecX& xi, const VecX& rate, const Taylor2& u, MatX& B, MatX& D) {
      Direction d{xi, rate, no_c, &input, u, input.step};
      const Response r = differences.along(d);
      D.col(k) = r.y;
      B.col(k).head(np) = l.position_rate(model, xi, rate);
      B.col(k).segment(np, nv) = l.velocity_rate(model, rate, r.acceleration);
      B.col(k).tail(nc) = r.c_rate;
    };
    column(driven.Y0.col(k), driven.Z_u.col(k), {1, 0, 0}, out.B0, out.D0);
    if (input.has_rate()) column(none, driven.Y1.col(k), {0, 1, 0}, out.B1, out.D1);
    if (input.has_acceleration()) column(none, none, {0, 0, 1}, out.B2, out.D2);
  }
  return out;
}

namespace {

/// Coordinates that determine all others: rows of a basis, by pivoting.
std::vector<Index> independent_rows(const MatX& basis) {
  std::vector<Index> rows;
  if (basis.cols() == 0) return rows;
  const Eigen::ColPivHouseholderQR<MatX> qr(basis.transpose());
  for (Index i = 0; i < basis.cols(); ++i) rows.push_back(qr.colsPermutation().indices()[i]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

MatX chosen_rows(const MatX& m, const std::vector<Index>& rows) {
  MatX out(static_cast<Index>(rows.size()), m.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Index>(i)) = m.row(rows[i]);
  return out;
}

}  // namespace

StateSpace state_space(const Linearisation& l, const LinearSystem& system) {
  const Index np = l.Q.cols(), nv = l.Q_v.cols(), n = system.A.rows();
  const std::vector<Index> p = independent_rows(l.Q), v = l.holonomic() ? p : independent_rows(l.Q_v);
  MatX T = MatX::Identity(n, n);
  T.topLeftCorner(np, np) = chosen_rows(l.Q, p);
  T.block(np, np, nv, nv) = chosen_rows(l.Q_v, v);
  const Eigen::PartialPivLU<MatX> transposed(T.transpose());
  const auto by_inverse = [&](const MatX& m) -> MatX {  // m T^-1
    return transposed.solve(m.transpose()).transpose();
  };
  const MatX& A = system.A;
  const MatX shift = system.B1 + A * system.B2;
  StateSpace out;
  out.A = T * by_inverse(A);
  out.B = T * (system.B0 + A * shift);
  out.C = by_inverse(system.C);
  out.D = system.D0 + system.C * shift;
  out.D_rate = system.D1 + system.C * system.B2;
  out.D_acceleration = system.D2;
  for (MatX* m : {&out.D_rate, &out.D_acceleration})  // rounding of the differences
    if (m->size() > 0 && m->cwiseAbs().maxCoeff() <= 1e-9 * (out.D.cwiseAbs().maxCoeff() + 1)) m->setZero();
  out.positions = static_cast<int>(np);
  out.velocities = static_cast<int>(nv);
  for (const Index i : p) out.states.push_back(l.coordinates[static_cast<std::size_t>(i)]);
  for (const Index i : v) out.states.push_back(l.coordinates[static_cast<std::size_t>(i)] + "'");
  out.states.insert(out.states.end(), l.inner.begin(), l.inner.end());
  if (l.holonomic() && !l.turns()) {
    const MatX S = T.topLeftCorner(np, np).inverse();
    out.M = S.transpose() * l.M_r * S;
    out.D_r = S.transpose() * l.D_r * S;
    out.K = S.transpose() * l.K_r * S;
    out.L = S.transpose() * l.L_r;
    out.F = S.transpose() * l.M_r * system.B0.middleRows(np, nv);
  }
  return out;
}

FrequencyResponse::FrequencyResponse(const LinearSystem& system)
    : D0_(system.D0), D1_(system.D1), D2_(system.D2) {
  MatX A = system.A;
  const VecX d = balance(A), over = d.cwiseInverse();
  MatX Q = MatX::Identity(A.rows(), A.rows());
  if (A.rows() > 2) {
    const Eigen::HessenbergDecomposition<MatX> hessenberg(A);
    A = hessenberg.matrixH();
    Q = hessenberg.matrixQ();
  }
  H_ = A;
  const MatX left = Q.transpose() * over.asDiagonal();
  B0_ = left * system.B0;
  B1_ = left * system.B1;
  B2_ = left * system.B2;
  C_ = system.C * d.asDiagonal() * Q;
}

Eigen::MatrixXcd FrequencyResponse::at(std::complex<double> s) const {
  using Complex = std::complex<double>;
  const Index n = H_.rows();
  Eigen::MatrixXcd M = -H_.cast<Complex>();
  M.diagonal().array() += s;
  Eigen::MatrixXcd x = B0_.cast<Complex>() + s * B1_.cast<Complex>() + s * s * B2_.cast<Complex>();
  // Only one entry below the diagonal: one row operation a column, the larger of two pivots.
  for (Index i = 0; i + 1 < n; ++i) {
    if (std::abs(M(i + 1, i)) > std::abs(M(i, i))) {
      M.row(i).tail(n - i).swap(M.row(i + 1).tail(n - i));
      x.row(i).swap(x.row(i + 1));
    }
    if (M(i + 1, i) == 0.0) continue;
    const Complex factor = M(i + 1, i) / M(i, i);
    M.row(i + 1).tail(n - i) -= factor * M.row(i).tail(n - i);
    x.row(i + 1) -= factor * x.row(i);
  }
  if (n > 0) M.triangularView<Eigen::Upper>().solveInPlace(x);
  return C_.cast<Complex>() * x + D0_.cast<Complex>() + s * D1_.cast<Complex>() + s * s * D2_.cast<Complex>();
}

}  // namespace monocoque::analysis
