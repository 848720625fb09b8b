#include "dynamics/flexible.h"

#include <limits>

#include <Eigen/Geometry>

namespace monocoque {

namespace {

/// (Ct a)_k etc. for series with first-order matrices per component: out.row(c) += M1[c] q.
template <std::size_t N, class Series>
void add_first_order(const std::array<MatX, N>& first, const ConstVecRef& q, Series& out) {
  if (first[0].size() == 0) return;
  for (std::size_t c = 0; c < N; ++c)
    out.row(static_cast<Eigen::Index>(c)).transpose().noalias() += first[c] * q;
}

Mat3 gyroscopic(const Mat9X& Gr, Eigen::Index l) {
  return Eigen::Map<const Mat3>(Gr.col(l).data());
}

/// a^T K a without a temporary.
double quadratic(const MatX& K, const ConstVecRef& a) {
  double sum = 0;
  for (Eigen::Index j = 0; j < K.cols(); ++j) sum += a[j] * K.col(j).dot(a);
  return sum;
}

/// d(w1^2 w2^2 w3^2 w1w2 w2w3 w1w3)/dw
Eigen::Matrix<double, 6, 3> products_by_w(const Vec3& w) {
  Eigen::Matrix<double, 6, 3> D;
  D << 2 * w[0], 0, 0, 0, 2 * w[1], 0, 0, 0, 2 * w[2], w[1], w[0], 0, 0, w[2], w[1], w[2], 0, w[0];
  return D;
}

}  // namespace

void size_flexible(const FlexibleBody& body, FlexiblePart& cache) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  cache.mc.setConstant(nan);
  cache.J.setConstant(nan);
  cache.Gr_rate.setConstant(nan);
  cache.Ct.setConstant(3, body.nq, nan);
  cache.Cr.setConstant(3, body.nq, nan);
  cache.J_q.setConstant(6, body.nq, nan);
  cache.Gr.setConstant(9, body.nq, nan);
  cache.Gr_w.setConstant(3, body.nq, nan);
  cache.Ge_rate.setConstant(body.nq, 3, nan);
  cache.Oe.setConstant(6, body.nq, nan);
  cache.column.setConstant(body.nq, nan);
}

void update_flexible_positions(const FlexibleBody& body, const ConstVecRef& q, FlexiblePart& cache) {
  cache.mc = body.mc0;
  cache.mc.noalias() += body.Ct0 * q;
  cache.Ct = body.Ct0;
  add_first_order(body.Ct1, q, cache.Ct);
  cache.Cr = body.Cr0;
  add_first_order(body.Cr1, q, cache.Cr);
  // J_q first holds J1 + J2 q / 2, which gives J; then the derivative itself.
  cache.J_q = body.J1;
  Vec6 j = body.J0;
  j.noalias() += body.J1 * q;
  if (body.J2[0].size() > 0) {
    for (int e = 0; e < 6; ++e) {
      cache.column.noalias() = body.J2[static_cast<std::size_t>(e)] * q;
      j[e] += 0.5 * cache.column.dot(q);
      cache.J_q.row(e) += cache.column.transpose();
    }
  }
  cache.J = tensor(j);
  cache.Gr = body.Gr0;
  add_first_order(body.Gr1, q, cache.Gr);
  cache.Oe = body.Oe0;
  add_first_order(body.Oe1, q, cache.Oe);
}

void update_flexible_velocities(const FlexibleBody& body, const Vec3& w, const ConstVecRef& q_dot,
                                FlexiblePart& cache) {
  cache.Gr_rate.setZero();
  for (Eigen::Index l = 0; l < body.nq; ++l) {
    const Mat3 G = gyroscopic(cache.Gr, l);
    cache.Gr_w.col(l) = G * w;
    cache.Gr_rate += q_dot[l] * G;
  }
  for (int c = 0; c < 3; ++c) cache.Ge_rate.col(c).noalias() = body.Ge[static_cast<std::size_t>(c)] * q_dot;
}

void flexible_forces(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& gravity,
                     const ConstVecRef& x, const ConstVecRef& z, VecRef f) {
  const auto q = x.tail(body.nq), q_dot = z.tail(body.nq);
  const Vec3 w = z.segment<3>(3), g = R.transpose() * gravity;
  const Vec3 flow = cache.Ct * q_dot;
  f.head<3>() = body.mass * gravity - R * (w.cross(w.cross(cache.mc)) + 2 * w.cross(flow));
  f.segment<3>(3) = cache.mc.cross(g) - w.cross(cache.J * w) - cache.Gr_rate * w;
  auto e = f.tail(body.nq);
  e = -body.ksigma;
  e.noalias() += cache.Ct.transpose() * g;
  e.noalias() -= cache.Ge_rate * w;
  e.noalias() -= cache.Oe.transpose() * products(w);
  e.noalias() -= body.Ke * q;
  e.noalias() -= body.De * q_dot;
}

