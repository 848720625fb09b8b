#include "analysis/handling/handling_drive.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error.h"
#include "core/rotation.h"

namespace monocoque::analysis {

namespace {

const io::PartSpec& part_named(const io::ModelSpec& model, const std::string& name) {
  std::vector<std::string> names;
  for (const io::PartSpec& p : model.parts) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  throw Error(Place{model.file, 0}, "handling", fmt::format("there is no part '{}'", name),
              suggestion(name, names));
}

/// Part frame to world: the mean place of some parts.
Vec3 middle(const io::ModelSpec& model, const std::vector<std::string>& names) {
  Vec3 sum = Vec3::Zero();
  for (const std::string& name : names) sum += part_named(model, name).position_m;
  return sum / static_cast<double>(names.size());
}

/// Mass and mass moment of a part in world axes.
void add_mass(const io::PartSpec& p, double& mass, Vec3& moment) {
  const Mat3 R = rotation_from_quaternion(p.quaternion);
  const double m = p.body ? p.body->mass_kg : p.mass_kg;
  mass += m;
  moment += m * p.position_m + R * (p.body ? Vec3(p.body->mdCM.zero) : Vec3(m * p.center_of_mass_m));
  for (const io::RotorSpec& r : p.rotors) {
    mass += r.mass_kg;
    moment += r.mass_kg * (p.position_m + R * r.position_m);
  }
}

/// Reads one recorded row.
class Row {
 public:
  explicit Row(const std::vector<Channel>& channels) : channels_(channels) {}
  int vector(const std::string& path) const { return column(path + "/x"); }
  int quaternion(const std::string& part) const { return column(part + "/orientation/q0"); }

