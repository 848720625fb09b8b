#include "integrate/ida_method.h"

#include <algorithm>
#include <cmath>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "core/rotation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "integrate/bridge.h"

namespace monocoque {

namespace {
constexpr int kMaxBridges = 100;  ///< in one call: singular positions in a row
constexpr double kNormPull = 10;  ///< 1/s, rate at which a quaternion returns to unit length
std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}
}  // namespace

struct IdaMethod::Impl {
  Impl(Workspace& workspace, const io::SimulationSpec& spec);
  ~Impl();

  int residual(double t, N_Vector y, N_Vector yp, N_Vector r);
  int jacobian(double cj, double t, N_Vector y, N_Vector yp);
  void load(double t, N_Vector y);
  void store(State& s, N_Vector y) const;
  void build_pattern();
  void copy_blocks(double cj);
  void kinematic_blocks(double cj);
  void follow_memory();
  int march(double t);
  void add_counts();

  Workspace& ws;
  const Model& model;
  io::SimulationSpec settings;
  ConstraintLevel level;
  bool stabilised;
  int x0 = 0, z0, c0, l0, w0, m0, n;
  AccelerationSystem start_system;
  Bridge bridge;
  SystemLayout layout;  // tangents in the layout of the fixed-step methods, then copied
  BlockMatrix tangents;
  std::unique_ptr<BlockPattern> pattern;
  BlockMatrix matrix;
  std::unique_ptr<LinearSolver> solver;
  std::vector<int> row_block;                // block of the small layout -> row block here
  std::vector<int> x_block;                  // per part block: its x block here
  std::vector<std::pair<int, int>> coupled;  // blocks (i, j) present in the small layout
  std::vector<int> mu_block;
  State state;
  VecX z_dot, mu_force, scratch;
  IntegratorCounts* counts = nullptr;
  IntegratorCounts before;  // the last start

  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector y = nullptr, yp = nullptr, id = nullptr, tolerances = nullptr;
  SUNMatrix sun_matrix = nullptr;
  SUNLinearSolver sun_solver = nullptr;
  bool initialised = false, start_failed = false;
  bool has_memory = false;  // some joint counts turns or follows a curve
  double reached = 0;       // time of the last internal step
};

namespace {

extern "C" {
static SUNMatrix_ID matrix_id(SUNMatrix) {
  return SUNMATRIX_CUSTOM;
}
static int matrix_zero(SUNMatrix) {
  return 0;
}
static SUNLinearSolver_Type solver_type(SUNLinearSolver) {
  return SUNLINEARSOLVER_DIRECT;
}
static int solver_initialize(SUNLinearSolver) {
  return 0;
}
static int solver_free(SUNLinearSolver) {
  return 0;
}
static void quiet(int, const char*, const char*, char*, void*) {}
}

}  // namespace

IdaMethod::Impl::Impl(Workspace& workspace, const io::SimulationSpec& spec)
    : ws(workspace),
      model(workspace.model),
      settings(spec),
      level(spec.constraints == kIndex1 ? ConstraintLevel::acceleration : ConstraintLevel::velocity),
      stabilised(spec.constraints == kStabilised),
      start_system(model, linear_solver_kind(spec.linear_solver)),
      bridge(workspace, spec),
      layout(model, SystemKind::iteration, false),
      tangents(layout.pattern()),
      state(initial_state(model)) {
  z0 = model.nx;
  c0 = z0 + model.nz;
  l0 = c0 + model.nc;
  w0 = l0 + model.nlambda;
  m0 = w0 + model.nw;
  n = m0 + (stabilised ? model.nlambda : 0);
  z_dot.setZero(model.nz);
  mu_force.setZero(model.nz);
  scratch.setZero(model.nz);
  build_pattern();
  for (const JointInstance& joint : model.joints) has_memory = has_memory || joint.joint->memory_size() > 0;

  SUNContext_Create(nullptr, &context);
  y = N_VNew_Serial(n, context);
  yp = N_VClone(y);
  id = N_VClone(y);
  tolerances = N_VClone(y);
  double* idv = N_VGetArrayPointer(id);
  double* tol = N_VGetArrayPointer(tolerances);
  // Multipliers are forces: their absolute tolerance goes with the weight of the machine.
  double weight = 1;
  for (const Part& part : model.parts) weight += 9.81 * part.mass;
  for (int i = 0; i < n; ++i) {
    idv[i] = i < l0 ? 1 : 0;
    tol[i] = i < l0 ? spec.absolute_tolerance : 1e-4 * weight;
    if (i >= m0)
      tol[i] = 1e3;  // mu is a position error over the step: with tiny steps rounding alone makes it large
  }
}

