#include "fe/assembled_system.h"

#include <fmt/format.h>

#include "core/error.h"
#include "fe/rigid_body.h"

namespace monocoque {
namespace {

constexpr const char* kNames[] = {"u_x", "u_y", "u_z", "theta_x", "theta_y", "theta_z"};

SparseMatrix both_triangles(const std::vector<io::MatrixEntry>& entries, int size) {
  std::vector<Eigen::Triplet<double>> list;
  list.reserve(2 * entries.size());
  for (const io::MatrixEntry& e : entries) {
    list.emplace_back(e.row, e.column, e.value);
    if (e.row != e.column) list.emplace_back(e.column, e.row, e.value);
  }
  SparseMatrix A(size, size);
  A.setFromTriplets(list.begin(), list.end());
  return A;
}

void check_diagonal(const io::AssembledMatrices& m, const VecX& K, const VecX& M, const std::string& file) {
  Diagnostics diagnostics;
  for (int i = 0; i < m.size() && diagnostics.error_count() < 20; ++i) {
    const auto& row = m.rows[static_cast<std::size_t>(i)];
    const std::string where =
        fmt::format("node {} {}", m.nodes[static_cast<std::size_t>(row.node)].id, kNames[row.component]);
    if (K[i] < 0 || M[i] < 0)
      diagnostics.error({file, 0}, where,
                        fmt::format("the diagonal of {} is {:.6g} in row {}, it must be >= 0",
                                    K[i] < 0 ? "stiffness" : "mass", K[i] < 0 ? K[i] : M[i], i + 1),
                        "check that both matrices and the map belong together");
    else if (K[i] == 0 && M[i] == 0)
      diagnostics.error({file, 0}, where, fmt::format("row {} has neither stiffness nor mass", i + 1),
                        "leave the row out of both matrices and of the map");
  }
  diagnostics.throw_if_errors();
}

}  // namespace

FeSystem system_of(const io::AssembledMatrices& m, const std::string& file) {
  FeSystem fe;
  for (const io::FeNode& n : m.nodes) {
    fe.node_ids.push_back(n.id);
    fe.positions.push_back(n.p);
  }
  fe.K = both_triangles(m.K, m.size());
  fe.M = both_triangles(m.M, m.size());
  const VecX stiffness = fe.K.diagonal();
  check_diagonal(m, stiffness, fe.M.diagonal(), file);
  fe.stiff.assign(m.nodes.size(), {});
  fe.to_nodes.resize(6 * static_cast<Eigen::Index>(m.nodes.size()), m.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < m.size(); ++i) {
    const auto& row = m.rows[static_cast<std::size_t>(i)];
    entries.emplace_back(6 * row.node + row.component, i, 1);
    fe.unknowns.push_back({row.node, Vec6::Unit(row.component)});
    fe.stiff[static_cast<std::size_t>(row.node)][static_cast<std::size_t>(row.component)] = stiffness[i] > 0;
  }
  fe.to_nodes.setFromTriplets(entries.begin(), entries.end());
  fe.mesh_mass_kg = mass_properties(fe).mass_kg;
  if (!(fe.mesh_mass_kg > 0))
    throw Error(Place{file, 0}, "mass matrix",
                fmt::format("the mass is {:.6g} kg, it must be > 0", fe.mesh_mass_kg),
                "give the material a density in the other program");
  return fe;
}

}  // namespace monocoque
