#include "integrate/nominal.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/decompositions.h"
#include "core/error_kinds.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "dynamics/workspace.h"
#include "elements/registry.h"
#include "integrate/consistent.h"
#include "integrate/equilibrium.h"
#include "integrate/trim.h"
#include "io/model/rigid_part.h"
#include "model/model.h"
#include "solve/acceleration_system.h"

namespace monocoque {

namespace {

constexpr int kMaxNominalIterations = 20;
constexpr int kMostTrimIterations = 50;
constexpr double kBalance = 1e-6;  ///< N or Nm left in equilibrium
/// Columns of unit length that are dependent to this count as dependent: differences of forces are no better.
constexpr double kDependent = 1e-5;

/// One number inside the specification.
struct Slot {
  io::ParameterSet::Entry* entry;
  int component;  ///< -1: a number
  double get() const {
    return component < 0 ? entry->number : entry->list[static_cast<std::size_t>(component)];
  }
  void set(double v) const {
    (component < 0 ? entry->number : entry->list[static_cast<std::size_t>(component)]) = v;
  }
};

Slot find_slot(io::ModelSpec& spec, const std::string& target, const Place& place) {
  const auto fail = [&](const std::string& problem, const std::string& remedy) -> Error {
    return Error(place, "nominal", fmt::format("'{}': {}", target, problem), remedy);
  };
  const std::size_t dot = target.find('.');
  if (dot == std::string::npos) throw fail("a field of an interact is needed", "write interact.field");
  const std::string name = target.substr(0, dot);
  std::string field = target.substr(dot + 1);
  int component = -1;
  if (const std::size_t second = field.find('.'); second != std::string::npos) {
    const std::string axis = field.substr(second + 1);
    component = axis == "x" ? 0 : axis == "y" ? 1 : axis == "z" ? 2 : -2;
    if (component < 0) throw fail(fmt::format("'{}' is no component", axis), "x, y or z");
    field.resize(second);
  }
  std::vector<std::string> names;
  for (io::InteractSpec& s : spec.interacts) {
    names.push_back(s.name);
    if (s.name != name) continue;
    const auto it = s.parameters.entries.find(field);
    if (it == s.parameters.entries.end()) {
      std::vector<std::string> fields;
      for (const auto& [key, value] : s.parameters.entries) fields.push_back(key);
      throw fail(fmt::format("{} has no field '{}'", s.type, field), suggestion(field, fields));
    }
    if (component < 0 ? !it->second.list.empty() : it->second.list.size() != 3)
      throw fail("it is not one number",
                 component < 0 ? "name the component: .x, .y or .z" : "leave out the component");
    return {&it->second, component};
  }
  throw fail("there is no such interact", suggestion(name, names));
}

/// Forces at rest in the reference position, and the constraint matrix without the rows that must carry
/// nothing.
struct AtRest {
  std::unique_ptr<const Model> model;
  VecX f;
  MatX G;
};

AtRest at_rest(const io::ModelSpec& spec) {
  AtRest r;
  r.model = build_model(spec);
  Workspace ws(*r.model);
  State s = initial_state(*r.model);
  s.z.setZero();
  start_inner_states(ws, s);
  evaluate(ws, s);
  r.f = ws.f;
  r.G = MatX(constraint_matrix(ws));
  for (const std::string& name : spec.nominal.unloaded) {
    bool found = false;
    for (const JointInstance& joint : r.model->joints)
      if (joint.name == name) {
        r.G.middleRows(joint.lambda_start, joint.joint->rows()).setZero();
        found = true;
      }
    if (!found)
      throw Error(spec.nominal.place, "nominal", fmt::format("there is no joint '{}'", name),
                  "check `unloaded`");
  }
  return r;
}

[[noreturn]] void throw_unbalanced(const io::ModelSpec& spec, const Model& model, const VecX& residual) {
  int row = 0;
  residual.cwiseAbs().maxCoeff(&row);
  constexpr const char* names[] = {"force along x",  "force along y",  "force along z",
                                   "moment about x", "moment about y", "moment about z"};
  for (const Part& part : model.parts)
    if (row >= part.z_start && row < part.z_start + part.z_size) {
      const int k = row - part.z_start;
      throw NumericError(spec.nominal.place, "nominal",
                         fmt::format("no values give equilibrium: part '{}' keeps {:.4g} ({})", part.name,
                                     residual[row], k < 6 ? names[k] : "elastic or rotor coordinate"),
                         "add an unknown that acts there, or check positions and masses");
    }
  throw NumericError(spec.nominal.place, "nominal", "no values give equilibrium", "");
}

bool bends(const io::PartSpec& part) {
  return part.kind == io::PartKind::flexible && part.body;
}

/// The unknowns of a specification as places in it.
struct NominalUnknowns {
  explicit NominalUnknowns(io::ModelSpec& spec) {
    for (const auto& unknown : spec.nominal.unknowns) {
      slots.emplace_back();
      for (const std::string& target : unknown.targets)
        slots.back().push_back(find_slot(spec, target, unknown.place));
      before.push_back(slots.back()[0].get());
    }
    // Targets of one unknown start equal and change together. A target may belong to two unknowns: what it
    // shares with others, and what it has alone.
    for (const std::vector<Slot>& targets : slots)
      for (const Slot& slot : targets) slot.set(targets[0].get());
  }
  double get(std::size_t i) const { return slots[i][0].get(); }
  void add(std::size_t i, double change) const {
    for (const Slot& slot : slots[i]) slot.set(slot.get() + change);
  }
  /// Derivative of the forces at rest by value i.
  VecX derivative(const io::ModelSpec& spec, std::size_t i) const {
    // Forces are linear in preloads and nearly so in lengths: small steps for small values.
    const double step = std::abs(get(i)) < 1 ? 1e-6 : 1e-3;
    add(i, step);
    const VecX plus = at_rest(spec).f;
    add(i, -2 * step);
    const VecX minus = at_rest(spec).f;
    add(i, step);
    return (plus - minus) / (2 * step);
  }
  std::vector<std::vector<Slot>> slots;
  std::vector<double> before;
};

/// G^T; of a model without joints one column of zeros, which a decomposition can take.
MatX joint_columns(const MatX& G) {
  return G.rows() > 0 ? MatX(G.transpose()) : MatX(MatX::Zero(G.cols(), 1));
}

NominalReport solve_rigid(io::ModelSpec& spec) {
  NominalReport report;
  const std::size_t n = spec.nominal.unknowns.size();
  const NominalUnknowns values(spec);
  for (std::size_t i = 0; i < n; ++i)
    report.values.push_back({spec.nominal.unknowns[i].targets[0], values.before[i], 0});
  const auto unknowns = static_cast<Eigen::Index>(n);
  AtRest now = at_rest(spec);
  const MatX GT = joint_columns(now.G);  // positions do not change, so neither does G
  const Eigen::CompleteOrthogonalDecomposition<MatX> constraints(GT);
  VecX residual;
  for (report.iterations = 0; report.iterations < kMaxNominalIterations; ++report.iterations) {
    MatX A(GT.rows(), unknowns + GT.cols());
    for (std::size_t k = 0; k < n; ++k) A.col(static_cast<Eigen::Index>(k)) = values.derivative(spec, k);
    A.rightCols(GT.cols()) = -GT;
    // Columns differ by the units of their values: scale, so that "smallest change" means something.
    VecX scale = A.colwise().norm();
    for (double& s : scale) s = s > 0 ? 1 / s : 1;
    Eigen::CompleteOrthogonalDecomposition<MatX> solver;
    solver.setThreshold(kDependent);
    solver.compute(A * scale.asDiagonal());
    const VecX step = scale.asDiagonal() * VecX(solver.solve(-now.f));
    const double left = (now.f + A * step).cwiseAbs().maxCoeff();
    for (std::size_t k = 0; k < n; ++k) values.add(k, step[static_cast<Eigen::Index>(k)]);
    now = at_rest(spec);
    residual = now.f - GT * constraints.solve(now.f);
    report.residual = residual.cwiseAbs().maxCoeff();
    report.undetermined = static_cast<int>(unknowns + constraints.rank() - solver.rank());
    if (report.residual < 0.01 * kBalance) break;
    if (left > kBalance && report.iterations > 3) break;  // linearly impossible
  }
  if (!(report.residual < kBalance)) throw_unbalanced(spec, *now.model, residual);
  for (std::size_t i = 0; i < n; ++i) report.values[i].value = values.get(i);
  return report;
}

/// Which values take part in a combination that equilibrium does not fix.
std::string combination_words(const io::ModelSpec& spec, const VecX& direction) {
  std::string text;
  const double most = direction.lpNorm<Eigen::Infinity>();
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    if (std::abs(direction[i]) > 0.05 * most)
      text += fmt::format("{}{:+.3g} {}", text.empty() ? "" : " ", direction[i] / most,
                          spec.nominal.unknowns[static_cast<std::size_t>(i)].targets[0]);
  return text;
}

TrimReport trim_rigid(io::ModelSpec& spec, const TrimOptions& options) {
  TrimReport report;
  const NominalUnknowns values(spec);
  const auto n = static_cast<Eigen::Index>(values.slots.size());
  AtRest now = at_rest(spec);
  const MatX GT = joint_columns(now.G);
  const Eigen::CompleteOrthogonalDecomposition<MatX> constraints(GT);
  // Joints carry what they can: it is taken out of the balance.
  const auto unbalanced = [&](const VecX& f) -> VecX { return f - GT * constraints.solve(f); };
  const auto theta = [&] {
    VecX v(n);
    for (Eigen::Index i = 0; i < n; ++i) v[i] = values.get(static_cast<std::size_t>(i));
    return v;
  };
  VecX scale;
  VecX r = unbalanced(now.f);
  double damping = 0;
  const auto objective = [&](const VecX& residual) {
    return residual.squaredNorm() +
           options.alpha * options.alpha * VecX(scale.asDiagonal() * theta()).squaredNorm();
  };
  for (report.iterations = 0; report.iterations < kMostTrimIterations; ++report.iterations) {
    MatX J(r.size(), n);
    for (Eigen::Index i = 0; i < n; ++i)
      J.col(i) = unbalanced(values.derivative(spec, static_cast<std::size_t>(i)));
    if (scale.size() == 0) {
      // Values are measured by the force they make, so that N and m can stand beside each other.
      scale = J.colwise().norm();
      for (double& s : scale) s = s > 1e-12 ? s : 1;
    }
    MatX A = MatX::Zero(r.size() + 2 * n, n);
    VecX b = VecX::Zero(A.rows());
    A.topRows(r.size()) = J * scale.cwiseInverse().asDiagonal();
    A.middleRows(r.size(), n).diagonal().setConstant(options.alpha);
    b.head(r.size()) = -r;
    b.segment(r.size(), n) = -options.alpha * VecX(scale.asDiagonal() * theta());
    const double before = objective(r);
    VecX step;
    bool better = false;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      A.bottomRows(n).diagonal().setConstant(std::sqrt(damping));
      step = scale.cwiseInverse().asDiagonal() * VecX(A.completeOrthogonalDecomposition().solve(b));
      for (Eigen::Index i = 0; i < n; ++i) values.add(static_cast<std::size_t>(i), step[i]);
      try {
        now = at_rest(spec);
        r = unbalanced(now.f);
        better = objective(r) <= before * (1 + 1e-12);
      } catch (const Error&) {
        better = false;  // a value an element refuses, such as a negative length
      }
      if (better) break;
      for (Eigen::Index i = 0; i < n; ++i) values.add(static_cast<std::size_t>(i), -step[i]);
      damping = std::max(10 * damping, 1e-4);
    }
    if (!better) break;
    damping = damping < 1e-8 ? 0 : damping / 10;
    const Eigen::CompleteOrthogonalDecomposition<MatX> rank = [&] {
      Eigen::CompleteOrthogonalDecomposition<MatX> qr;
      qr.setThreshold(kDependent);
      qr.compute(A.topRows(r.size()));
      return qr;
    }();
    report.undetermined = static_cast<int>(n - rank.rank());
    report.combinations.clear();
    if (report.undetermined > 0) {
      // Columns of the projection on what is free, the largest first, freed of those before.
      MatX rest = MatX::Identity(n, n) - rank.pseudoInverse() * A.topRows(r.size());
      for (int k = 0; k < report.undetermined; ++k) {
        Eigen::Index column = 0;
        rest.colwise().norm().maxCoeff(&column);
        const VecX direction = rest.col(column).normalized();
        report.combinations.push_back(
            combination_words(spec, VecX(scale.cwiseInverse().asDiagonal() * direction)));
        rest -= direction * (direction.transpose() * rest);
      }
    }
    if (VecX(scale.asDiagonal() * step).lpNorm<Eigen::Infinity>() < 1e-9 * (1 + r.lpNorm<Eigen::Infinity>()))
      break;
  }
  now = at_rest(spec);
  r = unbalanced(now.f);
  report.residual = r.lpNorm<Eigen::Infinity>();
  if (!options.least_squares && !(report.residual < std::max(kBalance, 1e-3 * options.alpha)))
    throw_unbalanced(spec, *now.model, r);
  for (std::size_t i = 0; i < values.slots.size(); ++i)
    report.values.push_back({spec.nominal.unknowns[i].targets[0], values.before[i], values.get(i)});
  return report;
}

}  // namespace

