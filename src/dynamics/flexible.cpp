#include "dynamics/flexible.h"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "core/row_products.h"

namespace monocoque {

namespace {

/// M q of a matrix over pairs of coordinates into cache.column; of a compressed one by way of its basis, with
/// small = B^T q.
void times_pair(const FlexibleBody& body, const MatX& M, const ConstVecRef& q, FlexiblePart& cache) {
  if (!body.compressed()) {
    cache.column.noalias() = M * q;
    return;
  }
  cache.small_product.noalias() = M * cache.small;
  cache.column.noalias() = body.pair_basis * cache.small_product;
}

void enter_pairs(const FlexibleBody& body, const ConstVecRef& q, FlexiblePart& cache) {
  if (body.compressed()) cache.small.noalias() = body.pair_basis.transpose() * q;
}

/// Series with first-order matrices per component, out.row(c) = zero.row(c) + M1[c] q; one without stays as
/// it was filled at the start.
template <std::size_t N, class Series>
void update_series(const FlexibleBody& body, const Series& zero, const std::array<MatX, N>& first,
                   const ConstVecRef& q, FlexiblePart& cache, Series& out) {
  if (first[0].size() == 0) return;
  for (std::size_t c = 0; c < N; ++c) {
    times_pair(body, first[c], q, cache);
    out.row(static_cast<Eigen::Index>(c)) = zero.row(static_cast<Eigen::Index>(c)) + cache.column.transpose();
  }
}

/// A q of few rows; a library call would cost more than the product of short ones.
template <int Rows, class Vector>
Eigen::Matrix<double, Rows, 1> times(const Eigen::Matrix<double, Rows, Eigen::Dynamic>& A, const Vector& q) {
  Eigen::Matrix<double, Rows, 1> sum = Eigen::Matrix<double, Rows, 1>::Zero();
  for (Eigen::Index l = 0; l < q.size(); ++l) sum += A.col(l) * q[l];
  return sum;
}

/// a^T K a without a temporary.
double quadratic(const MatX& K, const ConstVecRef& a) {
  double sum = 0;
  for (Eigen::Index j = 0; j < K.cols(); ++j) sum += a[j] * K.col(j).dot(a);
  return sum;
}

bool is_diagonal(const MatX& A) {
  const VecX size = A.diagonal().cwiseAbs().cwiseSqrt();
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (i != j && std::abs(A(i, j)) > 1e-12 * size[i] * size[j]) return false;
  return true;
}

/// d(w1^2 w2^2 w3^2 w1w2 w2w3 w1w3)/dw
Eigen::Matrix<double, 6, 3> products_by_w(const Vec3& w) {
  Eigen::Matrix<double, 6, 3> D;
  D << 2 * w[0], 0, 0, 0, 2 * w[1], 0, 0, 0, 2 * w[2], w[1], w[0], 0, 0, w[2], w[1], w[2], 0, w[0];
  return D;
}

}  // namespace

void size_flexible(const FlexibleBody& body, int step_rows, int port_rows, FlexiblePart& cache) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  cache.P.setConstant(port_rows, body.nq, nan);
  cache.step_rows = step_rows;
  for (VecX* v : {&cache.u, &cache.u_dot, &cache.u_ddot, &cache.port_force}) v->setConstant(port_rows, nan);
  cache.diagonal = is_diagonal(body.Me) && is_diagonal(body.Ke) && is_diagonal(body.De);
  cache.mass = body.Me.diagonal();
  cache.stiffness = body.Ke.diagonal();
  cache.damping = body.De.diagonal();
  cache.mc.setConstant(nan);
  cache.J.setConstant(nan);
  cache.Gr_rate.setConstant(nan);
  // Where a body has no matrices of first order these stay.
  cache.Ct = body.Ct0;
  cache.Cr = body.Cr0;
  cache.J_q = body.J1;
  cache.Gr = body.Gr0;
  cache.Oe = body.Oe0;
  cache.Ge_rate.setZero(body.nq, 3);
  cache.column.setConstant(body.nq, nan);
  cache.small.setConstant(body.pair_basis.cols(), nan);
  cache.small_product.setConstant(body.pair_basis.cols(), nan);
}

