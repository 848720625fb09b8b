#pragma once
// What every finite element has in common: its data, its matrices, its stress recovery.
//   element energy 1/2 d^T K d, 1/2 d_dot^T M d_dot; d = (u_1[, theta_1], u_2[, theta_2], ...) in basic axes,
//   SI.
// Solids have u only, all other kinds (u, theta); theta is the small rotation vector of the node.
// Every element is linear, isotropic, and strains not at all under rigid motion.

#include <array>

#include "core/types.h"
#include "fe/fe_system.h"
#include "io/mesh/fe_mesh.h"

namespace monocoque::fe {

constexpr int kMaxElementNodes = 20;
constexpr int kMaxElementDofs = 60;
/// Resizable without the heap.
using ElementMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMaxElementDofs, kMaxElementDofs>;
/// Six numbers per recovery point, one row each.
using StressMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 120, kMaxElementDofs>;

struct ElementData {
  io::ElementKind kind = io::ElementKind::tet4;
  std::array<Vec3, kMaxElementNodes> p;
  io::FeMaterial material;
  io::BeamSection beam;
  io::ShellSection shell;
  io::BeamPlacement placement;
  double drilling = 1e-3;  ///< of G t, see shell4.h
};

/// Why an element cannot be computed; no quantity: it can.
struct Fault {
  const char* quantity = nullptr;
  double value = 0;
  const char* rule = "";
  const char* remedy = "";
  explicit operator bool() const { return quantity != nullptr; }
};

struct ElementMatrices {
  ElementMatrix K, M;
};

const char* kind_name(io::ElementKind kind);
bool is_solid(io::ElementKind kind);
bool is_shell(io::ElementKind kind);
inline int dofs_per_node(io::ElementKind kind) {
  return is_solid(kind) ? 3 : 6;
}

/// Isotropic constants; the shear modulus follows from E and nu when the material has none.
double shear_modulus(const io::FeMaterial& material);

Fault element_matrices(const ElementData& e, MassKind mass, ElementMatrices& out);

/// Rows of the stress matrix, six per point:
///   solids: (xx yy zz xy yz zx) at every node;
///   shells: the same on the top surface of every corner, then on the bottom surface of every corner;
///   beams and rods: (N, V_y, V_z, M_x, M_y, M_z) in element axes at every node.
/// Tensors are in basic axes. Top is the side of the normal.
Fault element_stress(const ElementData& e, StressMatrix& out);
int stress_points(io::ElementKind kind);

/// (u, theta) at the node to (u, theta) at node + arm: u + theta x arm.
Mat6 rigid_arm(const Vec3& arm);

}  // namespace monocoque::fe
