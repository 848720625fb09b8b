#include "analysis/linear/linear_inputs.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/error.h"
#include "elements/tires/tire_force.h"
#include "results/recorder.h"
#include "solve/acceleration_system.h"

namespace monocoque::analysis {

namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

/// Units stand at the end of names of fields.
std::string unit_of_field(const std::string& field) {
  for (const char* unit : {"rad_per_s", "m_per_s", "Nm", "rad", "Pa", "N", "m"})
    if (field.ends_with(std::string("_") + unit)) {
      std::string text = unit;
      const std::size_t at = text.find("_per_");
      return at == std::string::npos ? text : text.substr(0, at) + "/" + text.substr(at + 5);
    }
  return "1";
}

/// Forces enter linearly and need a step that shows; motions a small one.
double step_of(const std::string& unit) {
  if (unit == "Pa") return 1000;
  return unit == "N" || unit == "Nm" ? 1.0 : 1e-5;
}

bool on_ground(const Model& model, MarkerIndex marker) {
  return !model.parts[model.markers[marker.at()].part.at()].moves();
}

class Collector {
 public:
  Collector(const io::ModelSpec& spec, const Model& model) : model_(model) {
    for (const io::InteractSpec& s : spec.interacts) interacts_[s.name] = &s;
  }

  template <class Instance>
  void signals_of(const Instance& element) {
    const auto it = interacts_.find(element.name);
    const io::TypeInfo* type = element_library().find(element.type);
    if (it == interacts_.end() || type == nullptr) return;
    int slot = element.signal_start;
    for (const io::Field& field : type->fields) {
      if (field.kind != io::FieldKind::signal) continue;
      const io::SignalSource& source = it->second->parameters.signal(field.name);
      const ControllerIndex controller = model_.signals[static_cast<std::size_t>(slot)].controller;
      const std::string name = controller.valid()    ? model_.controllers[controller.at()].name
                               : source.name.empty() ? element.name + "/" + field.name
                                                     : source.name;
      const auto [at, fresh] = place_.emplace(name, list.size());
      if (fresh) {
        LinearInput input;
        input.name = name;
        input.unit = unit_of_field(field.name);
        input.usual = controller.valid() || !source.name.empty();
        input.step = step_of(input.unit);
        list.push_back(std::move(input));
      }
      list[at->second].slots.push_back(slot++);
    }
  }

  std::vector<LinearInput> list;

 private:
  const Model& model_;
  std::map<std::string, const io::InteractSpec*> interacts_;
  std::map<std::string, std::size_t> place_;
};

}  // namespace

std::vector<LinearInput> linear_inputs(const io::ModelSpec& spec, const Model& model) {
  Collector collector(spec, model);
  for (const JointInstance& joint : model.joints) collector.signals_of(joint);
  for (const ForceInstance& force : model.forces) collector.signals_of(force);
  std::vector<LinearInput> list = std::move(collector.list);
  std::stable_partition(list.begin(), list.end(), [](const LinearInput& i) { return i.usual; });
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const ForceInstance& force = model.forces[i];
    if (dynamic_cast<const TireForce*>(force.force.get()) == nullptr || !on_ground(model, force.markers[0]))
      continue;
    LinearInput road;
    road.kind = LinearInput::Kind::road;
    road.name = "road/" + force.name;
    road.unit = "m";
    road.usual = true;
    road.tire = static_cast<int>(i);
    list.push_back(std::move(road));
  }
  for (std::size_t i = 0; i < model.markers.size(); ++i) {
    const Marker& marker = model.markers[i];
    const Part& part = model.parts[marker.part.at()];
    if (!part.moves()) continue;
    const std::string place = part.origin.at() == i ? part.name : marker.name;
    for (int axis = 0; axis < (part.turns() ? 6 : 3); ++axis) {
      LinearInput load;
      load.kind = LinearInput::Kind::load;
      load.name = fmt::format("{}/{}/{}", place, axis < 3 ? "force" : "torque", kAxes[axis % 3]);
      load.unit = axis < 3 ? "N" : "Nm";
      load.marker = MarkerIndex(static_cast<int>(i));
      load.axis = axis;
      load.step = 1;
      list.push_back(std::move(load));
    }
  }
  return list;
}

