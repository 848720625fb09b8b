#include "reduce/reduce_body.h"

#include <cmath>

#include <algorithm>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error.h"
#include "reduce/clock.h"
#include "reduce/sid_from_modes.h"
#include "reduce/symmetric_product.h"

namespace monocoque::reduce {

namespace {

using Eigen::Index;

constexpr const char* kComponentNames[] = {"u_x", "u_y", "u_z", "theta_x", "theta_y", "theta_z"};

void require_stiff(const FeSystem& fe, const NodeMap& map, NodeComponent c) {
  const auto node = static_cast<std::size_t>(c.node);
  const bool stiff = fe.stiff.empty() || fe.stiff[node][static_cast<std::size_t>(c.component)];
  if (map.exists(c) && stiff) return;
  throw Error(
      fmt::format("node {}", fe.node_ids[node]),
      fmt::format("{} has no stiffness, a joint cannot hold it", kComponentNames[c.component]),
      c.component < 3
          ? "choose a node that elements are attached to, or attach this one by RBE2 or RBE3"
          : "hold translations only (:123), or attach the node to others by a rigid element (RBE2, RBE3)");
}

/// Boundary and interface nodes by id, checked.
void find_nodes(const FeSystem& fe, const NodeMap& map, const ReduceOptions& o, ReducedBody& body) {
  for (const BoundaryNode& b : o.boundary) {
    const int node = map.node_of(b.id);
    if (std::find(body.boundary.begin(), body.boundary.end(), node) != body.boundary.end())
      throw Error(fmt::format("node {}", b.id), "is named twice among the boundary nodes", "name it once");
    body.boundary.push_back(node);
    for (int c = 0; c < 6; ++c)
      if (b.components & (1U << static_cast<unsigned>(c))) {
        require_stiff(fe, map, {node, c});
        body.boundary_components.push_back({node, c});
      }
  }
  for (const long id : o.interface_nodes) {
    const int node = map.node_of(id);
    const auto taken = [&](const std::vector<int>& v) {
      return std::find(v.begin(), v.end(), node) != v.end();
    };
    if (taken(body.boundary) || taken(body.interface_nodes)) continue;
    for (int c = 0; c < 3; ++c) require_stiff(fe, map, {node, c});
    if (!map.exists({node, 3}) && !map.exists({node, 4}) && !map.exists({node, 5}))
      body.notes.push_back(fmt::format("node {} has no rotations: joints there must leave them free", id));
    body.interface_nodes.push_back(node);
  }
}

/// Components through which forces enter: the boundary's and the interface nodes' translations.
std::vector<NodeComponent> inputs_of(const ReducedBody& body) {
  std::vector<NodeComponent> inputs = body.boundary_components;
  for (const int node : body.interface_nodes)
    for (int c = 0; c < 3; ++c) inputs.push_back({node, c});
  return inputs;
}

CholeskyOptions cholesky_options(const ReduceOptions& o, const char* what, const char* remedy) {
  CholeskyOptions c;
  c.log = o.log;
  c.memory_limit_bytes = o.memory_limit_bytes;
  c.what = what;
  c.remedy_if_indefinite = remedy;
  return c;
}

ModeOptions mode_options(const ReduceOptions& o) {
  ModeOptions m;
  m.count = o.modes;
  m.frequency_limit_Hz = o.frequency_limit_Hz;
  m.memory_limit_bytes = o.memory_limit_bytes;
  m.log = o.log;
  return m;
}

/// Rounding may let a singular matrix pass the factorisation, so what the boundary holds is counted
/// beforehand.
void require_held(const FeSystem& fe, const NodeMap& map, const ReducedBody& body) {
  const Vec3 at = fe.positions[static_cast<std::size_t>(body.boundary[0])];
  MatX rigid = map.forms(body.boundary_components) * map.rigid_motions(at);
  double size = 0;
  for (const Vec3& p : fe.positions) size = std::max(size, (p - at).norm());
  if (size > 0) rigid.rightCols(3) /= size;
  Eigen::ColPivHouseholderQR<MatX> qr(rigid);
  qr.setThreshold(1e-6);
  if (qr.rank() < 6)
    throw Error(
        "boundary nodes", fmt::format("they leave {} of six rigid motions free", 6 - qr.rank()),
        "they must hold the body: three nodes not on one line, or one with rotations (ID:123456); or take "
        "attachment and free modes, which need no support");
}

/// The columns, static ones first; not orthogonal, rigid motions still inside.
class RawBasis {
 public:
  RawBasis(const FeSystem& fe, const NodeMap& map, const ReduceOptions& o, ReducedBody& body)
      : fe_(fe), map_(map), o_(o), body_(body) {}

