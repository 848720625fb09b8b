#include "elements/forces/line_force.h"

#include "elements/forces/wrench_assembly.h"

namespace monocoque {
namespace {
constexpr double kNoLength = 1e-12;
}

Line line_of(const ForceInput& in) {
  Line line;
  const Vec3 p = in.m[1]->p - in.m[0]->p;
  line.u = in.m[1]->v - in.m[0]->v;
  line.length = p.norm();
  line.n = line.length > kNoLength ? Vec3(p / line.length) : Vec3(Vec3::Zero());
  line.rate = line.n.dot(line.u);
  return line;
}

void LineForce::wrench(const ForceInput& in, Vec12& out) const {
  const Line line = line_of(in);
  const Vec3 f = tension(in, line.length, line.rate).value * line.n;
  out.setZero();
  out.segment<3>(0) = f;
  out.segment<3>(6) = -f;
}

void LineForce::tangent(const ForceInput& in, ForceTangent& out) const {
  clear(out);
  const Line line = line_of(in);
  if (line.length <= kNoLength) return;
  const Tension f = tension(in, line.length, line.rate);
  // dn/dp: the line turns when B moves across it.
  const Mat3 across = (Mat3::Identity() - line.n * line.n.transpose()) / line.length;
  const Mat3 by_p =
      line.n * (f.by_length * line.n + f.by_rate * across * line.u).transpose() + f.value * across;
  const Mat3 by_v = f.by_rate * line.n * line.n.transpose();
  const auto spread = [](auto& rows, const Mat3& k) {
    rows.template block<3, 3>(0, 0) = -k;
    rows.template block<3, 3>(0, 6) = k;
    rows.template block<3, 3>(6, 0) = k;
    rows.template block<3, 3>(6, 6) = -k;
  };
  spread(out.wrench.pose, by_p);
  spread(out.wrench.twist, by_v);
}

}  // namespace monocoque
