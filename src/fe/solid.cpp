#include "fe/solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "core/decompositions.h"

namespace monocoque::fe {
namespace {

/// With room for the incompatible modes of brick8: 11 "nodes"; brick20 has none.
using Work =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMaxElementDofs, kMaxElementDofs>;

Mat3 jacobian(const ElementData& e, const SolidShape& shape, const Gradients& dN) {
  Mat3 J = Mat3::Zero();
  for (int i = 0; i < shape.nodes; ++i) J += dN.col(i) * e.p[static_cast<std::size_t>(i)].transpose();
  return J;
}

struct Centre {
  Mat3 inverse;
  double j = 0;
};

/// Gradients in basic axes of nodes and modes at one point; returns the Jacobian determinant.
double gradients_at(const ElementData& e, const SolidShape& shape, const Centre& centre, const Vec3& xi,
                    Gradients& g) {
  Gradients dN(3, shape.nodes);
  shape.gradients(xi, dN);
  const Mat3 J = jacobian(e, shape, dN);
  const double j = J.determinant();
  g.resize(3, shape.nodes + shape.modes);
  g.leftCols(shape.nodes).noalias() = J.inverse() * dN;
  if (shape.modes > 0) {
    Gradients dP(3, shape.modes);
    shape.mode_gradients(xi, dP);
    g.rightCols(shape.modes).noalias() = (centre.j / j) * (centre.inverse * dP);
  }
  return j;
}

Centre centre_of(const ElementData& e, const SolidShape& shape) {
  Gradients dN(3, shape.nodes);
  shape.gradients(shape.centre, dN);
  const Mat3 J = jacobian(e, shape, dN);
  return {J.inverse(), J.determinant()};
}

Fault check(const ElementData& e, const SolidShape& shape) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  Gradients dN(3, shape.nodes);
  const auto look = [&](const Vec3& xi) {
    shape.gradients(xi, dN);
    const double j = jacobian(e, shape, dN).determinant();
    least = std::isnan(j) ? j : std::min(least, j);
    largest = std::max(largest, std::abs(j));
  };
  for (const SolidPoint& p : shape.stiffness) look(p.xi);
  // Corners of linear kinds too: negative there means a fold.
  if (!shape.quadratic) {
    for (const Vec3& xi : shape.corners) look(xi);
  }
  if (!(least > 1e-12 * largest)) {
    return {"smallest Jacobian determinant (m^3)", least, "it must be > 0",
            "check the order of its nodes, or repair the mesh there"};
  }
  return {};
}

/// Eliminates the modes, which come last.
Work condense(const Work& K, int nodes, int modes) {
  const int n = 3 * nodes, m = 3 * modes;
  if (m == 0) return K;
  const Work Kmm = K.bottomRightCorner(m, m), Kmn = K.bottomLeftCorner(m, n);
  return K.topLeftCorner(n, n) - Kmn.transpose() * (Kmm.inverse() * Kmn);
}

void mass_matrix(const ElementData& e, const SolidShape& shape, MassKind kind, ElementMatrix& M) {
  const int n = shape.nodes;
  Eigen::Matrix<double, kMaxElementNodes, kMaxElementNodes> NN;
  NN.setZero();
  Gradients dN(3, n);
  double N[kMaxElementNodes], total = 0;
  for (const SolidPoint& p : shape.mass) {
    shape.values(p.xi, N);
    shape.gradients(p.xi, dN);
    const double w = p.weight * e.material.density_kg_per_m3 * jacobian(e, shape, dN).determinant();
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) NN(i, j) += w * N[i] * N[j];
    }
    total += w;
  }
  M.setZero(3 * n, 3 * n);
  const double trace = NN.trace();
  for (int i = 0; i < n; ++i) {
    if (kind == MassKind::lumped) {
      const double m = shape.quadratic ? (trace > 0 ? NN(i, i) * total / trace : 0) : NN.row(i).head(n).sum();
      M.block<3, 3>(3 * i, 3 * i).diagonal().setConstant(m);
      continue;
    }
    for (int j = 0; j < n; ++j) M.block<3, 3>(3 * i, 3 * j).diagonal().setConstant(NN(i, j));
  }
}

struct Lame {
  double lambda, mu;
};

Lame lame(const io::FeMaterial& m) {
  return {m.young_Pa * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson)),
          m.young_Pa / (2 * (1 + m.poisson))};
}

void add_stiffness(const Gradients& g, double lambda, double mu, Work& K) {
  const Eigen::Index n = g.cols();
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      Mat3 block = lambda * g.col(i) * g.col(j).transpose() + mu * g.col(j) * g.col(i).transpose();
      block.diagonal().array() += mu * g.col(i).dot(g.col(j));
      K.block<3, 3>(3 * i, 3 * j) += block;
    }
  }
}