void update_ports(const FlexiblePart& cache, const ConstVecRef& q, bool all, VecX& out) {
  const int rows = all ? static_cast<int>(cache.P.rows()) : cache.step_rows;
  rows_times(cache.P.data(), rows, static_cast<int>(q.size()), q.data(), out.data());
}

void add_port_forces(const FlexiblePart& cache, double factor, VecRef out) {
  add_rows(cache.P.data(), cache.step_rows, static_cast<int>(out.size()), factor, cache.port_force.data(),
           out.data());
}

void update_flexible_positions(const FlexibleBody& body, const ConstVecRef& q, FlexiblePart& cache) {
  cache.mc = body.mc0 + times<3>(body.Ct0, q);
  enter_pairs(body, q, cache);
  update_series(body, body.Ct0, body.Ct1, q, cache, cache.Ct);
  update_series(body, body.Cr0, body.Cr1, q, cache, cache.Cr);
  Vec6 j = body.J0 + times<6>(body.J1, q);
  if (body.J2[0].size() > 0) {
    cache.J_q = body.J1;
    for (int e = 0; e < 6; ++e) {
      times_pair(body, body.J2[static_cast<std::size_t>(e)], q, cache);
      j[e] += 0.5 * cache.column.dot(q);
      cache.J_q.row(e) += cache.column.transpose();
    }
  }
  cache.J = tensor(j);
  update_series(body, body.Gr0, body.Gr1, q, cache, cache.Gr);
  update_series(body, body.Oe0, body.Oe1, q, cache, cache.Oe);
}

void update_flexible_velocities(const FlexibleBody& body, const ConstVecRef& q_dot, FlexiblePart& cache) {
  const Eigen::Matrix<double, 9, 1> rate = times<9>(cache.Gr, q_dot);
  cache.Gr_rate = Eigen::Map<const Mat3>(rate.data());
  if (body.Ge[0].size() == 0) return;
  enter_pairs(body, q_dot, cache);
  for (int c = 0; c < 3; ++c) {
    times_pair(body, body.Ge[static_cast<std::size_t>(c)], q_dot, cache);
    cache.Ge_rate.col(c) = cache.column;
  }
}

void flexible_forces(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& gravity,
                     const ConstVecRef& x, const ConstVecRef& z, VecRef f) {
  const auto q = x.tail(body.nq), q_dot = z.tail(body.nq);
  const Vec3 w = z.segment<3>(3), g = R.transpose() * gravity;
  const Vec3 flow = times<3>(cache.Ct, q_dot);
  f.head<3>() = body.mass * gravity - R * (w.cross(w.cross(cache.mc)) + 2 * w.cross(flow));
  f.segment<3>(3) = cache.mc.cross(g) - w.cross(cache.J * w) - cache.Gr_rate * w;
  auto e = f.tail(body.nq);
  e = -body.ksigma;
  const Vec6 w_q = products(w);
  e.noalias() += cache.Ct.transpose().lazyProduct(g);
  e.noalias() -= cache.Oe.transpose().lazyProduct(w_q);
  if (body.Ge[0].size() > 0) e.noalias() -= cache.Ge_rate.lazyProduct(w);
  if (cache.diagonal) {
    e -= cache.stiffness.cwiseProduct(q) + cache.damping.cwiseProduct(q_dot);
  } else {
    e.noalias() -= body.Ke * q;
    e.noalias() -= body.De * q_dot;
  }
}

void add_flexible_mass_times(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R,
                             const ConstVecRef& z_dot, double factor, VecRef out) {
  const Vec3 a = factor * z_dot.head<3>(), alpha = factor * z_dot.segment<3>(3), a_B = R.transpose() * a;
  const auto q_ddot = z_dot.tail(body.nq);
  const Vec3 by_Ct = factor * times<3>(cache.Ct, q_ddot), by_Cr = factor * times<3>(cache.Cr, q_ddot);
  out.head<3>() += body.mass * a + R * (alpha.cross(cache.mc) + by_Ct);
  out.segment<3>(3) += cache.mc.cross(a_B) + cache.J * alpha + by_Cr;
  auto e = out.tail(body.nq);
  e.noalias() += cache.Ct.transpose().lazyProduct(a_B);
  e.noalias() += cache.Cr.transpose().lazyProduct(alpha);
  if (cache.diagonal)
    e += factor * cache.mass.cwiseProduct(q_ddot);
  else
    e.noalias() += (factor * body.Me) * q_ddot;
}

