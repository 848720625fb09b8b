#include "integrate/ida_method.h"

#include <algorithm>
#include <cmath>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "dynamics/constraints.h"
#include "dynamics/kinematics.h"
#include "integrate/bridge.h"
#include "integrate/ida_formulated.h"
#include "integrate/ida_system.h"

namespace monocoque {

namespace {
constexpr int kMaxBridges = 100;  ///< in one call: singular positions in a row
}  // namespace

struct IdaMethod::Impl {
  Impl(Workspace& workspace, const io::SimulationSpec& spec);
  ~Impl();

  void follow_memory();
  void store(State& s) const;
  int march(double t);
  void add_counts();

  io::SimulationSpec settings;
  Workspace& ws;
  const Model& model;
  std::unique_ptr<IdaEquations> system;
  State at;  // of the last internal step, with the memory of joints
  AccelerationSystem start_system;
  Bridge bridge;
  IntegratorCounts* counts = nullptr;
  IntegratorCounts before;  // the last start

  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector y = nullptr, yp = nullptr, id = nullptr, tolerances = nullptr;
  SUNMatrix sun_matrix = nullptr;
  SUNLinearSolver sun_solver = nullptr;
  bool initialised = false, start_failed = false, factored = false;
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

namespace {

std::unique_ptr<IdaEquations> make_equations(Workspace& ws, const io::SimulationSpec& spec) {
  auto mixed = std::make_unique<IdaSystem>(ws, spec);
  const Formulation formulation = formulation_from(spec.formulation);
  if (formulation == Formulation::mixed) return mixed;
  return std::make_unique<FormulatedIdaSystem>(ws.model, formulation, std::move(mixed), spec);
}

}  // namespace

IdaMethod::Impl::Impl(Workspace& workspace, const io::SimulationSpec& spec)
    : settings(spec),
      ws(workspace),
      model(workspace.model),
      system(make_equations(workspace, spec)),
      at(initial_state(workspace.model)),
      start_system(workspace.model, linear_solver_kind(spec.linear_solver)),
      bridge(workspace, spec) {
  const int n = system->size();
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
    idv[i] = i < system->algebraic_start() ? 1 : 0;
    tol[i] = i < system->algebraic_start() ? spec.absolute_tolerance : 1e-4 * weight;
    if (i >= system->stabilisation_start())
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
  system->load(reached, N_VGetArrayPointer(y), at);
  update_signals(ws, at.t, at.r);
  update_positions(ws, at.x);
  update_velocities(ws, at.z);
  update_joint_memory(ws, at.t, at.r);
  system->set_memory(at.r);
}

void IdaMethod::Impl::store(State& s) const {
  system->load(s.t, N_VGetArrayPointer(y), s);
  for (const Part& part : model.parts)
    if (part.turns()) s.x.segment<4>(part.x_start + 3).normalize();
  s.r = at.r;
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
    return self.factored ? 0 : 1;
  };
  d.sun_solver->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    Impl& self = *static_cast<Impl*>(s->content);
    Eigen::Map<VecX> out(N_VGetArrayPointer(x), self.system->size());
    out = Eigen::Map<const VecX>(N_VGetArrayPointer(b), self.system->size());
    self.system->solve(out);
    return out.allFinite() ? 0 : 1;
  };
}

IdaMethod::~IdaMethod() = default;

void IdaMethod::start(const State& s) {
  Impl& d = *impl_;
  d.at = s;
  d.system->set_memory(s.r);
  d.reached = s.t;
  VecX z_dot = VecX::Zero(d.model.nz);
  State consistent = s;
  d.start_failed = !d.start_system.solve(d.ws, consistent, {}, 20, z_dot);
  d.bridge.note_condition(d.start_system.reciprocal_condition());
  Eigen::Map<VecX> y(N_VGetArrayPointer(d.y), d.system->size()),
      yp(N_VGetArrayPointer(d.yp), d.system->size());
  d.system->pack(consistent, z_dot, d.ws.c_dot, y, yp);

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
        Impl& self = *static_cast<Impl*>(user);
        ++self.counts->evaluations;
        return self.system->residual(t, N_VGetArrayPointer(yv), N_VGetArrayPointer(ypv),
                                     N_VGetArrayPointer(r))
                   ? 0
                   : 1;
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
                           void* user, N_Vector, N_Vector, N_Vector) {
    Impl& self = *static_cast<Impl*>(user);
    self.factored = self.system->factor(cj, t, N_VGetArrayPointer(yv), N_VGetArrayPointer(ypv));
    ++self.counts->factorisations;
    return 0;
  });
  d.initialised = true;
}

StepStatus IdaMethod::advance(State& s, double t, double stop) {
  Impl& d = *impl_;
  if (d.start_failed) return StepStatus::singular;
  d.at.r = s.r;
  d.system->set_memory(s.r);
  IDASetStopTime(d.memory, std::max(stop, t));
  const State entry = s;
  int flag = d.march(t);
  for (int k = 0; k < kMaxBridges && (flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL); ++k) {
    // Caught at a singular position of the mechanism? Large explicit steps pass over it.
    s.t = d.reached;
    d.store(s);
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
  d.store(s);
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

IntegratorType ida_type() {
  IntegratorType type;
  type.name = "ida";
  type.doc = "SUNDIALS IDA: variable order and step with error control";
  type.order = 0;
  type.fixed_step = false;
  type.levels = {{kStabilised, kNone}, {kIndex1, kNone}, {kIndex2, kNone}};
  type.any_formulation = true;
  type.make = [](Workspace& ws, const io::SimulationSpec& s) { return std::make_unique<IdaMethod>(ws, s); };
  return type;
}

}  // namespace monocoque
