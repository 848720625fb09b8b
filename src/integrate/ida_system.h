#pragma once
// The equations that IDA solves, as plain arrays: y = (x, z, c, lambda, w [, mu]), their residual and
// Jacobian in the sparse layout of the model. Signs and levels: ida_method.h.

#include <memory>
#include <utility>
#include <vector>

#include "dynamics/assembly.h"
#include "integrate/ida_equations.h"
#include "solve/linear_solver.h"

namespace monocoque {

class IdaSystem final : public IdaEquations {
 public:
  IdaSystem(Workspace& workspace, const io::SimulationSpec& spec);

  int size() const override { return n; }
  int algebraic_start() const override { return l0; }
  int stabilisation_start() const override { return m0; }
  void pack(const State& s, const VecX& z_dot, const VecX& c_dot, VecRef y, VecRef rate) const override;
  void load(double t, const double* y, State& s) const override;
  bool residual(double t, const double* y, const double* rate, double* out) override;
  bool factor(double cj, double t, const double* y, const double* rate) override;
  void solve(VecRef rhs) override { solver->solve(rhs); }
  void set_memory(const VecX& r) override { state.r = r; }

  Workspace& ws;
  const Model& model;
  const ConstraintLevel level;
  const bool stabilised;
  int z0, c0, l0, w0, m0, n;  ///< where the groups of y begin; its size

 private:
  void build_pattern(const io::SimulationSpec& settings);
  void copy_blocks(double cj);
  void add_stabilisation(const std::vector<Mat34>& E);
  void kinematic_blocks(double cj);

  void jacobian(double cj, double t, const double* y, const double* rate);

  State state;
  BlockMatrix matrix;
  std::unique_ptr<LinearSolver> solver;
  SystemLayout layout;  // tangents in the layout of the fixed-step methods, then copied
  BlockMatrix tangents;
  std::unique_ptr<BlockPattern> pattern;
  std::vector<int> row_block;                // block of the small layout -> row block here
  std::vector<int> x_block;                  // per part block: its x block here
  std::vector<std::pair<int, int>> coupled;  // blocks (i, j) present in the small layout
  std::vector<int> mu_block;
  VecX z_dot, mu_force, scratch;
};

}  // namespace monocoque
