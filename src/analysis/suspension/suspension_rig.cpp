#include "analysis/suspension/suspension_rig.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "analysis/linear/eigen.h"
#include "analysis/suspension/knobs.h"
#include "core/error_kinds.h"
#include "core/rotation.h"
#include "dynamics/constraints.h"
#include "dynamics/forces.h"
#include "dynamics/kinematics.h"
#include "elements/registry.h"
#include "integrate/equilibrium.h"
#include "integrate/nominal.h"
#include "io/model/rigid_part.h"
#include "solve/rank_analysis.h"

namespace monocoque::analysis {

namespace {

constexpr double kLeastShare = 1.0 / 256;  ///< of a move, before the linkage counts as ended
constexpr double kLargestJump = 0.3;       ///< m or rad in one solution: beyond it another branch was met
constexpr int kKnobsPerCorner = 9;         ///< travel, lock, contact force, centre force, moment

const char* const kCentre = "rig centre";
const char* const kContact = "rig contact";
const char* const kHeld = "rig held";

io::PartSpec& rig_part(io::ModelSpec& spec, const std::string& name) {
  std::vector<std::string> names;
  for (io::PartSpec& p : spec.parts) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  throw Error(Place{spec.file, 0}, "suspension", fmt::format("there is no part '{}'", name),
              suggestion(name, names));
}

/// A frame at a place of the world, with axes of the world.
void add_world_frame(io::PartSpec& part, const std::string& name, const Vec3& place) {
  const Mat3 R = rotation_from_quaternion(part.quaternion);
  io::FrameSpec f;
  f.name = name;
  f.position_m = part.kind == io::PartKind::ground ? place : Vec3(R.transpose() * (place - part.position_m));
  f.rotation = part.kind == io::PartKind::ground ? Mat3::Identity() : Mat3(R.transpose());
  f.place = part.place;
  part.frames.push_back(f);
}

/// What a rig does without: tires (posts carry the wheels) and sensors.
void strip(io::ModelSpec& spec) {
  std::erase_if(spec.interacts, [](const io::InteractSpec& s) {
    return s.group == io::Group::sensor || has_role(s.type, io::Role::tire);
  });
  spec.nominal = {};
}

int marker_named(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.markers.size(); ++i)
    if (model.markers[i].name == name) return static_cast<int>(i);
  return -1;
}

int row_of_joint(const Model& model, const std::string& name) {
  for (const JointInstance& j : model.joints)
    if (j.name == name) return j.lambda_start;
  return -1;
}

bool bends_in_rig(const io::PartSpec& p) {
  return p.kind == io::PartKind::flexible && p.body;
}

}  // namespace

SuspensionRig::SuspensionRig(io::ModelSpec spec, const RigOptions& options) {
  flexible_ = std::any_of(spec.parts.begin(), spec.parts.end(), bends_in_rig);
  if (!options.equilibrium) {
    io::ModelSpec rigid = spec;
    for (io::PartSpec& p : rigid.parts)
      if (bends_in_rig(p)) io::make_rigid(p);
    build(rigid, options);
    if (determined()) {
      home_ = state_;
      home_knobs_ = knobs_;
      return;
    }
  }
  // Bushings, flexible parts: the position follows from the balance of forces.
  solve_nominal(spec);
  equilibrium_ = true;
  build(spec, options);
  solve();
  if (!end_.empty())
    throw NumericError(Place{spec.file, 0}, "suspension", fmt::format("no equilibrium on the rig: {}", end_),
                       "give the parts of the suspension springs or joints that hold them");
  home_ = state_;
  home_knobs_ = knobs_;
}