  MatX build() {
    const bool boundary = !body_.boundary_components.empty();
    if ((o_.statics != StaticModes::none || o_.dynamics == DynamicModes::held) && !boundary)
      throw Error("reduction of '" + o_.name + "'", "no boundary nodes are given",
                  "name some, or take free modes and no static ones");
    if (o_.statics == StaticModes::constraint || o_.dynamics == DynamicModes::held) with_held_boundary();
    if (o_.statics == StaticModes::attachment || o_.dynamics == DynamicModes::krylov) with_free_body();
    if (o_.dynamics == DynamicModes::free) free_modes();
    if (columns_.cols() == 0)
      throw Error("reduction of '" + o_.name + "'", "the basis is empty", "ask for modes");
    return std::move(columns_);
  }

 private:
  void append(const MatX& more, int& count) {
    count += static_cast<int>(more.cols());
    const Index before = columns_.cols();
    columns_.conservativeResize(fe_.size(), before + more.cols());
    columns_.rightCols(more.cols()) = more;
  }

  void note_cost(const SparseCholesky& cholesky) {
    body_.cholesky_s += cholesky.seconds();
    if (cholesky.cost().memory_bytes > body_.cost.memory_bytes) body_.cost = cholesky.cost();
  }

  void with_held_boundary() {
    require_held(fe_, map_, body_);
    const ConstrainedSolver solver(
        fe_, 0, map_.forms(body_.boundary_components),
        cholesky_options(o_, "the stiffness with held boundary",
                         "a part is loose or a mechanism is left: see `monocoque modes`"));
    note_cost(solver.cholesky());
    if (o_.statics == StaticModes::constraint) append(solver.constraint_modes(), body_.static_count);
    if (o_.dynamics == DynamicModes::held && o_.modes > 0) {
      const Modes modes = held_modes(fe_, map_, solver, mode_options(o_));
      body_.modes_s += modes.lanczos_s;
      append(modes.shapes, body_.dynamic_count);
    }
  }

  void with_free_body() {
    const ConstrainedSolver solver(
        fe_, 0, determinate_support(fe_, map_),
        cholesky_options(o_, "the stiffness of the body held at three nodes",
                         "a part is loose or a mechanism is left: see `monocoque modes`"));
    note_cost(solver.cholesky());
    // Balanced loads need no support; the rigid part of the answer leaves with the orthonormalisation.
    const auto solve = [&](const MatX& F) { return solver.solve_penalised(balanced_loads(fe_, map_, F)); };
    if (o_.statics == StaticModes::attachment)
      append(solve(MatX(map_.forms(body_.boundary_components).transpose())), body_.static_count);
    if (o_.dynamics == DynamicModes::krylov)
      append(krylov_basis(fe_, solve, MatX(map_.forms(inputs_of(body_)).transpose()), o_.krylov_order),
             body_.dynamic_count);
  }

  void free_modes() {
    const Modes modes = eigenmodes(fe_, map_, mode_options(o_));
    body_.cholesky_s += modes.factor_s;
    body_.modes_s += modes.lanczos_s;
    if (modes.cost.memory_bytes > body_.cost.memory_bytes) body_.cost = modes.cost;
    append(modes.shapes.rightCols(modes.shapes.cols() - modes.rigid), body_.dynamic_count);
  }