 private:
  int column(const std::string& path) const {
    for (std::size_t i = 0; i < channels_.size(); ++i)
      if (channels_[i].path == path) return static_cast<int>(i);
    throw Error("handling", fmt::format("the model has no channel '{}'", path),
                "the parts of a car under test must be rigid or flexible bodies that turn");
  }
  const std::vector<Channel>& channels_;
};

double heading(const Mat3& R) {
  return std::atan2(R(1, 0), R(0, 0));
}

}  // namespace

TestDrive::TestDrive(const HandlingCar& car, const DriveSettings& settings, std::function<bool()> interrupted)
    : car_(car), settings_(settings), interrupted_(std::move(interrupted)) {
  if (car_.names.front.empty() || car_.names.rear.empty())
    throw Error("handling", "an axle has no parts", "name the wheel carriers of both axles");
  const io::ScenarioSpec spec = specification(1, true, TimeFunction::constant(0));
  Vec3 moment = Vec3::Zero();
  for (const io::PartSpec& p : spec.model.parts) add_mass(p, sizes_.mass_kg, moment);
  const io::PartSpec& body = part_named(spec.model, car_.names.car);
  if (!(sizes_.mass_kg > 0)) throw Error(body.place, "handling", "the car has no mass", {});
  const Vec3 centre_W = moment / sizes_.mass_kg;
  const auto in_body = [&](const Vec3& p_W) -> Vec3 {
    return rotation_from_quaternion(body.quaternion).transpose() * (p_W - body.position_m);
  };
  centre_ = in_body(centre_W);
  front_x_ = in_body(middle(spec.model, car_.names.front)).x();
  rear_x_ = in_body(middle(spec.model, car_.names.rear)).x();
  sizes_.wheelbase_m = front_x_ - rear_x_;
  sizes_.front_m = front_x_ - centre_.x();
  sizes_.rear_m = centre_.x() - rear_x_;
  sizes_.height_m = centre_W.z();
  if (!(sizes_.wheelbase_m > 0))
    throw Error(
        body.place, "handling",
        fmt::format("the front axle lies {} m before the rear axle, it must be > 0", sizes_.wheelbase_m),
        "x of the car part points forward; check the names of the axles");
}

io::ScenarioSpec TestDrive::specification(double speed, bool hold, const TimeFunction& steer) const {
  io::ScenarioSpec spec = car_.at_speed(speed, hold);
  std::vector<std::string> names;
  for (io::SignalSpec& s : spec.model.signals) {
    names.push_back(s.name);
    if (s.name != car_.names.steer) continue;
    s.function = steer;
    io::SimulationSpec& sim = spec.simulation;
    if (sim.solver != settings_.solver) sim.constraints = sim.stabilisation = "";
    sim.solver = settings_.solver;
    sim.step_s = settings_.step_s;
    sim.step_given = true;
    sim.start_s = 0;
    sim.output_step_s = settings_.output_s;
    sim.outputs.clear();
    for (const char* kind :
         {"position", "velocity", "acceleration", "orientation", "angular_velocity", "angular_acceleration"})
      sim.outputs.push_back(fmt::format("{}/{}/*", car_.names.car, kind));
    for (const auto* axle : {&car_.names.front, &car_.names.rear})
      for (const std::string& name : *axle) sim.outputs.push_back(name + "/orientation/*");
    return spec;
  }
  throw Error(Place{spec.model.file, 0}, "handling", fmt::format("there is no signal '{}'", car_.names.steer),
              suggestion(car_.names.steer, names));
}

CarTrace TestDrive::drive(const Run& run) const {
  io::ScenarioSpec spec = specification(run.speed_m_per_s, run.hold_speed, run.steer);
  spec.simulation.end_s = run.end_s;
  const auto model = build_model(spec.model);
  Simulation simulation(*model, spec.simulation);
  const Row row(simulation.channels());
  const std::string& car = car_.names.car;
  const int p = row.vector(car + "/position"), v = row.vector(car + "/velocity"),
            a = row.vector(car + "/acceleration"), q = row.quaternion(car),
            w = row.vector(car + "/angular_velocity"), alpha = row.vector(car + "/angular_acceleration");
  std::vector<int> front, rear;
  for (const std::string& name : car_.names.front) front.push_back(row.quaternion(name));
  for (const std::string& name : car_.names.rear) rear.push_back(row.quaternion(name));

  CarTrace out;
  double front_zero = 0, rear_zero = 0;
  bool stop = false;
  RunHooks hooks;
  hooks.record = [&](double t, const double* values) {
    const auto vec = [&](int i) { return Vec3(values[i], values[i + 1], values[i + 2]); };
    const auto rotation = [&](int i) {
      return rotation_from_quaternion(Vec4(values[i], values[i + 1], values[i + 2], values[i + 3]));
    };
    const Mat3 R = rotation(q);
    const Vec3 w_W = vec(w), arm = R * centre_;
    const auto mean_angle = [&](const std::vector<int>& axle) {
      double sum = 0;
      for (const int i : axle) sum += heading(R.transpose() * rotation(i));
      return sum / static_cast<double>(axle.size());
    };
    const Vec3 place = vec(p) + arm, velocity = vec(v) + w_W.cross(arm);
    const Vec3 acceleration = vec(a) + vec(alpha).cross(arm) + w_W.cross(w_W.cross(arm));
    const double psi = heading(R), c = std::cos(psi), s = std::sin(psi);
    const double vx = c * velocity.x() + s * velocity.y(), vy = -s * velocity.x() + c * velocity.y();
    const double r = w_W.z();
    const double df = mean_angle(front), dr = mean_angle(rear);
    if (out.t.empty()) front_zero = df, rear_zero = dr;
    out.t.push_back(t);
    out.steer.push_back(run.steer.at(t).value);
    out.x.push_back(place.x());
    out.y.push_back(place.y());
    out.speed.push_back(std::hypot(vx, vy));
    out.yaw_rate.push_back(r);
    out.sideslip.push_back(std::atan2(vy, vx));
    out.roll.push_back(tait_bryan_from_rotation(R).x());
    out.centripetal.push_back(out.speed.back() * r);
    out.lateral.push_back(-s * acceleration.x() + c * acceleration.y());
    out.front.push_back(df - front_zero);
    out.rear.push_back(dr - rear_zero);
    out.slip_front.push_back(out.front.back() - std::atan2(vy + sizes_.front_m * r, vx));
    out.slip_rear.push_back(out.rear.back() - std::atan2(vy - sizes_.rear_m * r, vx));
    stop = run.stop && run.stop(out);
  };
  hooks.interrupted = [&] { return stop || interrupted(); };
  try {
    simulation.run(hooks);
  } catch (const Error& e) {
    // A car that spins may end where its model does: for a handling test this is an answer.
    out.failed = true;
    out.reason = e.what();
  }
  return out;
}

double at_time(const CarTrace& trace, const std::vector<double>& values, double t) {
  const auto it = std::lower_bound(trace.t.begin(), trace.t.end(), t);
  if (it == trace.t.begin()) return values.front();
  if (it == trace.t.end()) return values.back();
  const std::size_t i = static_cast<std::size_t>(it - trace.t.begin());
  const double share = (t - trace.t[i - 1]) / (trace.t[i] - trace.t[i - 1]);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

}  // namespace monocoque::analysis