void add_flexible_mass_times(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R,
                             const ConstVecRef& z_dot, double factor, VecRef out) {
  const Vec3 a = factor * z_dot.head<3>(), alpha = factor * z_dot.segment<3>(3), a_B = R.transpose() * a;
  const auto q_ddot = z_dot.tail(body.nq);
  const Vec3 by_Ct = factor * (cache.Ct * q_ddot), by_Cr = factor * (cache.Cr * q_ddot);
  out.head<3>() += body.mass * a + R * (alpha.cross(cache.mc) + by_Ct);
  out.segment<3>(3) += cache.mc.cross(a_B) + cache.J * alpha + by_Cr;
  auto e = out.tail(body.nq);
  e.noalias() += cache.Ct.transpose() * a_B;
  e.noalias() += cache.Cr.transpose() * alpha;
  e.noalias() += (factor * body.Me) * q_ddot;
}

void add_flexible_mass(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R, double factor,
                       BlockHandle h, BlockMatrix& A) {
  const Mat3 rt = skew(cache.mc) * R.transpose();
  A.add(h, Mat3::Identity() * body.mass, factor);
  A.add(inside(h, 3, 0), rt, factor);
  A.add(inside(h, 0, 3), rt.transpose(), factor);
  A.add(inside(h, 3, 3), cache.J, factor);
  const auto te = R.lazyProduct(cache.Ct);
  A.add(inside(h, 0, 6), te, factor);
  A.add(inside(h, 6, 0), te.transpose(), factor);
  A.add(inside(h, 3, 6), cache.Cr, factor);
  A.add(inside(h, 6, 3), cache.Cr.transpose(), factor);
  A.add(inside(h, 6, 6), body.Me, factor);
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
  for (Eigen::Index m = 0; m < body.nq; ++m) {
    const Mat3 Jm = tensor(cache.J_q.col(m));
    Vec3 r = Jm * alpha + W * (Jm * w);
    if (body.Cr1[0].size() > 0)
      for (int c = 0; c < 3; ++c) r[c] += body.Cr1[static_cast<std::size_t>(c)].col(m).dot(q_ddot);
    if (body.Gr1[0].size() > 0) {
      Mat3 G;
      for (int e = 0; e < 9; ++e) G.data()[e] = body.Gr1[static_cast<std::size_t>(e)].col(m).dot(q_dot);
      r += G * w;
    }
    A.add(inside(h, 3, 6 + static_cast<int>(m)), r, pos);
  }
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

void add_elastic_tangent(const FlexibleBody& body, double pos, double vel, BlockHandle h, BlockMatrix& A) {
  A.add(inside(h, 6, 6), body.Ke, pos);
  A.add(inside(h, 6, 6), body.De, vel);
}

void add_flexible_tangent(const FlexibleBody& body, FlexiblePart& cache, const Mat3& R, const Vec3& gravity,
                          const ConstVecRef& z, const ConstVecRef& z_dot, double pos, double vel,
                          BlockHandle h, BlockMatrix& A) {
  const Vec3 w = z.segment<3>(3), alpha = z_dot.segment<3>(3);
  const Vec3 a = R.transpose() * (z_dot.head<3>() - gravity);
  const auto q_dot = z.tail(body.nq), q_ddot = z_dot.tail(body.nq);
  const Vec3 flow = cache.Ct * q_dot;
  add_elastic_tangent(body, pos, vel, h, A);
  if (pos != 0) {
    const Vec3 bracket =
        alpha.cross(cache.mc) + cache.Ct * q_ddot + w.cross(w.cross(cache.mc)) + 2 * w.cross(flow);
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
  A.add(inside(h, 6, 3), cache.Ge_rate, vel);
  A.add(inside(h, 6, 3), cache.Oe.transpose().lazyProduct(products_by_w(w)), vel);
  const Mat3 RW = 2 * R * W;
  A.add(inside(h, 0, 6), RW.lazyProduct(cache.Ct), vel);
  A.add(inside(h, 3, 6), cache.Gr_w, vel);
  for (int c = 0; c < 3; ++c) A.add(inside(h, 6, 6), body.Ge[static_cast<std::size_t>(c)], vel * w[c]);
}

FlexibleEnergy flexible_energy(const FlexibleBody& body, const FlexiblePart& cache, const Mat3& R,
                               const Vec3& gravity, const ConstVecRef& x, const ConstVecRef& z) {
  const auto q = x.tail(body.nq), q_dot = z.tail(body.nq);
  const Vec3 v = R.transpose() * z.head<3>(), w = z.segment<3>(3);
  const Vec3 flow = cache.Ct * q_dot, spin = cache.Cr * q_dot;
  FlexibleEnergy e;
  e.kinetic = 0.5 * body.mass * v.squaredNorm() + v.dot(w.cross(cache.mc) + flow) + 0.5 * w.dot(cache.J * w) +
              w.dot(spin) + 0.5 * quadratic(body.Me, q_dot);
  e.gravity = -gravity.dot(body.mass * x.head<3>() + R * cache.mc);
  e.elastic = body.ksigma.dot(q) + 0.5 * quadratic(body.Ke, q);
  e.dissipated_power = quadratic(body.De, q_dot);
  return e;
}

}  // namespace monocoque