namespace {

/// A += factor X for a matrix over pairs of coordinates.
void add_modal(const FlexiblePart& cache, const MatX& X, const VecX& diagonal, double factor, BlockHandle h,
               BlockMatrix& A) {
  if (!cache.diagonal) {
    A.add(inside(h, 6, 6), X, factor);
    return;
  }
  for (int i = 0; i < diagonal.size(); ++i) A.entry(h, 6 + i, 6 + i) += factor * diagonal[i];
}

}  // namespace

void add_flexible_mass(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R, double factor,
                       bool elastic, BlockHandle h, BlockMatrix& A) {
  const Mat3 rt = skew(cache.mc) * R.transpose();
  A.add(h, Mat3::Identity() * body.mass, factor);
  A.add(inside(h, 3, 0), rt, factor);
  A.add(inside(h, 0, 3), rt.transpose(), factor);
  A.add(inside(h, 3, 3), cache.J, factor);
  if (!elastic) return;
  const auto te = R.lazyProduct(cache.Ct);
  A.add(inside(h, 0, 6), te, factor);
  A.add(inside(h, 6, 0), te.transpose(), factor);
  A.add(inside(h, 3, 6), cache.Cr, factor);
  A.add(inside(h, 6, 3), cache.Cr.transpose(), factor);
  add_modal(cache, body.Me, cache.mass, factor, h, A);
}

namespace {

/// Derivatives by the elastic coordinates.
void add_by_q(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& a, const Vec3& w,
              const Vec3& alpha, const ConstVecRef& q_dot, const ConstVecRef& q_ddot, double pos,
              BlockHandle h, BlockMatrix& A) {
  const Mat3 turn = R * (skew(alpha) + skew(w) * skew(w));
  A.add(inside(h, 0, 6), turn.lazyProduct(body.Ct0), pos);
  A.add(inside(h, 3, 6), skew(a).lazyProduct(body.Ct0), -pos);
  const Mat3 W = skew(w);
  const bool whole = !body.compressed();  // derivatives of compressed couplings are left out
  for (Eigen::Index m = 0; m < body.nq; ++m) {
    const Mat3 Jm = tensor(cache.J_q.col(m));
    Vec3 r = Jm * alpha + W * (Jm * w);
    if (whole && body.Cr1[0].size() > 0)
      for (int c = 0; c < 3; ++c) r[c] += body.Cr1[static_cast<std::size_t>(c)].col(m).dot(q_ddot);
    if (whole && body.Gr1[0].size() > 0) {
      Mat3 G;
      for (int e = 0; e < 9; ++e) G.data()[e] = body.Gr1[static_cast<std::size_t>(e)].col(m).dot(q_dot);
      r += G * w;
    }
    A.add(inside(h, 3, 6 + static_cast<int>(m)), r, pos);
  }
  if (!whole) return;
  if (body.Cr1[0].size() > 0)
    for (int c = 0; c < 3; ++c) A.add(inside(h, 6, 6), body.Cr1[static_cast<std::size_t>(c)], pos * alpha[c]);
  const Vec6 w_q = products(w);
  if (body.Oe1[0].size() > 0)
    for (int j = 0; j < 6; ++j) A.add(inside(h, 6, 6), body.Oe1[static_cast<std::size_t>(j)], pos * w_q[j]);
  if (!body.stiffens()) return;
  // The coupling with translation changes as well: Ct1.
  for (int c = 0; c < 3; ++c) {
    const MatX& C = body.Ct1[static_cast<std::size_t>(c)];
    A.add(inside(h, 6, 6), C, pos * a[c]);
    cache.column.noalias() = C.transpose() * q_ddot;
    A.add(inside(h, 0, 6), R.col(c).lazyProduct(cache.column.transpose()), pos);
    cache.column.noalias() = C.transpose() * q_dot;
    const Vec3 axis = 2 * R * w.cross(Vec3::Unit(c));
    A.add(inside(h, 0, 6), axis.lazyProduct(cache.column.transpose()), pos);
  }
}

}  // namespace