IdaMethod::Impl::~Impl() {
  if (memory != nullptr) IDAFree(&memory);
  if (sun_solver != nullptr) SUNLinSolFreeEmpty(sun_solver);
  if (sun_matrix != nullptr) SUNMatFreeEmpty(sun_matrix);
  for (N_Vector v : {y, yp, id, tolerances})
    if (v != nullptr) N_VDestroy(v);
  SUNContext_Free(&context);
}

void IdaMethod::Impl::build_pattern() {
  // Row blocks: x of each part, z of each part, then c, lambda, w in the order of the small layout, then mu.
  const BlockPattern& small = layout.pattern();
  std::vector<int> sizes;
  int parts = 0;
  for (const Part& part : model.parts) {
    if (part.block < 0) continue;
    sizes.push_back(part.x_size);
    x_block.push_back(parts++);
  }
  row_block.resize(at(small.block_count()));
  for (int i = 0; i < small.block_count(); ++i) {
    row_block[at(i)] = static_cast<int>(sizes.size());
    sizes.push_back(small.block_size(i));
  }
  mu_block.assign(model.joints.size(), -1);
  for (std::size_t i = 0; stabilised && i < model.joints.size(); ++i) {
    if (model.joints[i].joint->rows() == 0) continue;
    mu_block[i] = static_cast<int>(sizes.size());
    sizes.push_back(model.joints[i].joint->rows());
  }
  pattern = std::make_unique<BlockPattern>(sizes);
  for (int i = 0; i < small.block_count(); ++i)
    for (int j = 0; j < small.block_count(); ++j) {
      if (!small.handle(i, j).valid()) continue;
      coupled.emplace_back(i, j);
      pattern->couple(row_block[at(i)], row_block[at(j)]);
      if (j < parts) pattern->couple(row_block[at(i)], x_block[at(j)]);
    }
  for (int i = 0; i < parts; ++i) pattern->couple(x_block[at(i)], row_block[at(i)]);
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (mu_block[i] < 0) continue;
    for (int k = 0; k < model.joints[i].joint->marker_count(); ++k) {
      const int block = model.parts[model.markers[model.joints[i].markers[at(k)].at()].part.at()].block;
      if (block < 0) continue;
      pattern->couple(mu_block[i], x_block[at(block)]);
      pattern->couple(x_block[at(block)], mu_block[i]);
    }
  }
  pattern->finish(prefer_dense(linear_solver_kind(settings.linear_solver), pattern->size()));
  matrix = BlockMatrix(*pattern);
  solver = make_linear_solver(*pattern);
}

void IdaMethod::Impl::load(double t, N_Vector v) {
  const double* p = N_VGetArrayPointer(v);
  state.t = t;
  state.x = Eigen::Map<const VecX>(p, model.nx);
  state.z = Eigen::Map<const VecX>(p + z0, model.nz);
  state.c = Eigen::Map<const VecX>(p + c0, model.nc);
  state.lambda = Eigen::Map<const VecX>(p + l0, model.nlambda);
  state.w = Eigen::Map<const VecX>(p + w0, model.nw);
}

void IdaMethod::Impl::store(State& s, N_Vector v) const {
  const double* p = N_VGetArrayPointer(v);
  s.x = Eigen::Map<const VecX>(p, model.nx);
  for (const Part& part : model.parts)
    if (part.turns()) s.x.segment<4>(part.x_start + 3).normalize();
  s.z = Eigen::Map<const VecX>(p + z0, model.nz);
  s.c = Eigen::Map<const VecX>(p + c0, model.nc);
  s.lambda = Eigen::Map<const VecX>(p + l0, model.nlambda);
  s.w = Eigen::Map<const VecX>(p + w0, model.nw);
}

