#include "body/trim.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "body/stock.h"
#include "core/decompositions.h"
#include "core/error.h"

namespace monocoque::body {

namespace {

constexpr double kLeastShare = 0.05;  ///< of the first guess

/// Mass, first moments, Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the wanted centre.
using Moments = Eigen::Matrix<double, 10, 1>;

Moments moments(double m, const Vec3& r) {
  Moments out;
  const Vec3 q = r.cwiseAbs2();
  out << 1, r.x(), r.y(), r.z(), q.y() + q.z(), q.x() + q.z(), q.x() + q.y(), -r.x() * r.y(), -r.x() * r.z(),
      -r.y() * r.z();
  return m * out;
}

/// Calls f(area, place) at the four points of Gauss of a quadrilateral.
template <class F>
void each_gauss_point(const Grid& grid, const Quad& quad, F&& f) {
  const double g = 1 / std::sqrt(3.0);
  Eigen::Matrix<double, 3, 4> X;
  for (std::size_t k = 0; k < 4; ++k)
    X.col(static_cast<Eigen::Index>(k)) = grid.nodes[static_cast<std::size_t>(quad.node[k])];
  for (const double s : {-g, g})
    for (const double t : {-g, g}) {
      const Vec4 N = Vec4((1 - s) * (1 - t), (1 + s) * (1 - t), (1 + s) * (1 + t), (1 - s) * (1 + t)) / 4;
      const Vec4 ds = Vec4(-(1 - t), 1 - t, 1 + t, -(1 + t)) / 4;
      const Vec4 dt = Vec4(-(1 - s), -(1 + s), 1 + s, 1 - s) / 4;
      f(Vec3(X * ds).cross(Vec3(X * dt)).norm(), Vec3(X * N));
    }
}

class Matching {
 public:
  Matching(const Grid& grid, const TrimTarget& target)
      : grid_(grid), target_(target), count_(static_cast<Eigen::Index>(zones().size())) {
    weight_.setZero(count_);
    columns_.setZero(10, count_);
    edge_weight_.resize(zones().size());
    add_sheets();
    add_beams();
    add_edges();
    for (Eigen::Index z = 0; z < count_; ++z) {
      const auto hung = grid.skeleton().hung.find(static_cast<int>(z));
      if (hung != grid.skeleton().hung.end()) {
        columns_.col(z).setZero();
        for (const int p : hung->second)
          columns_.col(z) += moments(1.0 / static_cast<double>(hung->second.size()),
                                     grid.skeleton().points[static_cast<std::size_t>(p)] - target.centre_m);
      } else {
        columns_.col(z) /= weight_[z];
      }
    }
  }

  Trim solve() {
    VecX m = guess();
    const VecX first = m;
    std::vector<bool> fixed(static_cast<std::size_t>(count_));
    for (Eigen::Index round = 0; round < count_ && correct(first, fixed, m); ++round) continue;
    check(m);
    return result(m);
  }

 private:
  void add_sheets() {
    for (const Quad& q : grid_.quads) {
      const Sheet& s = sheets()[static_cast<std::size_t>(q.sheet)];
      const double area_mass = s.thickness_m * target_.thickness_scale * material(s.stock).density_kg_per_m3;
      each_gauss_point(grid_, q, [&](double area, const Vec3& p) {
        const Moments unit = moments(area, p - target_.centre_m);
        structure_ += area_mass * unit;
        if (!s.panel || q.zone == kNoZone) return;
        columns_.col(q.zone) += kPanelWeight * unit;
        weight_[q.zone] += kPanelWeight * area;
      });
    }
  }

  void add_beams() {
    for (const Bar& b : grid_.bars) {
      const Section& s = sections()[static_cast<std::size_t>(b.section)];
      const Vec3 &p = grid_.nodes[static_cast<std::size_t>(b.a)],
                 &q = grid_.nodes[static_cast<std::size_t>(b.b)];
      const double m = (p - q).norm() * box_values(s.width_m, s.height_m, s.wall_m).area *
                       material(Stock::beam_steel).density_kg_per_m3;
      beams_kg_ += m;
      structure_ += moments(m / 6, p - target_.centre_m) +
                    moments(4 * m / 6, (p + q) / 2 - target_.centre_m) + moments(m / 6, q - target_.centre_m);
    }
  }