void SuspensionRig::build(io::ModelSpec& spec, const RigOptions& options) {
  body_ = find_body(spec, options.body);
  corners_ = options.corners.empty() ? find_corners(spec, body_) : options.corners;
  if (!options.only.empty()) {
    std::vector<std::string> names;
    for (const RigCorner& c : corners_) names.push_back(c.name);
    for (const std::string& name : options.only)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Error(Place{spec.file, 0}, "suspension",
                    fmt::format("there is no wheel '{}'; wheels found: {}", name, fmt::join(names, ", ")),
                    suggestion(name, names));
  }
  if (corners_.empty())
    throw Error(Place{spec.file, 0}, "suspension", "no wheel was found: the model has no tires",
                "name the wheels: --wheel NAME=PART@x,y,z with the place of the wheel centre");
  steer_ = options.steer;
  if (steer_.empty() && has_signal(spec, "rack")) steer_ = "rack";
  freeze(spec, 0);
  strip(spec);
  std::vector<std::string> knob_names;
  if (!steer_.empty()) {
    for (const io::SignalSpec& s : spec.signals)
      if (s.name == steer_) steer_zero_ = s.function.at(0).value;
    knob_names.push_back(knob_of_signal(spec, steer_));
  } else {
    knob_names.push_back("rig no steering");
    add_knob(spec, knob_names.back());
  }
  const auto knob = [&](const RigCorner& c, const char* what) {
    knob_names.push_back(fmt::format("rig {} {}", c.name, what));
    add_knob(spec, knob_names.back());
    return knob_names.back();
  };
  io::PartSpec& ground = spec.parts.front();
  for (const RigCorner& c : corners_) {
    io::PartSpec& carrier = rig_part(spec, c.carrier);
    const Vec3 held = options.hold_carrier
                          ? Vec3(carrier.position_m +
                                 rotation_from_quaternion(carrier.quaternion) * carrier.center_of_mass_m)
                          : c.centre;
    add_world_frame(carrier, kCentre, c.centre);
    add_world_frame(carrier, kContact, c.centre - c.radius_m * Vec3::UnitZ());
    add_world_frame(carrier, kHeld, held);
    add_world_frame(ground, fmt::format("rig {}", c.name), held);
    const io::EndSpec base{"ground", fmt::format("rig {}", c.name), {}};
    io::InteractSpec post = make_interact("rig post " + c.name, "driven_position", io::Group::joint, base,
                                          {c.carrier, kHeld, {}});
    set_signal(post, "travel_m", knob(c, "travel"));
    const std::string lock_knob = knob(c, "lock");
    spec.interacts.push_back(post);
    for (const char* where : {kContact, kCentre}) {
      io::InteractSpec push = make_interact(fmt::format("{} force {}", where, c.name), "actuator_vector",
                                            io::Group::force, base, {c.carrier, where, {}});
      set_signal(push, "force_x_N", knob(c, where == kContact ? "contact x" : "centre x"));
      set_signal(push, "force_y_N", knob(c, where == kContact ? "contact y" : "centre y"));
      set_signal(push, "force_z_N", knob(c, where == kContact ? "contact z" : "centre z"));
      spec.interacts.push_back(push);
    }
    io::InteractSpec twist = make_interact("rig moment " + c.name, "actuator_torque", io::Group::force, base,
                                           {c.carrier, kContact, {}});
    set_signal(twist, "torque_Nm", knob(c, "moment"));
    spec.interacts.push_back(twist);
    if (c.spring.empty() || steer_.empty()) continue;
    for (const io::InteractSpec& s : std::vector<io::InteractSpec>(spec.interacts)) {
      if (s.name != c.spring || s.ends.size() != 2) continue;
      io::InteractSpec lock =
          make_interact("rig lock " + c.name, "driven_distance", io::Group::joint, s.ends[0], s.ends[1]);
      set_signal(lock, "length_m", lock_knob);
      spec.interacts.push_back(lock);
    }
  }
  model_ = build_model(spec);
  ws_ = std::make_unique<Workspace>(*model_);
  ws_->all_markers = true;
  state_ = initial_state(*model_);
  state_.z.setZero();
  knob_at_.clear();
  for (const std::string& name : knob_names) knob_at_.push_back(knob_index(*model_, name));
  knobs_ = VecX::Zero(static_cast<Eigen::Index>(knob_at_.size()));
  knobs_[0] = steer_zero_;
  set_knobs(knobs_);
  held_.assign(static_cast<std::size_t>(model_->nz), 0);
  for (const Part& p : model_->parts)
    if (p.name == body_)
      for (int i = 0; i < p.rigid_size(); ++i) held_[static_cast<std::size_t>(p.z_start + i)] = 1;
  post_row_.clear(), lock_row_.clear(), centre_marker_.clear(), contact_marker_.clear();
  spring_.clear(), damper_.clear();
  for (const RigCorner& c : corners_) {
    post_row_.push_back(row_of_joint(*model_, "rig post " + c.name));
    lock_row_.push_back(row_of_joint(*model_, "rig lock " + c.name));
    centre_marker_.push_back(marker_named(*model_, c.carrier + "." + kCentre));
    contact_marker_.push_back(marker_named(*model_, c.carrier + "." + kContact));
    const auto line = [&](const std::string& name) {
      for (const ForceInstance& f : model_->forces)
        if (f.name == name)
          return Line{static_cast<int>(f.markers[0].at()), static_cast<int>(f.markers[1].at())};
      return Line{};
    };
    spring_.push_back(line(c.spring));
    damper_.push_back(line(c.damper));
  }
  choose_rows(false);
  update_signals(*ws_, 0, state_.r);
  update_positions(*ws_, state_.x);
  update_velocities(*ws_, state_.z);
  start_joint_memory(*ws_, 0, state_.r);
  if (!close())
    throw Error(Place{spec.file, 0}, "suspension",
                fmt::format("the model does not close in its reference position: {}", end_),
                "see `monocoque check`");
  start_joint_memory(*ws_, 0, state_.r);
  update_constraints(*ws_, 0, state_.r);
  start_force_states(*ws_, state_);
}