int IdaMethod::Impl::residual(double t, N_Vector yv, N_Vector ypv, N_Vector rv) {
  load(t, yv);
  const double* rate = N_VGetArrayPointer(ypv);
  const double* yd = N_VGetArrayPointer(yv);
  Eigen::Map<VecX> r(N_VGetArrayPointer(rv), n);
  z_dot = Eigen::Map<const VecX>(rate + z0, model.nz);
  evaluate(ws, state);
  ++counts->evaluations;

  mu_force.setZero();
  if (stabilised) {
    scratch = Eigen::Map<const VecX>(yd + m0, model.nlambda);
    add_constraint_forces(ws, scratch, 1, mu_force);
    scratch.resize(model.nz);
  }
  for (const Part& part : model.parts) {
    if (!part.moves()) continue;
    const Eigen::Map<const Vec3> p_dot(rate + part.x_start);
    r.segment<3>(part.x_start) = p_dot - state.z.segment<3>(part.z_start) + mu_force.segment<3>(part.z_start);
    if (!part.turns()) continue;
    const Eigen::Map<const VecX> elastic_rate(rate + part.x_start + 7, part.nq());
    r.segment(part.x_start + 7, part.nq()) = elastic_rate - state.z.segment(part.z_start + 6, part.nq()) +
                                             mu_force.segment(part.z_start + 6, part.nq());
    const Vec4 q = state.x.segment<4>(part.x_start + 3);
    const Vec3 w = state.z.segment<3>(part.z_start + 3) - mu_force.segment<3>(part.z_start + 3);
    const Eigen::Map<const Vec4> q_dot(rate + part.x_start + 3);
    r.segment<4>(part.x_start + 3) =
        q_dot - 0.5 * quaternion_L(q).transpose() * w - kNormPull * (1 - q.squaredNorm()) * q;
  }
  scratch = -ws.f;
  add_mass_times(ws, z_dot, 1, scratch);
  add_constraint_forces(ws, state.lambda, 1, scratch);
  r.segment(z0, model.nz) = scratch;
  r.segment(c0, model.nc) = Eigen::Map<const VecX>(rate + c0, model.nc) - ws.c_dot;
  r.segment(w0, model.nw) = ws.b;
  auto rows = r.segment(l0, model.nlambda);
  if (level == ConstraintLevel::velocity) {
    rows = ws.g_dot;
  } else {
    rows = ws.gamma;
    add_constraint_rates(ws, z_dot, 1, rows);
  }
  if (stabilised) r.segment(m0, model.nlambda) = ws.g;
  for (const JointInstance& joint : model.joints)
    for (int i = 0; i < joint.joint->rows(); ++i) {
      const int row = joint.lambda_start + i;
      if (!ws.active[at(row)]) rows[row] = state.lambda[row];
      if (stabilised && (!ws.active[at(row)] || i >= joint.joint->holonomic_rows()))
        r[m0 + row] = yd[m0 + row];
    }
  return r.allFinite() ? 0 : 1;
}

