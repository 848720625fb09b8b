#include "elements/joints/pair_joint.h"

#include <cmath>

#include "elements/joints/pair_rows.h"

namespace monocoque {
namespace {

using Kind = PairRow::Kind;
using Drive = PairRow::Drive;

/// A vector (or matrix) that depends on time, with two derivatives.
template <class T>
struct Moving {
  T x0, x1, x2;
};

/// Elementary turn by u about a coordinate axis: x1 and x2 are exact time derivatives.
Moving<Mat3> turn_about(int axis, const Taylor2& u) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const double c = std::cos(u.value), s = std::sin(u.value);
  Mat3 R = Mat3::Identity(), D = Mat3::Zero(), DD = Mat3::Zero();  // D = dR/du, DD = d2R/du2
  R(i, i) = R(j, j) = c;
  R(i, j) = -s;
  R(j, i) = s;
  D(i, i) = D(j, j) = -s;
  D(i, j) = -c;
  D(j, i) = c;
  DD(i, i) = DD(j, j) = -c;
  DD(i, j) = s;
  DD(j, i) = -s;
  return {R, u.rate * D, u.acceleration * D + u.rate * u.rate * DD};
}

template <class T>
Moving<T> apply(const Moving<Mat3>& R, const Moving<T>& v) {
  return {R.x0 * v.x0, R.x1 * v.x0 + R.x0 * v.x1, R.x2 * v.x0 + 2 * (R.x1 * v.x1) + R.x0 * v.x2};
}

/// a of a row in axes of A, with its time derivatives there.
Moving<Vec3> moving_axis(const PairRow& row, const Taylor2* u) {
  Moving<Vec3> a{row.a, Vec3::Zero(), Vec3::Zero()};
  if (row.drive == Drive::turn) return apply(turn_about(2, u[row.signal]), a);
  if (row.drive == Drive::tait_bryan)
    for (int k = 0; k < 3; ++k) a = apply(turn_about(k, u[row.signal + k]), a);
  return a;
}

bool turns(const PairRow& row) {
  return row.drive == Drive::turn || row.drive == Drive::tait_bryan;
}

}  // namespace

PairJoint::PairJoint(std::shared_ptr<const Rows> rows, Coordinate coordinate, int signals)
    : Joint(2, static_cast<int>(rows->size()), static_cast<int>(rows->size()), signals),
      list_(std::move(rows)),
      coordinate_(coordinate) {
  unsigned uses = 0;
  for (const PairRow& row : *list_) {
    if (row.kind != Kind::alignment) uses |= kPlaceA | kPlaceB;
    if (row.kind == Kind::offset || row.kind == Kind::alignment) uses |= kAxesA;
    if (row.kind == Kind::alignment) uses |= kAxesB;
  }
  restrict_to(uses);
}

std::string PairJoint::row_name(int row) const {
  return (*list_)[static_cast<std::size_t>(row)].name;
}

void PairJoint::residual(const JointInput& in, RowVector& g) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const Vec3 d = B.p - A.p;
  g.resize(rows());
  int i = 0;
  for (const PairRow& row : *list_) {
    double f = 0;
    switch (row.kind) {
      case Kind::point:
        f = row.a.dot(d);
        break;
      case Kind::offset:
        f = (A.R * row.a).dot(d);
        break;
      case Kind::alignment:
        f = (A.R * moving_axis(row, in.u).x0).dot(B.R * row.b);
        break;
      case Kind::distance:
        f = d.norm();
        break;
    }
    g[i++] = f - row.constant - (row.drive == Drive::value ? in.u[row.signal].value : 0);
  }
}

void PairJoint::velocity_matrix(const JointInput& in, RowsByTwist& W) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const pair::PairState s(A, B);
  W.resize(rows(), twist_size());
  int i = 0;
  for (const PairRow& row : *list_) {
    switch (row.kind) {
      case Kind::point:
        W.row(i) = pair::relative_row(row.a);
        break;
      case Kind::offset:
        W.row(i) = pair::offset_row(s, A.R * row.a);
        break;
      case Kind::alignment:
        W.row(i) = pair::alignment_row(A.R * moving_axis(row, in.u).x0, B.R * row.b);
        break;
      case Kind::distance:
        W.row(i) = pair::relative_row(pair::Direction(s.d).n);
        break;
    }
    ++i;
  }
}