void SuspensionRig::choose_rows(bool locked) {
  std::fill(ws_->active.begin(), ws_->active.end(), char{1});
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const bool lock = locked && lock_row_[i] >= 0;
    if (lock_row_[i] >= 0) ws_->active[static_cast<std::size_t>(lock_row_[i])] = lock;
    ws_->active[static_cast<std::size_t>(post_row_[i])] = !lock;
  }
}

/// Whether the constraints hold every wheel that is measured (its spin aside).
bool SuspensionRig::determined() {
  std::vector<Eigen::Index> rows, free;
  for (Eigen::Index r = 0; r < model_->nlambda; ++r)
    if (ws_->active[static_cast<std::size_t>(r)]) rows.push_back(r);
  for (Eigen::Index i = 0; i < model_->nz; ++i)
    if (!held_[static_cast<std::size_t>(i)]) free.push_back(i);
  const MatX all = MatX(constraint_matrix(*ws_));
  const MatX Q = null_space(all(rows, free));
  for (const RigCorner& c : corners_)
    for (const Part& p : model_->parts) {
      if (p.name != c.carrier) continue;
      for (std::size_t k = 0; k < free.size(); ++k)
        if (free[k] >= p.z_start && free[k] < p.z_start + p.rigid_size() &&
            Q.row(static_cast<Eigen::Index>(k)).norm() > 1e-7)
          return false;
    }
  return true;
}

void SuspensionRig::set_knobs(const VecX& values) {
  for (std::size_t i = 0; i < knob_at_.size(); ++i)
    state_.r[knob_at_[i]] = values[static_cast<Eigen::Index>(i)];
}

/// Newton on the constraints with the smallest change.
bool SuspensionRig::close() {
  Workspace& ws = *ws_;
  std::vector<bool> free(held_.size());
  for (std::size_t i = 0; i < held_.size(); ++i) free[i] = !held_[i];
  std::vector<char> keep(static_cast<std::size_t>(model_->nlambda), 0);
  for (const JointInstance& j : model_->joints)
    for (int i = 0; i < j.joint->holonomic_rows(); ++i) {
      const auto row = static_cast<std::size_t>(j.lambda_start + i);
      keep[row] = ws.active[row];
    }
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 40; ++k) {
    update_signals(ws, 0, state_.r);
    update_positions(ws, state_.x);
    update_constraints(ws, 0, state_.r);
    Eigen::Index worst = 0;
    const double size = model_->nlambda > 0 ? ws.g.cwiseAbs().maxCoeff(&worst) : 0;
    if (size < 1e-12 || (size < 1e-10 && size > 0.5 * before)) return true;
    end_ = fmt::format("{} would stay open by {:.3g} (m or rad)", model_->row_label(static_cast<int>(worst)),
                       size);
    if (!std::isfinite(size) || (k > 8 && size > 0.5 * before)) return false;
    before = size;
    auto G = constraint_matrix(ws);
    G.prune([&](Eigen::Index row, Eigen::Index, double) { return keep[static_cast<std::size_t>(row)] != 0; });
    const VecX d = -min_norm_solve(G, ws.g, free);
    if (!(d.lpNorm<Eigen::Infinity>() < 2 * kLargestJump)) return false;
    retract(*model_, state_.x, d, state_.x);
  }
  return false;
}

bool SuspensionRig::solve() {
  end_.clear();
  if (!equilibrium_) {
    const bool closed = close();
    if (closed) end_.clear();
    return closed;
  }
  try {
    EquilibriumOptions options;
    options.held = held_;
    options.continuation = false;
    find_equilibrium(*ws_, state_, options);
    return true;
  } catch (const Error& e) {
    end_ = e.diagnostics().empty() ? e.what()
                                   : e.diagnostics().front().element + ": " + e.diagnostics().front().problem;
    return false;
  }
}