/// Copies the derivatives by z_dot, z, c, lambda, w as they are, and those by tangent position through
/// dtheta = 2 L(q) dq / |q|.
void IdaMethod::Impl::copy_blocks(double cj) {
  const BlockPattern& small = layout.pattern();
  const int parts = static_cast<int>(x_block.size());
  TangentWeights by_velocity;
  by_velocity.mass = cj;
  by_velocity.vel = 1;
  by_velocity.algebraic = 1;
  by_velocity.c_unit = cj;
  assemble_iteration(ws, state, z_dot, by_velocity, level, layout, tangents);
  const auto block_of = [&](int i, int j) {
    const BlockHandle h = small.handle(i, j);
    return Eigen::Map<const MatX, 0, Eigen::OuterStride<>>(
        tangents.values() + h.base, small.block_size(i), small.block_size(j), Eigen::OuterStride<>(h.stride));
  };
  for (const auto& [i, j] : coupled)
    matrix.add(pattern->handle(row_block[at(i)], row_block[at(j)]), block_of(i, j));

  TangentWeights by_position;
  by_position.pos = 1;
  assemble_iteration(ws, state, z_dot, by_position, level, layout, tangents);
  std::vector<Mat34> E(at(parts));
  for (const Part& part : model.parts) {
    if (part.block < 0 || !part.turns()) continue;
    const Vec4 q = state.x.segment<4>(part.x_start + 3);
    const double length = q.norm();
    E[at(part.block)] = 2 / length * quaternion_L(q / length);
  }
  MatX columns;
  for (const auto& [i, j] : coupled) {
    if (j >= parts) continue;
    const auto block = block_of(i, j);
    if (small.block_size(j) >= 6) {
      const Eigen::Index nq = block.cols() - 6;
      columns.resize(block.rows(), 7 + nq);
      columns.leftCols(3) = block.leftCols(3);
      columns.middleCols(3, 4) = block.middleCols(3, 3) * E[at(j)];
      columns.rightCols(nq) = block.rightCols(nq);
    } else {
      columns = block;
    }
    matrix.add(pattern->handle(row_block[at(i)], x_block[at(j)]), columns);
  }
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    if (mu_block[i] < 0) continue;
    const JointInstance& joint = model.joints[i];
    for (int k = 0; k < joint.joint->marker_count(); ++k) {
      const Part& part = model.parts[model.markers[joint.markers[at(k)].at()].part.at()];
      if (part.block < 0) continue;
      MatX G(joint.joint->rows(), part.z_size);
      G.leftCols(part.rigid_size()) = ws.joints[i].G[k].leftCols(part.rigid_size());
      if (part.nq() > 0) G.rightCols(part.nq()).setZero();
      if (ws.joints[i].G_elastic[k].size() > 0) G.rightCols(part.nq()) = ws.joints[i].G_elastic[k];
      for (int row = joint.joint->holonomic_rows(); row < joint.joint->rows(); ++row) G.row(row).setZero();
      MatX by_x(G.rows(), part.x_size), x_by(part.x_size, G.rows());
      by_x.leftCols(3) = G.leftCols(3);
      x_by.topRows(3) = G.leftCols(3).transpose();
      if (part.turns()) {
        const Vec4 q = state.x.segment<4>(part.x_start + 3);
        by_x.middleCols(3, 4) = G.middleCols(3, 3) * E[at(part.block)];
        x_by.middleRows(3, 4) = 0.5 * quaternion_L(q).transpose() * G.middleCols(3, 3).transpose();
        by_x.rightCols(part.nq()) = G.rightCols(part.nq());
        x_by.bottomRows(part.nq()) = G.rightCols(part.nq()).transpose();
      }
      matrix.add(pattern->handle(mu_block[i], x_block[at(part.block)]), by_x);
      matrix.add(pattern->handle(x_block[at(part.block)], mu_block[i]), x_by);
    }
    const BlockHandle diagonal = pattern->handle(mu_block[i], mu_block[i]);
    for (int row = 0; row < joint.joint->rows(); ++row)
      if (!ws.active[at(joint.lambda_start + row)] || row >= joint.joint->holonomic_rows())
        matrix.entry(diagonal, row, row) += 1;
  }
}

/// Single internal steps up to t, so that the memory of joints follows every one of them; then y at t itself.
int IdaMethod::Impl::march(double t) {
  int flag = 0;
  while (flag >= 0 && reached < t) {
    flag = IDASolve(memory, t, &reached, y, yp, IDA_ONE_STEP);
    if (flag >= 0 && has_memory) follow_memory();
  }
  return flag >= 0 ? IDAGetDky(memory, t, 0, y) : flag;
}

void IdaMethod::Impl::add_counts() {
  long steps = 0, failures = 0, iterations = 0;
  IDAGetNumSteps(memory, &steps);
  IDAGetNumErrTestFails(memory, &failures);
  IDAGetNumNonlinSolvIters(memory, &iterations);
  counts->steps = before.steps + steps;
  counts->error_test_failures = before.error_test_failures + failures;
  counts->newton_iterations = before.newton_iterations + iterations;
}

void IdaMethod::Impl::follow_memory() {
  load(reached, y);
  update_signals(ws, state.t, state.r);
  update_positions(ws, state.x);
  update_velocities(ws, state.z);
  update_joint_memory(ws, state.t, state.r);
}

