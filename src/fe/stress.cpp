#include "fe/stress.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/index.h"
#include "fe/items.h"
#include "fe/unknowns.h"

namespace monocoque {
namespace {

fe::StressMatrix matrix_of(const io::FeMesh& mesh, int element) {
  fe::StressMatrix S;
  if (const fe::Fault fault = fe::element_stress(fe::element_data(mesh, element), S)) {
    Diagnostics diagnostics;
    fe::report(mesh, element, fault, diagnostics);
    diagnostics.throw_if_errors();
  }
  return S;
}

VecX element_motion(const io::FeMesh& mesh, const io::FeElement& e, const VecX& motion) {
  const int n = io::node_count(e.kind), per_node = fe::dofs_per_node(e.kind);
  VecX d(n * per_node);
  for (int i = 0; i < n; ++i)
    d.segment(per_node * i, per_node) = motion.segment(6 * mesh.nodes_of(e)[i], per_node);
  return d;
}

bool has_tensor(io::ElementKind kind) {
  return fe::is_solid(kind) || fe::is_shell(kind);
}

template <class Visit>
void for_elements(const io::FeMesh& mesh, const std::vector<int>& chosen, const Visit& visit) {
  if (!chosen.empty()) {
    for (const int e : chosen) visit(e);
    return;
  }
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) visit(e);
}

}  // namespace

std::vector<CornerStress> corner_stresses(const io::FeMesh& mesh, const VecX& motion,
                                          const std::vector<int>& elements) {
  std::vector<CornerStress> out;
  for_elements(mesh, elements, [&](int index) {
    const io::FeElement& e = mesh.elements[at(index)];
    if (!has_tensor(e.kind)) return;
    const VecX s = matrix_of(mesh, index) * element_motion(mesh, e, motion);
    const int n = io::node_count(e.kind);
    for (int i = 0; i < n; ++i) {
      CornerStress c{index, mesh.nodes_of(e)[i], s.segment<6>(6 * i), s.segment<6>(6 * i)};
      if (fe::is_shell(e.kind)) c.bottom = s.segment<6>(6 * (n + i));
      out.push_back(c);
    }
  });
  return out;
}

std::vector<SectionForces> section_forces(const io::FeMesh& mesh, const VecX& motion,
                                          const std::vector<int>& elements) {
  std::vector<SectionForces> out;
  for_elements(mesh, elements, [&](int index) {
    const io::FeElement& e = mesh.elements[at(index)];
    if (has_tensor(e.kind)) return;
    const VecX s = matrix_of(mesh, index) * element_motion(mesh, e, motion);
    for (int i = 0; i < io::node_count(e.kind); ++i)
      out.push_back({index, mesh.nodes_of(e)[i], s.segment<6>(6 * i)});
  });
  return out;
}

double extreme_fibre_stress(const io::BeamSection& section, const Vec6& force, double y_m, double z_m) {
  // sigma = N/A + E (z kappa_y - y kappa_z), curvatures from both moments.
  const double det = section.I_y_m4 * section.I_z_m4 - section.I_yz_m4 * section.I_yz_m4;
  double worst = 0;
  for (const double y : {-y_m, y_m}) {
    for (const double z : {-z_m, z_m}) {
      double s = force[0] / section.area_m2;
      if (det > 0) {
        const double kappa_y = (section.I_z_m4 * force[4] + section.I_yz_m4 * force[5]) / det;
        const double kappa_z = (section.I_yz_m4 * force[4] + section.I_y_m4 * force[5]) / det;
        s += z * kappa_y - y * kappa_z;
      }
      worst = std::max(worst, std::abs(s));
    }
  }
  return worst;
}

SparseMatrix nodal_stress_matrix(const io::FeMesh& mesh, const std::vector<int>& nodes, Surface surface) {
  std::vector<int> place(mesh.nodes.size(), -1), count(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) place[at(nodes[i])] = static_cast<int>(i);
  const auto visit = [&](const auto& use) {
    for (int index = 0; index < static_cast<int>(mesh.elements.size()); ++index) {
      const io::FeElement& e = mesh.elements[at(index)];
      if (!has_tensor(e.kind)) continue;
      for (int i = 0; i < io::node_count(e.kind); ++i) {
        if (place[at(mesh.nodes_of(e)[i])] >= 0) use(index, e, i, place[at(mesh.nodes_of(e)[i])]);
      }
    }
  };
  visit([&](int, const io::FeElement&, int, int row) { ++count[at(row)]; });
  std::vector<Eigen::Triplet<double>> triplets;
  fe::StressMatrix S;
  int last = -1;
  visit([&](int index, const io::FeElement& e, int i, int row) {
    if (index != last) S = matrix_of(mesh, index);
    last = index;
    const int n = io::node_count(e.kind), per_node = fe::dofs_per_node(e.kind);
    const int first = 6 * (fe::is_shell(e.kind) && surface == Surface::bottom ? n + i : i);
    for (int c = 0; c < S.cols(); ++c) {
      const int column = 6 * mesh.nodes_of(e)[c / per_node] + c % per_node;
      for (int r = 0; r < 6; ++r)
        triplets.emplace_back(6 * row + r, column, S(first + r, c) / count[at(row)]);
    }
  });
  SparseMatrix out(6 * static_cast<int>(nodes.size()), 6 * static_cast<int>(mesh.nodes.size()));
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

MatX modal_stress(const io::FeMesh& mesh, const FeSystem& system, const MatX& modes,
                  const std::vector<int>& nodes, Surface surface) {
  const SparseMatrix recovery = nodal_stress_matrix(mesh, nodes, surface) * system.to_nodes;
  return recovery * modes;
}

}  // namespace monocoque
