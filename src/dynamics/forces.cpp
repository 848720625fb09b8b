#include "dynamics/forces.h"

#include <Eigen/Geometry>

#include "core/index.h"
#include "dynamics/constraints.h"

namespace monocoque {

namespace {

void bind(ForceCache& cache, const ForceInstance& instance, const State& s) {
  cache.in.t = s.t;
  cache.in.c = s.c.data() + instance.c_start;
  cache.in.w = s.w.data() + instance.w_start;
}

/// Reaction of the watched joint from the current multipliers.
void watch_reaction(Workspace& ws, const ForceInstance& instance, const State& s, ForceCache& cache) {
  if (!instance.watched.valid()) return;
  const JointInstance& joint = ws.model.joints[instance.watched.at()];
  const auto lambda = s.lambda.segment(joint.lambda_start, joint.joint->rows());
  cache.reaction.noalias() = -ws.joints[instance.watched.at()].W().middleCols<6>(6).transpose() * lambda;
}

}  // namespace

void part_forces(Workspace& ws, const State& s, std::size_t index, VecRef out) {
  const Model& model = ws.model;
  const Part& part = model.parts[index];
  if (part.flexible >= 0) {
    flexible_forces(model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)], ws.parts[index].R,
                    model.gravity, s.x.segment(part.x_start, part.x_size),
                    s.z.segment(part.z_start, part.z_size), out);
    return;
  }
  out.head<3>() = part.mass * model.gravity;
  if (part.turns()) {
    const Vec3 w = s.z.segment<3>(part.z_start + 3);
    out.segment<3>(3) = -w.cross(part.inertia * w);
  }
}

void update_forces(Workspace& ws, const State& s, PortForces ports) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    if (const Part& part = model.parts[i]; part.moves())
      part_forces(ws, s, i, ws.f.segment(part.z_start, part.z_size));
  clear_port_forces(ws);
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const ForceInstance& instance = model.forces[i];
    ForceCache& cache = ws.forces[i];
    bind(cache, instance, s);
    watch_reaction(ws, instance, s, cache);
    instance.force->wrench(cache.in, cache.wrench);
    for (std::size_t k = 0; k < 2; ++k)
      add_wrench(ws, instance.markers[k], cache.wrench.segment<6>(6 * static_cast<int>(k)), ws.f);
    if (instance.force->state_count() > 0) {
      InnerVector rate(instance.force->state_count());
      instance.force->state_rate(cache.in, rate);
      ws.c_dot.segment(instance.c_start, rate.size()) = rate;
    }
    if (instance.force->algebraic_count() > 0) {
      InnerVector residual(instance.force->algebraic_count());
      instance.force->algebraic(cache.in, residual);
      ws.b.segment(instance.w_start, residual.size()) = residual;
    }
  }
  if (ports == PortForces::added) add_port_forces(ws, 1, ws.f);
  if (ws.external.present()) ws.f += ws.external.value + (s.t - ws.external.t0) * ws.external.rate;
}

void add_mass_times(const Workspace& ws, const VecX& z_dot, double factor, VecX& out) {
  const Model& model = ws.model;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    if (!part.moves()) continue;
    if (part.flexible >= 0) {
      add_flexible_mass_times(model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)],
                              ws.parts[i].R, z_dot.segment(part.z_start, part.z_size), factor,
                              out.segment(part.z_start, part.z_size));
      continue;
    }
    out.segment<3>(part.z_start) += factor * part.mass * z_dot.segment<3>(part.z_start);
    if (part.turns())
      out.segment<3>(part.z_start + 3) += factor * (part.inertia * z_dot.segment<3>(part.z_start + 3));
  }
}

EnergyBalance energy_balance(Workspace& ws, const State& s) {
  const Model& model = ws.model;
  EnergyBalance e;
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    if (!part.moves()) continue;
    if (part.flexible >= 0) {
      const FlexibleEnergy own = flexible_energy(
          model.flexible[at(part.flexible)], ws.flexible[at(part.flexible)], ws.parts[i].R, model.gravity,
          s.x.segment(part.x_start, part.x_size), s.z.segment(part.z_start, part.z_size));
      e.kinetic += own.kinetic;
      e.gravity += own.gravity;
      e.elastic += own.elastic;
      e.dissipated_power += own.dissipated_power;
      continue;
    }
    const Vec3 v = s.z.segment<3>(part.z_start);
    e.kinetic += 0.5 * part.mass * v.squaredNorm();
    e.gravity -= part.mass * model.gravity.dot(s.x.segment<3>(part.x_start));
    if (part.turns()) {
      const Vec3 w = s.z.segment<3>(part.z_start + 3);
      e.kinetic += 0.5 * w.dot(part.inertia * w);
    }
  }
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const Force& force = *model.forces[i].force;
    const ForceInput& in = ws.forces[i].in;
    e.elastic += force.energy(in);
    e.dissipated_power += force.dissipation(in);
    e.supplied_power += force.supply(in);
  }
  // -(G z)^T lambda with G z = -rate: what the drives put in.
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInstance& instance = model.joints[i];
    if (instance.joint->signal_count() == 0) continue;
    JointCache& cache = ws.joints[i];
    instance.joint->rate(cache.in, cache.rate);
    e.supplied_power += cache.rate.dot(s.lambda.segment(instance.lambda_start, instance.joint->rows()));
  }
  return e;
}

void start_force_states(Workspace& ws, State& s) {
  for (std::size_t i = 0; i < ws.model.forces.size(); ++i) {
    const ForceInstance& instance = ws.model.forces[i];
    ForceCache& cache = ws.forces[i];
    bind(cache, instance, s);
    watch_reaction(ws, instance, s, cache);
    if (instance.force->state_count() > 0)
      instance.force->initial_state(cache.in, s.c.data() + instance.c_start);
    if (instance.force->algebraic_count() > 0)
      instance.force->initial_algebraic(cache.in, s.w.data() + instance.w_start);
  }
}

}  // namespace monocoque