void add_elastic_tangent(const FlexibleBody& body, const FlexiblePart& cache, double pos, double vel,
                         BlockHandle h, BlockMatrix& A) {
  add_modal(cache, body.Ke, cache.stiffness, pos, h, A);
  add_modal(cache, body.De, cache.damping, vel, h, A);
}

void add_flexible_tangent(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& gravity,
                          const ConstVecRef& z, const ConstVecRef& z_dot, double pos, double vel,
                          BlockHandle h, BlockMatrix& A) {
  const Vec3 w = z.segment<3>(3), alpha = z_dot.segment<3>(3);
  const Vec3 a = R.transpose() * (z_dot.head<3>() - gravity);
  const auto q_dot = z.tail(body.nq), q_ddot = z_dot.tail(body.nq);
  const Vec3 flow = times<3>(cache.Ct, q_dot);
  add_elastic_tangent(body, cache, pos, vel, h, A);
  if (pos != 0) {
    const Vec3 bracket =
        alpha.cross(cache.mc) + times<3>(cache.Ct, q_ddot) + w.cross(w.cross(cache.mc)) + 2 * w.cross(flow);
    A.add(inside(h, 0, 3), R * skew(bracket), -pos);
    const Mat3 by_turn = skew(cache.mc) * skew(a);
    A.add(inside(h, 3, 3), by_turn, pos);
    A.add(inside(h, 6, 3), cache.Ct.transpose().lazyProduct(skew(a)), pos);
    add_by_q(body, cache, R, a, w, alpha, q_dot, q_ddot, pos, h, A);
  }
  if (vel == 0) return;
  const Mat3 W = skew(w);
  A.add(inside(h, 0, 3), R * (skew(w.cross(cache.mc)) + W * skew(cache.mc) + 2 * skew(flow)), -vel);
  const Mat3 rr = W * cache.J - skew(cache.J * w) + cache.Gr_rate;
  A.add(inside(h, 3, 3), rr, vel);
  if (body.Ge[0].size() > 0) A.add(inside(h, 6, 3), cache.Ge_rate, vel);
  A.add(inside(h, 6, 3), cache.Oe.transpose().lazyProduct(products_by_w(w)), vel);
  const Mat3 RW = 2 * R * W;
  A.add(inside(h, 0, 6), RW.lazyProduct(cache.Ct), vel);
  for (int l = 0; l < body.nq; ++l) {
    const Vec3 Gr_w = Eigen::Map<const Mat3>(cache.Gr.col(l).data()) * w;
    A.add(inside(h, 3, 6 + l), Gr_w, vel);
  }
  if (body.Ge[0].size() > 0 && !body.compressed())
    for (int c = 0; c < 3; ++c) A.add(inside(h, 6, 6), body.Ge[static_cast<std::size_t>(c)], vel * w[c]);
}

FlexibleEnergy flexible_energy(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R,
                               const Vec3& gravity, const ConstVecRef& x, const ConstVecRef& z) {
  const auto q = x.tail(body.nq), q_dot = z.tail(body.nq);
  const Vec3 v = R.transpose() * z.head<3>(), w = z.segment<3>(3);
  const Vec3 flow = times<3>(cache.Ct, q_dot), spin = times<3>(cache.Cr, q_dot);
  FlexibleEnergy e;
  e.kinetic = 0.5 * body.mass * v.squaredNorm() + v.dot(w.cross(cache.mc) + flow) + 0.5 * w.dot(cache.J * w) +
              w.dot(spin) + 0.5 * quadratic(body.Me, q_dot);
  e.gravity = -gravity.dot(body.mass * x.head<3>() + R * cache.mc);
  e.elastic = body.ksigma.dot(q) + 0.5 * quadratic(body.Ke, q);
  e.dissipated_power = quadratic(body.De, q_dot);
  return e;
}

}  // namespace monocoque