  const FeSystem& fe_;
  const NodeMap& map_;
  const ReduceOptions& o_;
  ReducedBody& body_;
  MatX columns_;
};

std::vector<int> indices_of(const std::vector<int>& numbers, Index available) {
  std::vector<int> indices;
  for (const int n : numbers) {
    if (n < 1 || n > available)
      throw Error("modes", fmt::format("number {} is not among the {} elastic coordinates", n, available),
                  "they count from 1, without the rigid ones");
    indices.push_back(n - 1);
  }
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

void choose_coordinates(const NodeMap& map, const ReduceOptions& o, ReducedBody& body) {
  if (!o.numbers.empty()) body.basis = selected(body.basis, indices_of(o.numbers, body.basis.omega2.size()));
  if (o.error_bound <= 0 && o.further_krylov_order <= 0) return;
  const MatX B = (map.forms(inputs_of(body)) * body.basis.Phi).transpose();
  if (B.cols() == 0)
    throw Error("reduction of '" + o.name + "'", "an error bound needs boundary or interface nodes",
                "name some");
  if (o.error_bound > 0) {
    if (!(o.band_Hz > 0))
      throw Error("reduction of '" + o.name + "'", "an error bound needs the band it holds for",
                  "give a frequency");
    const auto before = body.basis.omega2.size();
    body.basis = selected(body.basis, important_coordinates(body.basis.omega2, B, o.band_Hz, o.error_bound));
    say(o.log, fmt::format("{} of {} coordinates kept for an error of {:.2g} up to {:.4g} Hz",
                           body.basis.omega2.size(), before, o.error_bound, o.band_Hz));
  }
  if (o.further_krylov_order > 0) {
    const MatX inputs = (map.forms(inputs_of(body)) * body.basis.Phi).transpose();
    body.basis = krylov_reduced(body.basis, inputs, o.further_krylov_order, o.further_shifts_Hz);
  }
}

}  // namespace

ReducedBody reduce_body(const FeSystem& fe, const NodeMap& map, const ReduceOptions& o) {
  const Clock::time_point start = Clock::now();
  ReducedBody body;
  find_nodes(fe, map, o, body);
  if (const double defect = map.rigid_defect(); defect > kRigidDefect)
    throw Error("reduction of '" + o.name + "'", "supports or springs to the ground hold the mesh",
                "take the supports out of the mesh: joints of the mechanism hold the body");
  body.basis = orthonormal_basis(fe, map, RawBasis(fe, map, o, body).build());
  say(o.log, fmt::format("basis: {} static and {} dynamic shapes, {} left without rigid motions",
                         body.static_count, body.dynamic_count, body.basis.omega2.size()));
  choose_coordinates(map, o, body);

  const FrameChange frame = apply_frame(fe, map, body.basis, o.frame);
  body.Phi = frame.Phi;
  const Clock::time_point sid_start = Clock::now();
  SidInput in;
  in.name = o.name;
  in.Phi = frame.Phi;
  in.Ke = frame.omega2.asDiagonal();
  const VecX D = damping_of(body.basis.omega2, o.damping);
  if (D.cwiseAbs().maxCoeff() > 0) in.De = frame.V.transpose() * D.asDiagonal() * frame.V;
  for (Index i = 0; i < frame.omega2.size(); ++i)
    in.names.push_back(fmt::format("Eigen Mode {:4} : {:10.3f} Hz", i + 1,
                                   std::sqrt(std::max(frame.omega2[i], 0.0)) / (2 * std::numbers::pi)));
  in.retained = body.boundary;
  in.retained.insert(in.retained.end(), body.interface_nodes.begin(), body.interface_nodes.end());
  in.origin_m = o.origin_m;
  in.second_order = o.second_order;
  body.sid = sid_from_modes(fe, map, in);
  body.sid_s = seconds_since(sid_start);
  body.total_s = seconds_since(start);
  return body;
}

}  // namespace monocoque::reduce
