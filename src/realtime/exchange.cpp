#include "realtime/exchange.h"

#include <zlib.h>
#include "io/files/json.h"

#include "realtime/packet.h"
#include "realtime/shared_link.h"

namespace monocoque::realtime {

namespace {

/// A controller whose output jumps must not drive a joint: there a jump is an impact.
void refuse_driven_joints(const Model& model, int controller) {
  for (const JointInstance& joint : model.joints)
    for (int k = 0; k < joint.joint->signal_count(); ++k) {
      const ControllerIndex c = model.signals[static_cast<std::size_t>(joint.signal_start + k)].controller;
      if (!c.valid() || static_cast<int>(c.at()) != controller) continue;
      const ControllerInstance& instance = model.controllers[c.at()];
      throw Error(instance.place, instance.label, "its output jumps, and it drives " + joint.label,
                  "give it servo_rad_per_s, e.g. 40: a joint needs a smooth motion");
    }
}

}  // namespace

std::uint32_t ExchangeLayout::id() const {
  std::string all;
  const auto add = [&](const std::string& name, const std::string& unit) {
    all += name;
    all += '\n';
    all += unit;
    all += '\n';
  };
  for (const InputInfo& i : inputs) add(i.name, i.unit);
  all += '\n';
  for (const Channel& c : outputs) add(c.path, c.unit);
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(all.data()), static_cast<uInt>(all.size()));
  return crc == 0 ? 1 : static_cast<std::uint32_t>(crc);
}

std::string ExchangeLayout::json() const {
  using Json = nlohmann::ordered_json;
  Json in = Json::array(), out = Json::array();
  for (const InputInfo& i : inputs)
    in.push_back({{"name", i.name},
                  {"unit", i.unit},
                  {"initial", i.initial},
                  {"minimum", i.minimum},
                  {"maximum", i.maximum}});
  for (const Channel& c : outputs) out.push_back({{"name", c.path}, {"unit", c.unit}});
  const SharedPlaces places = shared_places(inputs.size(), outputs.size());
  const Json all = {
      {"model", model},
      {"step_s", step_s},
      {"layout", id()},
      {"packet", {{"magic", "MCRT"}, {"version", kPacketVersion}, {"header_bytes", kHeaderBytes}}},
      {"shared_memory",
       {{"magic", "MCSHARED"},
        {"version", kSharedVersion},
        {"inputs_at", places.inputs},
        {"outputs_at", places.outputs},
        {"bytes", places.size}}},
      {"inputs", in},
      {"outputs", out}};
  return all.dump(2) + "\n";
}

ExternalInputs::ExternalInputs(const Model& model) {
  for (std::size_t i = 0; i < model.controllers.size(); ++i) {
    const ControllerInstance& c = model.controllers[i];
    const auto* external = dynamic_cast<const ExternalInput*>(c.controller.get());
    if (external == nullptr) continue;
    if (external->output_jumps()) refuse_driven_joints(model, static_cast<int>(i));
    inputs_.push_back({external, c.name, c.r_start});
  }
}

std::vector<InputInfo> ExternalInputs::infos() const {
  std::vector<InputInfo> out;
  for (const Input& i : inputs_)
    out.push_back(
        {i.name, i.element->unit(), i.element->initial(), i.element->minimum(), i.element->maximum()});
  return out;
}

void ExternalInputs::apply(const double* values, State& state) {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (!inputs_[i].element->set(state.t, values[i], state.r.data() + inputs_[i].r_start)) ++limited_;
}

void ExternalInputs::apply_initial(State& state) const {
  for (const Input& i : inputs_) i.element->set(state.t, i.element->initial(), state.r.data() + i.r_start);
}

}  // namespace monocoque::realtime