void IdaMethod::Impl::kinematic_blocks(double cj) {
  for (const Part& part : model.parts) {
    if (part.block < 0) continue;
    const BlockHandle xx = pattern->handle(x_block[at(part.block)], x_block[at(part.block)]);
    const BlockHandle xz = pattern->handle(x_block[at(part.block)], row_block[at(part.block)]);
    for (int i = 0; i < part.x_size; ++i) matrix.entry(xx, i, i) += cj;
    for (int i = 0; i < 3; ++i) matrix.entry(xz, i, i) -= 1;
    if (!part.turns()) continue;
    for (int i = 0; i < part.nq(); ++i) matrix.entry(xz, 7 + i, 6 + i) -= 1;
    const Vec4 q = state.x.segment<4>(part.x_start + 3);
    const Vec3 w = state.z.segment<3>(part.z_start + 3) - mu_force.segment<3>(part.z_start + 3);
    const Mat4 by_q = -0.5 * minus_matrix(w) -
                      kNormPull * ((1 - q.squaredNorm()) * Mat4::Identity() - 2 * q * q.transpose());
    const Eigen::Matrix<double, 4, 3> by_w = -0.5 * quaternion_L(q).transpose();
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) matrix.entry(xx, 3 + r, 3 + c) += by_q(r, c);
      for (int c = 0; c < 3; ++c) matrix.entry(xz, 3 + r, 3 + c) += by_w(r, c);
    }
  }
}

int IdaMethod::Impl::jacobian(double cj, double t, N_Vector yv, N_Vector ypv) {
  load(t, yv);
  z_dot = Eigen::Map<const VecX>(N_VGetArrayPointer(ypv) + z0, model.nz);
  evaluate(ws, state);
  update_accelerations(ws, z_dot);
  matrix.set_zero();
  copy_blocks(cj);
  kinematic_blocks(cj);
  ++counts->factorisations;
  return 0;
}

IdaMethod::IdaMethod(Workspace& ws, const io::SimulationSpec& settings)
    : impl_(std::make_unique<Impl>(ws, settings)) {
  Impl& d = *impl_;
  d.counts = &counts_;
  d.sun_matrix = SUNMatNewEmpty(d.context);
  d.sun_matrix->content = &d;
  d.sun_matrix->ops->getid = matrix_id;
  d.sun_matrix->ops->zero = matrix_zero;
  d.sun_solver = SUNLinSolNewEmpty(d.context);
  d.sun_solver->content = &d;
  d.sun_solver->ops->gettype = solver_type;
  d.sun_solver->ops->initialize = solver_initialize;
  d.sun_solver->ops->free = solver_free;
  d.sun_solver->ops->setup = [](SUNLinearSolver s, SUNMatrix) {
    Impl& self = *static_cast<Impl*>(s->content);
    return self.solver->factor(self.matrix) ? 0 : 1;
  };
  d.sun_solver->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    Impl& self = *static_cast<Impl*>(s->content);
    Eigen::Map<VecX> out(N_VGetArrayPointer(x), self.n);
    out = Eigen::Map<const VecX>(N_VGetArrayPointer(b), self.n);
    self.solver->solve(out);
    return out.allFinite() ? 0 : 1;
  };
}

IdaMethod::~IdaMethod() = default;

