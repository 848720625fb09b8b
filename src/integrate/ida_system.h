#pragma once
// The equations that IDA solves, as plain arrays: y = (x, z, c, lambda, w [, mu]), their residual and
// Jacobian in the sparse layout of the model. Signs and levels: ida_method.h.

#include <memory>
#include <utility>
#include <vector>

#include "dynamics/assembly.h"
#include "integrate/integrator.h"
#include "solve/linear_solver.h"

namespace monocoque {

class IdaSystem {
 public:
  IdaSystem(Workspace& workspace, const io::SimulationSpec& spec);

  void load(double t, const double* y);  ///< into state
  void store(State& s, const double* y) const;
  bool residual(double t, const double* y, const double* rate, double* out);  ///< false: not finite
  void jacobian(double cj, double t, const double* y, const double* rate);    ///< dR/dy + cj dR/dy_dot

  Workspace& ws;
  const Model& model;
  const ConstraintLevel level;
  const bool stabilised;
  int z0, c0, l0, w0, m0, n;  ///< where the groups of y begin; its size
  State state;
  BlockMatrix matrix;
  std::unique_ptr<LinearSolver> solver;

 private:
  void build_pattern(const io::SimulationSpec& settings);
  void copy_blocks(double cj);
  void add_stabilisation(const std::vector<Mat34>& E);
  void kinematic_blocks(double cj);

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
