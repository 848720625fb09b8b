// Simbody: joint coordinates; the loop of the four-bar is closed by two plane constraints.

#include <Simbody.h>

#include "measure/stop_watch.h"
#include "peers.h"

namespace monocoque::bench {
namespace {

using namespace SimTK;

Body::Rigid rod(double mass, double length, const Vec3& center) {
  const double inertia = mass * length * length / 12;
  const Inertia about_center(0.01 * inertia, inertia, inertia);
  return Body::Rigid(MassProperties(mass, center, about_center.shiftFromMassCenter(-center, mass)));
}

Outcome run(Problem problem, double end_s, double fineness, bool fixed_step) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(0, -kGravity, 0));
  std::vector<MobilizedBody::Pin> bodies;
  Vec3 station(0);
  if (problem == Problem::chain) {
    const Body::Rigid link = rod(kLinkMass, kLinkLength, Vec3(0));
    for (int i = 0; i < kChainLinks; ++i) {
      MobilizedBody& parent = i == 0 ? static_cast<MobilizedBody&>(matter.updGround()) : bodies.back();
      bodies.emplace_back(parent, Transform(Vec3(i == 0 ? 0 : kLinkLength / 2, 0, 0)), link,
                          Transform(Vec3(-kLinkLength / 2, 0, 0)));
    }
    station = Vec3(kLinkLength / 2, 0, 0);
  } else {
    // Part axes lie along the world's at the start, so all coordinates begin at zero.
    const double inertia = 1.0 / 12;
    const Vec3 up(0, 0.5, 0), along(0.5, 0, 0);
    const Body::Rigid vertical(MassProperties(1, Vec3(0), Inertia(inertia, 0.01 * inertia, inertia)));
    bodies.reserve(3);
    bodies.emplace_back(matter.updGround(), Transform(Vec3(0)), vertical, Transform(-up));
    bodies.emplace_back(matter.updGround(), Transform(Vec3(1, 0, 0)), vertical, Transform(-up));
    bodies.emplace_back(bodies[0], Transform(up), rod(1, 1, Vec3(0)), Transform(-along));
    Constraint::PointInPlane(bodies[1], UnitVec3(XAxis), 0, bodies[2], along);
    Constraint::PointInPlane(bodies[1], UnitVec3(YAxis), 0.5, bodies[2], along);
    station = up;
  }
  State state = system.realizeTopology();
  system.realizeModel(state);
  if (problem == Problem::four_bar) {
    bodies[0].setRate(state, -1);
    bodies[1].setRate(state, -1);
    bodies[2].setRate(state, 1);
  }
  RungeKuttaMersonIntegrator integrator(system);
  if (fixed_step) {
    integrator.setFixedStepSize(end_s / fineness);
    integrator.setConstraintTolerance(1e-6);
  } else {
    integrator.setAccuracy(1 / fineness);
  }
  integrator.setFinalTime(end_s);
  integrator.initialize(state);
  Outcome out;
  const measure::StopWatch watch;
  while (integrator.getTime() < end_s) {
    const Integrator::SuccessfulStepStatus status = integrator.stepTo(end_s, end_s);
    if (status == Integrator::EndOfSimulation) break;
  }
  out.cpu_s = watch.elapsed().cpu_s;
  out.steps = integrator.getNumStepsTaken();
  const SimTK::State& last = integrator.getState();
  system.realize(last, Stage::Position);
  const MobilizedBody& body = problem == Problem::chain ? bodies.back() : bodies.front();
  const Vec3 p = body.findStationLocationInGround(last, station);
  out.point = {p[0], p[1]};
  out.finished = std::isfinite(p[0]);
  return out;
}

Tool tool(const char* method, bool fixed_step) {
  return {"Simbody", method, fixed_step, [fixed_step](Problem problem, double end_s, double fineness) {
            try {
              return run(problem, end_s, fineness, fixed_step);
            } catch (const std::exception&) {  // a step that cannot be made is a result too
              return Outcome{};
            }
          }};
}

}  // namespace

std::vector<Tool> simbody_tools() {
  return {tool("Runge-Kutta-Merson, fixed step", true), tool("Runge-Kutta-Merson, error control", false)};
}

}  // namespace monocoque::bench