void IdaMethod::start(const State& s) {
  Impl& d = *impl_;
  d.state = s;
  d.reached = s.t;
  VecX z_dot = VecX::Zero(d.model.nz);
  State consistent = s;
  d.start_failed = !d.start_system.solve(d.ws, consistent, {}, 20, z_dot);
  d.bridge.note_condition(d.start_system.reciprocal_condition());
  Eigen::Map<VecX> y(N_VGetArrayPointer(d.y), d.n), yp(N_VGetArrayPointer(d.yp), d.n);
  y.setZero();
  yp.setZero();
  y.head(d.model.nx) = s.x;
  y.segment(d.z0, d.model.nz) = s.z;
  y.segment(d.c0, d.model.nc) = s.c;
  y.segment(d.l0, d.model.nlambda) = consistent.lambda;
  y.segment(d.w0, d.model.nw) = consistent.w;
  for (const Part& part : d.model.parts) {
    if (!part.moves()) continue;
    yp.segment<3>(part.x_start) = s.z.segment<3>(part.z_start);
    if (!part.turns()) continue;
    yp.segment<4>(part.x_start + 3) =
        0.5 * quaternion_L(s.x.segment<4>(part.x_start + 3)).transpose() * s.z.segment<3>(part.z_start + 3);
    yp.segment(part.x_start + 7, part.nq()) = s.z.segment(part.z_start + 6, part.nq());
  }
  yp.segment(d.z0, d.model.nz) = z_dot;
  yp.segment(d.c0, d.model.nc) = d.ws.c_dot;

  // IDA's own first step goes with 1 / |z_dot| in units of the tolerance, so small that rounding shows in the
  // constraints. The change of velocity moves a position by h^2 z_dot / 2: keep that below the tolerance.
  const double largest = z_dot.size() > 0 ? z_dot.lpNorm<Eigen::Infinity>() : 0;
  const double wanted = d.settings.absolute_tolerance + d.settings.relative_tolerance;
  double first = 1e-3 * (d.settings.end_s - d.settings.start_s);
  if (std::isfinite(largest) && largest > 0) first = std::min(first, std::sqrt(wanted / largest));
  if (d.initialised) {
    d.before = counts_;  // IDA counts anew
    IDAReInit(d.memory, s.t, d.y, d.yp);
    IDASetInitStep(d.memory, first);
    return;
  }
  d.memory = IDACreate(d.context);
  IDASetErrHandlerFn(d.memory, quiet, nullptr);
  IDAInit(
      d.memory,
      [](realtype t, N_Vector yv, N_Vector ypv, N_Vector r, void* user) {
        return static_cast<Impl*>(user)->residual(t, yv, ypv, r);
      },
      s.t, d.y, d.yp);
  IDASetUserData(d.memory, &d);
  IDASVtolerances(d.memory, d.settings.relative_tolerance, d.tolerances);
  IDASetId(d.memory, d.id);
  IDASetSuppressAlg(d.memory, SUNTRUE);
  IDASetNonlinConvCoef(d.memory, 0.05);  // constraints are met well within the tolerance
  IDASetMaxNumSteps(d.memory, 10'000'000);
  IDASetInitStep(d.memory, first);
  if (d.settings.step_given) IDASetMaxStep(d.memory, d.settings.step_s);
  IDASetLinearSolver(d.memory, d.sun_solver, d.sun_matrix);
  IDASetJacFn(d.memory, [](realtype t, realtype cj, N_Vector yv, N_Vector ypv, N_Vector, SUNMatrix,
                           void* user, N_Vector, N_Vector,
                           N_Vector) { return static_cast<Impl*>(user)->jacobian(cj, t, yv, ypv); });
  d.initialised = true;
}

StepStatus IdaMethod::advance(State& s, double t, double stop) {
  Impl& d = *impl_;
  if (d.start_failed) return StepStatus::singular;
  d.state.r = s.r;
  IDASetStopTime(d.memory, std::max(stop, t));
  const State entry = s;
  int flag = d.march(t);
  for (int k = 0; k < kMaxBridges && (flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL); ++k) {
    // Caught at a singular position of the mechanism? Large explicit steps pass over it.
    s.t = d.reached;
    d.store(s, d.y);
    s.r = d.state.r;
    if (d.model.nlambda == 0) break;
    if (d.bridge.cross(s, t) != StepStatus::ok) {
      s = entry;
      if (d.bridge.leap(s, t) != StepStatus::ok) break;
    }
    start(s);
    if (d.has_memory) d.follow_memory();
    if (d.start_failed) return StepStatus::singular;
    IDASetStopTime(d.memory, std::max(stop, t));
    flag = d.reached < t ? d.march(t) : 0;
  }
  s.t = flag >= 0 ? t : d.reached;
  d.store(s, d.y);
  s.r = d.state.r;
  d.add_counts();
  if (flag >= 0) return s.z.allFinite() ? StepStatus::ok : StepStatus::not_finite;
  switch (flag) {
    case IDA_TOO_MUCH_WORK:
      return StepStatus::too_many_steps;
    case IDA_LSETUP_FAIL:
      return StepStatus::singular;
    case IDA_ERR_FAIL:
      return StepStatus::step_too_small;
    default:
      return StepStatus::not_converged;
  }
}

}  // namespace monocoque