Work full_stiffness(const ElementData& e, const SolidShape& shape, const Centre& centre) {
  const int all = shape.nodes + shape.modes;
  const Lame c = lame(e.material);
  Work K = Work::Zero(3 * all, 3 * all);
  Gradients g;
  for (const SolidPoint& p : shape.stiffness) {
    const double w = p.weight * gradients_at(e, shape, centre, p.xi, g);
    add_stiffness(g, w * c.lambda, w * c.mu, K);
  }
  for (int j = 0; j < 3 * all; ++j) {
    for (int i = 0; i < j; ++i) K(j, i) = K(i, j);
  }
  return K;
}

}  // namespace

const SolidShape& solid_shape(io::ElementKind kind) {
  const auto ready = [](SolidShape shape) {
    shape.extrapolation = extrapolate(shape);
    return shape;
  };
  static const SolidShape shapes[5] = {ready(make_tet4()), ready(make_tet10()), ready(make_wedge6()),
                                       ready(make_brick8()), ready(make_brick20())};
  return shapes[static_cast<int>(kind) - static_cast<int>(io::ElementKind::tet4)];
}

MatX extrapolate(const SolidShape& shape) {
  const int points = static_cast<int>(shape.stiffness.size());
  const auto terms = [&](const Vec3& x) {
    VecX t(points >= 8 ? 8 : points >= 6 ? 6 : points >= 4 ? 4 : 1);
    t[0] = 1;
    if (t.size() >= 4) t.segment<3>(1) = x;
    if (t.size() == 6) t.tail<2>() << x[0] * x[2], x[1] * x[2];  // wedge
    if (t.size() == 8) t.tail<4>() << x[0] * x[1], x[1] * x[2], x[2] * x[0], x.prod();
    return t;
  };
  const int n = static_cast<int>(terms(Vec3::Zero()).size());
  MatX at_points(points, n), at_nodes(shape.nodes, n);
  for (int k = 0; k < points; ++k) at_points.row(k) = terms(shape.stiffness[static_cast<std::size_t>(k)].xi);
  for (int k = 0; k < shape.nodes; ++k) at_nodes.row(k) = terms(shape.corners[static_cast<std::size_t>(k)]);
  return at_nodes * at_points.completeOrthogonalDecomposition().pseudoInverse();
}

std::vector<SolidPoint> gauss_box(int n) {
  const double a = 1 / std::sqrt(3.0), b = std::sqrt(0.6);
  const std::vector<double> x = n == 2 ? std::vector<double>{-a, a} : std::vector<double>{-b, 0, b};
  const std::vector<double> w =
      n == 2 ? std::vector<double>{1, 1} : std::vector<double>{5.0 / 9, 8.0 / 9, 5.0 / 9};
  std::vector<SolidPoint> out;
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (std::size_t i = 0; i < x.size(); ++i) out.push_back({Vec3(x[i], x[j], x[k]), w[i] * w[j] * w[k]});
    }
  }
  return out;
}

Fault solid_matrices(const ElementData& e, MassKind mass, ElementMatrices& out) {
  const SolidShape& shape = solid_shape(e.kind);
  if (const Fault fault = check(e, shape)) return fault;
  const Centre centre = centre_of(e, shape);
  out.K = condense(full_stiffness(e, shape, centre), shape.nodes, shape.modes);
  mass_matrix(e, shape, mass, out.M);
  return {};
}

Fault solid_stress(const ElementData& e, StressMatrix& out) {
  const SolidShape& shape = solid_shape(e.kind);
  if (const Fault fault = check(e, shape)) return fault;
  const Centre centre = centre_of(e, shape);
  const Lame c = lame(e.material);
  const int n = 3 * shape.nodes, m = 3 * shape.modes, all = n + m;
  // Amplitudes of the modes that belong to the nodal displacements.
  Work modes;
  if (m > 0) {
    const Work K = full_stiffness(e, shape, centre);
    const Work Kmm = K.bottomRightCorner(m, m);
    modes = -(Kmm.inverse() * K.bottomLeftCorner(m, n));
  }
  out.setZero(6 * shape.nodes, n);
  Gradients g;
  using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxElementDofs>;
  constexpr int row[3] = {0, 1, 2}, col[3] = {1, 2, 0};
  for (std::size_t k = 0; k < shape.stiffness.size(); ++k) {
    gradients_at(e, shape, centre, shape.stiffness[k].xi, g);
    Rows S = Rows::Zero(6, all);
    for (int i = 0; i < all / 3; ++i) {
      for (int a = 0; a < 3; ++a) {
        S.col(3 * i + a).head<3>().setConstant(c.lambda * g(a, i));
        S(a, 3 * i + a) += 2 * c.mu * g(a, i);
        S(3 + a, 3 * i + row[a]) += c.mu * g(col[a], i);
        S(3 + a, 3 * i + col[a]) += c.mu * g(row[a], i);
      }
    }
    Rows nodal = S.leftCols(n);
    if (m > 0) nodal += S.rightCols(m) * modes;
    for (int i = 0; i < shape.nodes; ++i) {
      out.middleRows<6>(6 * i) += shape.extrapolation(i, static_cast<Eigen::Index>(k)) * nodal;
    }
  }
  return {};
}

}  // namespace monocoque::fe