bool SuspensionRig::walk(const VecX& to) {
  const VecX from = knobs_;
  VecX moved(model_->nz);
  reached_ = 0;
  for (double step = 1; reached_ < 1;) {
    const double next = std::min(1.0, reached_ + step);
    const State good = state_;
    set_knobs(from + next * (to - from));
    bool ok = solve();
    if (ok) {
      local_difference(*model_, good.x, state_.x, moved);
      for (const Part& p : model_->parts)
        if (p.moves() && moved.segment(p.z_start, p.rigid_size()).lpNorm<Eigen::Infinity>() > kLargestJump) {
          ok = false;
          end_ = "the linkage would jump into another position";
        }
    }
    if (ok) {
      reached_ = next;
      step *= 2;
      knobs_ = from + next * (to - from);
      continue;
    }
    state_ = good;
    if ((step /= 2) < kLeastShare) break;
  }
  set_knobs(knobs_);
  evaluate_markers();
  return reached_ >= 1;
}

void SuspensionRig::evaluate_markers() {
  update_signals(*ws_, 0, state_.r);
  update_positions(*ws_, state_.x);
}

VecX SuspensionRig::knobs_of(const Setting& setting) const {
  VecX u = VecX::Zero(knobs_.size());
  u[0] = setting.steer;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(1 + kKnobsPerCorner * i);
    u[at] = setting.travel_m.at(i);
    u[at + 1] = knobs_[at + 1];
    if (i >= setting.load.size()) continue;
    u.segment<3>(at + 2) = setting.load[i].contact_N;
    u.segment<3>(at + 5) = setting.load[i].centre_N;
    u[at + 8] = setting.load[i].aligning_Nm;
  }
  return u;
}

bool SuspensionRig::move(const Setting& to) {
  return walk(knobs_of(to));
}

void SuspensionRig::home() {
  state_ = home_;
  knobs_ = home_knobs_;
  set_knobs(knobs_);
  evaluate_markers();
}

WheelPose SuspensionRig::pose(std::size_t i) const {
  const RigCorner& c = corners_[i];
  const MarkerKinematics& m = ws_->markers[static_cast<std::size_t>(centre_marker_[i])].k;
  WheelPose p;
  p.centre = m.p;
  p.R = m.R;
  const Vec3 outward = (c.axis.y() * c.side() < 0 ? -1.0 : 1.0) * c.axis.normalized();
  p.axis = m.R * outward;
  const Vec3 left = c.side() * p.axis;
  p.heading = std::atan2(-left.x(), left.y());
  p.toe = -c.side() * p.heading;
  p.camber = std::asin(-p.axis.z());
  p.carrier_yaw = tait_bryan_from_rotation(m.R).z();
  const Vec3 up = (Vec3::UnitZ() - p.axis.z() * p.axis).normalized();
  p.contact = p.centre - c.radius_m * up;
  const auto length = [&](const Line& line) {
    if (line.a < 0) return std::numeric_limits<double>::quiet_NaN();
    return (ws_->markers[static_cast<std::size_t>(line.b)].k.p -
            ws_->markers[static_cast<std::size_t>(line.a)].k.p)
        .norm();
  };
  p.spring_m = length(spring_[i]);
  p.damper_m = length(damper_[i]);
  p.post_N = equilibrium_ ? -state_.lambda[post_row_[i]] : std::numeric_limits<double>::quiet_NaN();
  return p;
}

std::vector<SuspensionRig::Axis> SuspensionRig::kingpins() {
  std::vector<Axis> out(corners_.size());
  if (steer_.empty()) return out;
  const State before = state_;
  const VecX knobs = knobs_;
  VecX locked = knobs_;
  std::vector<WheelPose> plus, minus;
  for (std::size_t i = 0; i < corners_.size(); ++i)
    if (lock_row_[i] >= 0) locked[static_cast<Eigen::Index>(2 + kKnobsPerCorner * i)] = pose(i).spring_m;
  choose_rows(true);
  bool ok = true;
  for (const double sign : {1.0, -1.0}) {
    VecX u = locked;
    u[0] += sign * steer_step_;
    set_knobs(u);
    ok = ok && solve();
    evaluate_markers();
    for (std::size_t i = 0; i < corners_.size(); ++i) (sign > 0 ? plus : minus).push_back(pose(i));
    state_ = before;
  }
  choose_rows(false);
  knobs_ = knobs;
  set_knobs(knobs_);
  evaluate_markers();
  if (!ok) return out;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vec3 w =
        rotation_vector_from_quaternion(quaternion_from_rotation(plus[i].R * minus[i].R.transpose()));
    if (w.norm() < 1e-3 * steer_step_) continue;
    const Vec3 v = plus[i].centre - minus[i].centre;
    const Vec3 middle = 0.5 * (plus[i].centre + minus[i].centre);
    out[i].found = true;
    out[i].point = middle + w.cross(v) / w.squaredNorm();
    out[i].direction = w.normalized() * (w.z() < 0 ? -1 : 1);
  }
  return out;
}

}  // namespace monocoque::analysis