  /// The edges of a zone's frame sheets, each once; their weight goes to the body's node at the place.
  void add_edges() {
    const Skeleton& s = grid_.skeleton();
    std::vector<std::set<int>> edges(zones().size());
    for (const Patch& p : s.patches) {
      if (p.zone == kNoZone || sheets()[static_cast<std::size_t>(p.sheet)].panel) continue;
      for (int i = 0; i < p.corners; ++i)
        edges[static_cast<std::size_t>(p.zone)].insert(grid_.edge_between(
            p.point[static_cast<std::size_t>(i)], p.point[static_cast<std::size_t>((i + 1) % p.corners)]));
    }
    for (std::size_t z = 0; z < edges.size(); ++z) {
      for (const int index : edges[z]) {
        const EdgeGrid& e = grid_.edges[static_cast<std::size_t>(index)];
        const std::vector<double> l = grid_.lengths(e);
        for (int i = 0; i < e.divisions; ++i)
          for (const int j : {i, i + 1})
            edge_weight_[z][body_node(e, j)] += kEdgeWeight * l[static_cast<std::size_t>(i)] / 2;
      }
      const auto column = static_cast<Eigen::Index>(z);
      for (const auto& [node, w] : edge_weight_[z]) {
        columns_.col(column) += moments(w, grid_.nodes[static_cast<std::size_t>(node)] - target_.centre_m);
        weight_[column] += w;
      }
    }
  }

  int body_node(const EdgeGrid& e, int i) const {
    for (const int n : grid_.at_edge(e, i))
      if (!grid_.is_glass(n)) return n;
    throw Error("body", "an edge of the body has no node");
  }

  VecX guess() const {
    const double missing = target_.mass_kg - structure_[0];
    if (!(missing > 0.05 * structure_[0]))
      throw Error("body",
                  fmt::format("mass_kg is {:.6g}, but sheets, glass and beams alone have {:.6g} kg",
                              target_.mass_kg, structure_[0]),
                  "raise the mass by trim of 5 % of the structure at least, or lower the thickness");
    VecX m(count_);
    for (Eigen::Index z = 0; z < count_; ++z) m[z] = zones()[static_cast<std::size_t>(z)].guess_kg;
    return m * (missing / m.sum());
  }

  Moments wanted() const {
    Moments w = Moments::Zero();
    w[0] = target_.mass_kg;
    w.segment<3>(4) = target_.inertia_kg_m2;
    return w - structure_;
  }

  /// Least relative change with mass, x and z exact (y is by symmetry). True when a zone fell to its least
  /// share and the rest has to be solved again.
  bool correct(const VecX& first, std::vector<bool>& fixed, VecX& m) const {
    std::vector<Eigen::Index> free;
    Moments rest = wanted();
    for (Eigen::Index z = 0; z < count_; ++z) {
      if (fixed[static_cast<std::size_t>(z)])
        rest -= columns_.col(z) * m[z];
      else
        free.push_back(z);
    }
    const auto n = static_cast<Eigen::Index>(free.size());
    MatX C(3, n), S(3, n);
    VecX scale(n + 3);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto column = columns_.col(free[static_cast<std::size_t>(i)]);
      C.col(i) << column[0], column[1], column[3];
      S.col(i) =
          (column.segment<3>(4).array() * target_.inertia_weight / target_.inertia_kg_m2.array()).matrix();
      scale[i] = first[free[static_cast<std::size_t>(i)]];
    }
    const Vec3 exact(rest[0], rest[1], rest[3]);
    const Vec3 soft =
        (rest.segment<3>(4).array() * target_.inertia_weight / target_.inertia_kg_m2.array()).matrix();
    MatX A = MatX::Zero(n + 3, n + 3);
    VecX b(n + 3);
    A.topLeftCorner(n, n) = S.transpose() * S;
    A.topLeftCorner(n, n).diagonal() += scale.head(n).cwiseAbs2().cwiseInverse();
    A.topRightCorner(n, 3) = C.transpose();
    A.bottomLeftCorner(3, n) = C;
    b.head(n) = S.transpose() * soft + scale.head(n).cwiseInverse();
    b.tail<3>() = exact;
    scale.tail<3>() = C.cwiseAbs().rowwise().maxCoeff().cwiseInverse();
    const VecX x =
        scale.asDiagonal() *
        MatX(scale.asDiagonal() * A * scale.asDiagonal()).fullPivLu().solve(VecX(scale.asDiagonal() * b));
    bool again = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index z = free[static_cast<std::size_t>(i)];
      m[z] = x[i];
      if (m[z] >= kLeastShare * first[z]) continue;
      m[z] = kLeastShare * first[z];
      fixed[static_cast<std::size_t>(z)] = true;
      again = true;
    }
    return again;
  }

