#include "analysis/statics/inverse.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/error.h"
#include "dynamics/constraints.h"
#include "dynamics/kinematics.h"
#include "elements/registry.h"
#include "integrate/consistent.h"
#include "integrate/equilibrium.h"
#include "results/outputs.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

namespace {

bool wanted(const std::vector<std::string>& patterns, const std::string& path) {
  for (const std::string& p : patterns)
    if (matches(p, path)) return true;
  return patterns.empty();
}

/// Joints with a single driven coordinate: the multiplier of their last row is minus the drive.
std::vector<const JointInstance*> drives_of(const Model& model) {
  std::vector<const JointInstance*> out;
  for (const JointInstance& j : model.joints)
    if (has_role(j.type, io::Role::drive)) out.push_back(&j);
  return out;
}

const char* drive_unit(const JointInstance& j) {
  return j.joint->coordinate_is_angle() ? "N*m" : "N";
}

/// Positions and velocities at s.t from those before, by the constraints.
bool follow(Workspace& ws, State& s, AccelerationSystem& system, double dt) {
  retract(ws.model, s.x, dt * s.z, s.x);
  for (int k = 0; k < 20; ++k) {
    if (!system.factor(ws, s)) return false;
    if (largest_position_residual(ws).value < 1e-12) break;
    system.project_positions(ws, s);
  }
  evaluate(ws, s);
  if (!(largest_position_residual(ws).value < 1e-9)) return false;
  if (!system.factor(ws, s)) return false;
  for (int k = 0; k < 2; ++k) {
    evaluate(ws, s);
    system.project_velocities(ws, s);
  }
  return s.z.allFinite();
}

}  // namespace

void drive_joint(io::ModelSpec& spec, const std::string& joint, const std::string& formula) {
  std::vector<std::string> names;
  for (io::InteractSpec& s : spec.interacts) {
    names.push_back(s.name);
    if (s.name != joint) continue;
    const io::TypeInfo* own = element_library().find(s.type);
    if (own == nullptr || own->driven_form.empty())
      throw Error(s.place, fmt::format("{} '{}'", s.type, s.name), "it has no single coordinate to drive",
                  "drive revolute or prismatic joints");
    const io::TypeInfo* type = element_library().find(own->driven_form);
    s.type = type->name;
    s.parameters = {};
    for (const io::Field& field : type->fields)
      s.parameters.entries[field.name] = io::parse_field(field, formula);
    return;
  }
  throw Error(Place{spec.file, 0}, "inverse", fmt::format("there is no joint '{}'", joint),
              suggestion(joint, names));
}

History inverse_dynamics(const Model& model, const std::vector<double>& times,
                         const std::vector<std::string>& patterns) {
  History out;
  if (times.empty()) return out;
  Workspace ws(model);
  State s = initial_state(model);
  s.t = times.front();
  const ConsistencyReport report = make_consistent(ws, s, LinearSolverKind::automatic);
  if (report.degrees_of_freedom > 0) {
    State at = s;
    const EquilibriumStiffness free = equilibrium_stiffness(ws, at);
    std::string names;
    for (const LooseDirection& d : free.loose)
      names += fmt::format("{}{}", names.empty() ? "; free: " : ", ", d.text());
    throw Error(Place{model.file, 0}, model.name,
                fmt::format("{} motion{} not prescribed{}", report.degrees_of_freedom,
                            report.degrees_of_freedom > 1 ? "s are" : " is", names),
                "drive more joints: --drive JOINT=FORMULA, or give a recorded motion: --run");
  }
  OutputSet outputs(model, patterns, LinearSolverKind::automatic);
  AccelerationSystem system(model, LinearSolverKind::automatic);
  const std::vector<const JointInstance*> drives = drives_of(model);
  out.channels = outputs.channels();
  const std::size_t measured = out.channels.size();
  for (const JointInstance* j : drives) out.channels.push_back({j->name + "/drive", drive_unit(*j)});
  WorkAudit audit;
  VecX z_dot = VecX::Zero(model.nz);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double dt = i > 0 ? times[i] - times[i - 1] : 0;
    s.t = times[i];
    if (i > 0) {
      update_signals(ws, s.t, s.r);
      if (!follow(ws, s, system, dt)) {
        out.end = fmt::format("the mechanism cannot follow its drives beyond t = {:.6g} s: {}", times[i - 1],
                              model.row_label(largest_position_residual(ws).row));
        return out;
      }
      update_joint_memory(ws, s.t, s.r);
    }
    if (!system.solve(ws, s, {}, 20, z_dot) || !z_dot.allFinite()) {
      out.end = fmt::format("the equations are singular at t = {:.6g} s", s.t);
      return out;
    }
    std::vector<double> row(out.channels.size());
    outputs.fill(ws, s, audit, row.data());
    for (std::size_t k = 0; k < drives.size(); ++k)
      row[measured + k] = -s.lambda[drives[k]->lambda_start + drives[k]->joint->rows() - 1];
    out.t.push_back(s.t);
    out.rows.push_back(std::move(row));
  }
  return out;
}