std::vector<LinearInput> choose_inputs(const io::ModelSpec& spec, const Model& model,
                                       const std::vector<std::string>& patterns) {
  const std::vector<LinearInput> all = linear_inputs(spec, model);
  std::vector<LinearInput> chosen;
  if (patterns.empty()) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [](const LinearInput& i) { return i.usual; });
    return chosen;
  }
  for (const std::string& pattern : patterns) {
    const std::size_t before = chosen.size();
    for (const LinearInput& input : all)
      if (matches(pattern, input.name) &&
          std::none_of(chosen.begin(), chosen.end(),
                       [&](const LinearInput& c) { return c.name == input.name; }))
        chosen.push_back(input);
    if (chosen.size() > before) continue;
    std::vector<std::string> names, usual;
    for (const LinearInput& i : all) {
      names.push_back(i.name);
      if (i.usual) usual.push_back(i.name);
    }
    const std::string hint = suggestion(pattern, names);
    throw Error("inputs", fmt::format("no input matches '{}'", pattern),
                hint.empty() ? fmt::format("inputs: {}; and PART/force/x, PART.frame/torque/z of every part",
                                           fmt::join(usual, ", "))
                             : hint);
  }
  return chosen;
}

InputPort::InputPort(Workspace& ws, const State& s) : ws_(ws), s_(s) {
  evaluate(ws, s);
  const Model& model = ws.model;
  base_ = signals_ = ws.signals;
  road_.resize(model.forces.size());
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    ws.joints[i].in.u = signals_.data() + model.joints[i].signal_start;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    ws.forces[i].in.u = signals_.data() + model.forces[i].signal_start;
    if (!on_ground(model, model.forces[i].markers[0])) continue;
    road_[i] = *ws.forces[i].in.m[0];
    ws.forces[i].in.m[0] = &road_[i];
  }
}

InputPort::~InputPort() {
  const Model& model = ws_.model;
  ws_.external = {};
  for (std::size_t i = 0; i < model.joints.size(); ++i)
    ws_.joints[i].in.u = ws_.signals.data() + model.joints[i].signal_start;
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    ws_.forces[i].in.u = ws_.signals.data() + model.forces[i].signal_start;
    ws_.forces[i].in.m[0] = &ws_.markers[model.forces[i].markers[0].at()].k;
  }
}

VecX InputPort::load(const LinearInput& input) const {
  ws_.all_markers = true;
  evaluate(ws_, s_);
  ws_.all_markers = false;
  const Model& model = ws_.model;
  const Marker& marker = model.markers[input.marker.at()];
  const Part& part = model.parts[marker.part.at()];
  VecX f = VecX::Zero(model.nz);
  Vec3 force = Vec3::Zero(), moment = force;
  (input.axis < 3 ? force : moment)[input.axis % 3] = 1;
  f.segment<3>(part.z_start) = force;
  if (!part.turns()) return f;
  const Mat3& R = ws_.parts[marker.part.at()].R;
  f.segment<3>(part.z_start + 3) = R.transpose() * (moment + ws_.markers[input.marker.at()].r.cross(force));
  if (marker.shape < 0) return f;
  const auto shape = static_cast<std::size_t>(marker.shape);
  f.segment(part.z_start + 6, part.nq()) =
      model.shapes[shape].Phi.transpose() * (R.transpose() * force) +
      model.shapes[shape].Psi.transpose() * (ws_.elastic[shape].L.transpose() * (R.transpose() * moment));
  return f;
}

void InputPort::move(const LinearInput& input, const Taylor2& by) {
  rest();
  switch (input.kind) {
    case LinearInput::Kind::signal:
      for (const int slot : input.slots) {
        Taylor2& u = signals_[static_cast<std::size_t>(slot)];
        u.value += by.value;
        u.rate += by.rate;
        u.acceleration += by.acceleration;
      }
      break;
    case LinearInput::Kind::road:
      road_[static_cast<std::size_t>(input.tire)].p.z() += by.value;
      road_[static_cast<std::size_t>(input.tire)].v.z() += by.rate;
      break;
    case LinearInput::Kind::load:
      ws_.external.value = by.value * load(input);
      ws_.external.rate = VecX::Zero(ws_.model.nz);
      ws_.external.t0 = s_.t;
      break;
  }
}

void InputPort::rest() {
  signals_ = base_;  // same size: the pointers stay
  ws_.external = {};
  for (std::size_t i = 0; i < road_.size(); ++i)
    if (const MarkerIndex m = ws_.model.forces[i].markers[0]; on_ground(ws_.model, m))
      road_[i] = ws_.markers[m.at()].k;
}

}  // namespace monocoque::analysis