  void check(const VecX& m) const {
    const Moments total = structure_ + columns_ * m;
    const Vec3 off = total.segment<3>(1) / target_.mass_kg;
    if (std::abs(total[0] / target_.mass_kg - 1) < 1e-9 && off.norm() < 1e-9 && m.minCoeff() > 0) return;
    throw Error("body",
                fmt::format("mass {:.6g} kg with the centre at x {:.4g}, z {:.4g} m cannot be met by trim",
                            target_.mass_kg, target_.centre_m.x(), target_.centre_m.z()),
                "move the centre towards that of the structure, or raise the mass");
  }

  Trim result(const VecX& m) const {
    Trim t;
    const Moments total = structure_ + columns_ * m;
    t.mass_kg = total[0];
    t.centre_m = target_.centre_m + total.segment<3>(1) / total[0];
    t.inertia_kg_m2 << total[4], total[7], total[8], total[7], total[5], total[9], total[8], total[9],
        total[6];
    t.structure_kg = structure_[0];
    t.beams_kg = beams_kg_;
    t.panel_kg_per_m2.resize(zones().size());
    const auto& hung = grid_.skeleton().hung;
    for (Eigen::Index z = 0; z < count_; ++z) {
      const auto k = static_cast<std::size_t>(z);
      t.zone_kg.push_back(m[z]);
      if (const auto it = hung.find(static_cast<int>(z)); it != hung.end()) {
        for (const int p : it->second)
          t.at_node[grid_.at_point(p).front()] += m[z] / static_cast<double>(it->second.size());
        continue;
      }
      t.panel_kg_per_m2[k] = m[z] / weight_[z] * kPanelWeight;
      for (const auto& [node, w] : edge_weight_[k]) t.at_node[node] += m[z] / weight_[z] * w;
    }
    return t;
  }

  const Grid& grid_;
  const TrimTarget& target_;
  Eigen::Index count_;
  Moments structure_ = Moments::Zero();
  double beams_kg_ = 0;
  VecX weight_;                                        ///< of edges and panels, per zone
  Eigen::Matrix<double, 10, Eigen::Dynamic> columns_;  ///< moments per kg of a zone
  std::vector<std::map<int, double>> edge_weight_;     ///< per zone and node
};

}  // namespace

Trim match_trim(const Grid& grid, const TrimTarget& target) {
  return Matching(grid, target).solve();
}

BoxValues box_values(double w, double h, double t) {
  const double a = w - t, b = h - t, wi = w - 2 * t, hi = h - 2 * t;
  BoxValues v{};
  v.area = w * h - wi * hi;
  v.I_height = (w * h * h * h - wi * hi * hi * hi) / 12;
  v.I_width = (h * w * w * w - hi * wi * wi * wi) / 12;
  v.torsion = 2 * t * a * a * b * b / (a + b);
  v.shear_height = 2 * t * b / v.area;
  v.shear_width = 2 * t * a / v.area;
  return v;
}

}  // namespace monocoque::body