History quasi_static(const Model& model, const std::vector<double>& times,
                     const std::vector<std::string>& patterns) {
  History out;
  if (times.empty()) return out;
  struct Source {
    int kind;  ///< 0 reaction, 1 force, 2 part position, 3 drive
    std::size_t index;
    int component;
  };
  std::vector<Source> sources;
  constexpr const char* axes[] = {"x", "y", "z"};
  const auto offer = [&](const std::string& path, const char* unit, Source source) {
    if (!wanted(patterns, path)) return;
    out.channels.push_back({path, unit});
    sources.push_back(source);
  };
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    for (int k = 0; k < 6; ++k)
      offer(fmt::format("{}/reaction/{}/{}", model.joints[i].name, k < 3 ? "force" : "torque", axes[k % 3]),
            k < 3 ? "N" : "N*m", {0, i, k});
  for (std::size_t i = 0; i < model.forces.size(); ++i)
    for (int k = 0; k < 6; ++k)
      offer(fmt::format("{}/{}/{}", model.forces[i].name, k < 3 ? "force" : "torque", axes[k % 3]),
            k < 3 ? "N" : "N*m", {1, i, 6 + k});
  for (std::size_t i = 1; i < model.parts.size(); ++i)
    for (int k = 0; k < 3; ++k)
      offer(fmt::format("{}/position/{}", model.parts[i].name, axes[k]), "m", {2, i, k});
  for (const JointInstance* j : drives_of(model)) {
    out.channels.push_back({j->name + "/drive", drive_unit(*j)});
    sources.push_back({3, static_cast<std::size_t>(j->lambda_start + j->joint->rows() - 1), 0});
  }
  if (sources.empty())
    throw Error("quasi-static", "no channel matches the patterns",
                "reactions are JOINT/reaction/force/x ...");
  Workspace ws(model);
  ws.all_markers = true;
  State s = initial_state(model);
  s.z.setZero();
  s.t = times.front();
  make_consistent(ws, s, LinearSolverKind::automatic);
  s.z.setZero();
  start_force_states(ws, s);
  for (std::size_t i = 0; i < times.size(); ++i) {
    // The way to the next instant is halved where Newton does not get there at once.
    double from = i > 0 ? times[i - 1] : times[0], step = times[i] - from;
    try {
      for (double now = from; i == 0 || now < times[i];) {
        const double next = std::min(times[i], now + std::max(step, 0.0));
        const State good = s;
        s.t = next;
        try {
          EquilibriumOptions options;
          options.continuation = i == 0;
          find_equilibrium(ws, s, options);
          now = next;
          step *= 2;
          if (i == 0) break;
        } catch (const Error&) {
          s = good;
          if (i == 0 || (step /= 2) < 1e-3 * (times[i] - from)) throw;
        }
      }
    } catch (const Error& e) {
      out.end = fmt::format("no equilibrium beyond t = {:.6g} s: {}", s.t, e.what());
      return out;
    }
    update_joint_memory(ws, s.t, s.r);
    evaluate(ws, s);
    update_reactions(ws, s.lambda);
    std::vector<double> row;
    for (const Source& source : sources) switch (source.kind) {
        case 0:
          row.push_back(ws.joints[source.index].reaction[source.component]);
          break;
        case 1:
          row.push_back(ws.forces[source.index].wrench[source.component]);
          break;
        case 2:
          row.push_back(ws.markers[model.parts[source.index].origin.at()].k.p[source.component]);
          break;
        default:
          row.push_back(-s.lambda[static_cast<Eigen::Index>(source.index)]);
      }
    out.t.push_back(s.t);
    out.rows.push_back(std::move(row));
  }
  return out;
}

AmplitudeSpectrum amplitude_spectrum(const std::vector<double>& values, double sample_s) {
  AmplitudeSpectrum out;
  const std::size_t n = values.size();
  if (n < 4 || !(sample_s > 0)) throw Error("spectrum", "a spectrum needs at least 4 samples");
  double mean = 0;
  for (const double v : values) mean += v / static_cast<double>(n);
  for (std::size_t k = 1; k <= n / 2; ++k) {
    // Goertzel's recursion would lose digits at small k; the turning pointer is renewed by the angle itself.
    double re = 0, im = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>((k * i) % n) / static_cast<double>(n);
      re += (values[i] - mean) * std::cos(angle);
      im += (values[i] - mean) * std::sin(angle);
    }
    const double factor = (2 * k == n ? 1.0 : 2.0) / static_cast<double>(n);
    out.frequency_Hz.push_back(static_cast<double>(k) / (static_cast<double>(n) * sample_s));
    out.amplitude.push_back(factor * std::hypot(re, im));
  }
  return out;
}

}  // namespace monocoque::analysis
