#include "io/mesh/nastran_coordinates.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <Eigen/Geometry>

namespace monocoque::io {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

std::string label(char kind, long id) {
  return fmt::format("CORD2{} {}", kind, id);
}

}  // namespace

Vec3 CoordinateSystem::to_basic(const Vec3& x) const {
  Vec3 local = x;
  if (kind == 'C') {
    local = {x[0] * std::cos(x[1] * kDegree), x[0] * std::sin(x[1] * kDegree), x[2]};
  } else if (kind == 'S') {
    const double theta = x[1] * kDegree, phi = x[2] * kDegree;
    local = x[0] * Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
  }
  return origin + axes * local;
}

Mat3 CoordinateSystem::basis_at(const Vec3& p_basic) const {
  if (kind == 'R') return axes;
  const Vec3 local = axes.transpose() * (p_basic - origin);
  const double phi = std::atan2(local.y(), local.x());
  Mat3 basis;
  const Vec3 around(-std::sin(phi), std::cos(phi), 0);
  if (kind == 'C') {
    basis.col(0) = Vec3(std::cos(phi), std::sin(phi), 0);
    basis.col(1) = around;
    basis.col(2) = Vec3::UnitZ();
  } else {
    const double theta = std::atan2(std::hypot(local.x(), local.y()), local.z());
    basis.col(0) = Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
    basis.col(1) = Vec3(std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta));
    basis.col(2) = around;
  }
  return axes * basis;
}

void CoordinateSystems::add(long id, char kind, long reference, const Vec3& a, const Vec3& b, const Vec3& c,
                            FileLine where) {
  Definition& d = definitions_.emplace_back();
  d.id = id;
  d.reference = reference;
  d.kind = kind;
  d.a = a;
  d.b = b;
  d.c = c;
  d.where = where;
}

void CoordinateSystems::resolve(Mistakes& mistakes) {
  systems_[0] = {};
  for (std::size_t i = 0; i < definitions_.size(); ++i) {
    const Definition& d = definitions_[i];
    if (d.id <= 0)
      mistakes.error(d.where, label(d.kind, d.id), fmt::format("id is {}, it must be > 0", d.id));
    else if (!by_id_.emplace(d.id, i).second)
      mistakes.error(d.where, label(d.kind, d.id), "this id is already used", "give each system its own id");
  }
  std::vector<std::size_t> chain;
  for (std::size_t start = 0; start < definitions_.size(); ++start) {
    chain.clear();
    // Down to a system that is known, then back up.
    for (std::size_t i = start; definitions_[i].state == 0;) {
      Definition& d = definitions_[i];
      d.state = 1;
      chain.push_back(i);
      const auto next = by_id_.find(d.reference);
      if (d.reference == 0 || next == by_id_.end()) break;
      if (definitions_[next->second].state == 1) {
        mistakes.error(d.where, label(d.kind, d.id), "its chain of systems closes a circle",
                       "let one of them refer to system 0");
        d.state = 3;
        break;
      }
      i = next->second;
    }
    for (auto it = chain.rbegin(); it != chain.rend(); ++it)
      if (definitions_[*it].state == 1) settle(definitions_[*it], mistakes);
  }
}

void CoordinateSystems::settle(Definition& d, Mistakes& mistakes) {
  d.state = 3;
  const auto reference = systems_.find(d.reference);
  if (reference == systems_.end()) {
    if (by_id_.count(d.reference) == 0)
      mistakes.error(d.where, label(d.kind, d.id),
                     fmt::format("coordinate system {} does not exist", d.reference),
                     "define it with CORD2R, CORD2C or CORD2S");
    return;
  }
  const Vec3 a = reference->second.to_basic(d.a), b = reference->second.to_basic(d.b),
             c = reference->second.to_basic(d.c);
  const Vec3 z = b - a, y = z.cross(c - a);
  if (!(z.norm() > 0) || !(y.norm() > 1e-12 * z.norm() * (c - a).norm()) || !std::isfinite(y.norm())) {
    mistakes.error(d.where, label(d.kind, d.id), "its three points are in one line",
                   "move point C off the z axis");
    return;
  }
  CoordinateSystem s;
  s.kind = d.kind;
  s.origin = a;
  s.axes.col(2) = z.normalized();
  s.axes.col(1) = y.normalized();
  s.axes.col(0) = s.axes.col(1).cross(s.axes.col(2));
  d.state = 2;
  systems_.emplace(d.id, s);
}

const CoordinateSystem* CoordinateSystems::find(long id) const {
  const auto it = systems_.find(id);
  return it == systems_.end() ? nullptr : &it->second;
}

}  // namespace monocoque::io