NominalReport solve_nominal(io::ModelSpec& spec) {
  if (spec.nominal.unknowns.empty()) return {};
  if (std::none_of(spec.parts.begin(), spec.parts.end(), bends)) return solve_rigid(spec);
  io::ModelSpec rigid = spec;
  for (io::PartSpec& part : rigid.parts)
    if (bends(part)) io::make_rigid(part);
  NominalReport report = solve_rigid(rigid);
  for (std::size_t i = 0; i < spec.interacts.size(); ++i)
    spec.interacts[i].parameters = rigid.interacts[i].parameters;
  start_in_equilibrium(spec);
  return report;
}

TrimReport solve_trim(io::ModelSpec& spec, const TrimOptions& options) {
  for (const std::vector<std::string>& targets : options.unknowns)
    spec.nominal.unknowns.push_back({targets, spec.nominal.place});
  spec.nominal.unloaded.insert(spec.nominal.unloaded.end(), options.unloaded.begin(), options.unloaded.end());
  if (spec.nominal.unknowns.empty())
    throw Error(Place{spec.file, 0}, "nominal", "the model names no unknown values",
                "name some: --unknown INTERACT.field, or `nominal: {unknowns: ...}` in the model");
  io::ModelSpec rigid = spec;
  for (io::PartSpec& part : rigid.parts)
    if (bends(part)) io::make_rigid(part);
  TrimReport report = trim_rigid(rigid, options);
  for (std::size_t i = 0; i < spec.interacts.size(); ++i)
    spec.interacts[i].parameters = rigid.interacts[i].parameters;
  return report;
}

}  // namespace monocoque