void PairJoint::rate(const JointInput& in, RowVector& r) const {
  r.setZero(rows());
  int i = 0;
  for (const PairRow& row : *list_) {
    if (row.drive == Drive::value) r[i] = -in.u[row.signal].rate;
    if (turns(row)) r[i] = (in.m[0]->R * moving_axis(row, in.u).x1).dot(in.m[1]->R * row.b);
    ++i;
  }
}

void PairJoint::convective(const JointInput& in, RowVector& gamma) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const pair::PairState s(A, B);
  gamma.resize(rows());
  int i = 0;
  for (const PairRow& row : *list_) {
    double f = 0;
    switch (row.kind) {
      case Kind::point:
        break;
      case Kind::offset:
        f = pair::offset_convective(s, A.R * row.a);
        break;
      case Kind::alignment: {
        const Moving<Vec3> a = moving_axis(row, in.u);
        const Vec3 b = B.R * row.b;
        f = pair::alignment_convective(s, A.R * a.x0, b);
        if (turns(row)) f += 2 * pair::alignment_velocity(s, A.R * a.x1, b) + (A.R * a.x2).dot(b);
        break;
      }
      case Kind::distance:
        f = pair::distance_convective(s, pair::Direction(s.d));
        break;
    }
    gamma[i++] = f - (row.drive == Drive::value ? in.u[row.signal].acceleration : 0);
  }
}

void PairJoint::tangent(const JointInput& in, const RowVector& lambda, JointTangent& out) const {
  const MarkerKinematics &A = *in.m[0], &B = *in.m[1];
  const pair::PairState s(A, B);
  out.force_pose.setZero(twist_size(), twist_size());
  out.velocity_pose.setZero(rows(), twist_size());
  out.acceleration_pose.setZero(rows(), twist_size());
  out.acceleration_twist.setZero(rows(), twist_size());
  for (int i = 0; i < rows(); ++i) {
    const PairRow& row = (*list_)[static_cast<std::size_t>(i)];
    switch (row.kind) {
      case Kind::point:
        break;
      case Kind::offset: {
        const Vec3 a = A.R * row.a;
        pair::add_offset_force_pose(s, a, lambda[i], out.force_pose, 0);
        out.velocity_pose.row(i) = pair::offset_velocity_pose(s, a);
        out.acceleration_pose.row(i) = pair::offset_acceleration_pose(s, a);
        out.acceleration_twist.row(i) = pair::offset_acceleration_twist(s, a);
        break;
      }
      case Kind::alignment: {
        const Moving<Vec3> ma = moving_axis(row, in.u);
        const Vec3 a = A.R * ma.x0, b = B.R * row.b;
        pair::add_alignment_force_pose(a, b, lambda[i], out.force_pose, 0);
        out.velocity_pose.row(i) = pair::alignment_velocity_pose(s, a, b);
        out.acceleration_pose.row(i) = pair::alignment_acceleration_pose(s, a, b);
        out.acceleration_twist.row(i) = pair::alignment_acceleration_twist(s, a, b);
        if (turns(row)) {
          const Vec3 a1 = A.R * ma.x1, a2 = A.R * ma.x2;
          const pair::Row12 w1 = pair::alignment_row(a1, b);
          out.velocity_pose.row(i) += w1;
          out.acceleration_pose.row(i) +=
              2 * pair::alignment_velocity_pose(s, a1, b) + pair::alignment_row(a2, b);
          out.acceleration_twist.row(i) += 2 * w1;
        }
        break;
      }
      case Kind::distance: {
        const pair::Direction r(s.d);
        pair::add_distance_force_pose(r, lambda[i], out.force_pose, 0);
        const pair::Row12 across = pair::relative_row(r.across(s.dv));
        out.velocity_pose.row(i) = across;
        out.acceleration_pose.row(i) = pair::distance_acceleration_pose(s, r);
        out.acceleration_twist.row(i) = 2 * across;
        break;
      }
    }
  }
}

}  // namespace monocoque
