// MuJoCo: joint coordinates; the loop of the four-bar is closed by a soft `connect`, as stiff as the step
// allows.

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "measure/stop_watch.h"
#include "peers.h"

namespace monocoque::bench {
namespace {

std::string inertial(double mass, double length, bool along_x) {
  const double inertia = mass * length * length / 12;
  return fmt::format("<inertial pos='0 0 0' mass='{}' diaginertia='{} {} {}'/>", mass,
                     along_x ? 0.01 * inertia : inertia, along_x ? inertia : 0.01 * inertia, inertia);
}

std::string chain_xml() {
  std::string open, close;
  for (int i = 0; i < kChainLinks; ++i) {
    open += fmt::format("<body name='b{}' pos='{} 0 0'><joint type='hinge' axis='0 0 1' pos='{} 0 0'/>{}", i,
                        i == 0 ? kLinkLength / 2 : kLinkLength, -kLinkLength / 2,
                        inertial(kLinkMass, kLinkLength, true));
    close += "</body>";
  }
  return "<worldbody>" + open + close + "</worldbody>";
}

std::string four_bar_xml() {
  return "<worldbody><body name='b0' pos='0 0.5 0'><joint type='hinge' axis='0 0 1' pos='0 -0.5 0'/>" +
         inertial(1, 1, false) +
         "<body name='b2' pos='0.5 0.5 0'><joint type='hinge' axis='0 0 1' pos='-0.5 0 0'/>" +
         inertial(1, 1, true) +
         "</body></body><body name='b1' pos='1 0.5 0'><joint type='hinge' axis='0 0 1' pos='0 -0.5 0'/>" +
         inertial(1, 1, false) +
         "</body></worldbody><equality><connect body1='b1' body2='b2' anchor='0 0.5 0'/></equality>";
}

/// solref: time constant and damping ratio of the soft constraint; two steps is MuJoCo's own lower limit.
std::string xml(Problem problem, double step) {
  return fmt::format(
      "<mujoco><compiler inertiafromgeom='false' boundmass='0' boundinertia='0' angle='radian'/>"
      "<option timestep='{:.17g}' integrator='RK4' gravity='0 {} 0' solver='Newton' iterations='100' "
      "tolerance='1e-14'/><default><equality solref='{:.17g} 1' solimp='0.9999 0.9999 "
      "0.001'/></default>{}</mujoco>",
      step, -kGravity, 2 * step, problem == Problem::chain ? chain_xml() : four_bar_xml());
}

mjModel* load(const std::string& text) {
  static mjVFS files;  // too large for the stack
  mj_defaultVFS(&files);
  if (mj_makeEmptyFileVFS(&files, "model.xml", static_cast<int>(text.size())) != 0) return nullptr;
  std::memcpy(files.filedata[mj_findFileVFS(&files, "model.xml")], text.data(), text.size());
  char problem[500] = "";
  mjModel* model = mj_loadXML("model.xml", &files, problem, sizeof problem);
  if (model == nullptr) fmt::print(stderr, "MuJoCo: {}\n", problem);
  mj_deleteVFS(&files);
  return model;
}

Outcome run(Problem problem, double end_s, double fineness) {
  mju_user_warning = [](const char*) {};  // would go into a file; the counters below tell
  const long steps = std::lround(fineness);
  mjModel* model = load(xml(problem, end_s / static_cast<double>(steps)));
  if (model == nullptr) return {};
  mjData* data = mj_makeData(model);
  if (problem == Problem::four_bar) {  // order of joints: b0, b2, b1
    data->qvel[0] = -1;
    data->qvel[1] = 1;
    data->qvel[2] = -1;
  }
  Outcome out;
  const measure::StopWatch watch;
  for (long i = 0; i < steps; ++i) mj_step(model, data);
  out.cpu_s = watch.elapsed().cpu_s;
  out.steps = steps;
  mj_kinematics(model, data);
  const int body = mj_name2id(model, mjOBJ_BODY, problem == Problem::chain ? "b19" : "b0");
  const mjtNum local[3] = {problem == Problem::chain ? kLinkLength / 2 : 0,
                           problem == Problem::chain ? 0 : 0.5, 0};
  mjtNum turned[3];
  mju_rotVecMat(turned, local, data->xmat + 9 * body);
  out.point = {data->xpos[3 * body] + turned[0], data->xpos[3 * body + 1] + turned[1]};
  // MuJoCo resets a run that diverges and counts a warning.
  const bool reset = data->warning[mjWARN_BADQACC].number + data->warning[mjWARN_BADQVEL].number +
                         data->warning[mjWARN_BADQPOS].number >
                     0;
  out.finished = !reset && std::isfinite(out.point[0]);
  mj_deleteData(data);
  mj_deleteModel(model);
  return out;
}

}  // namespace

std::vector<Tool> mujoco_tools() {
  return {{"MuJoCo", "RK4, fixed step", true, run}};
}

}  // namespace monocoque::bench
