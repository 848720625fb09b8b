#include "analysis/suspension/knobs.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "elements/controllers/servo.h"
#include "elements/registry.h"

namespace monocoque::analysis {

namespace {

io::ParameterSet default_parameters(const io::TypeInfo& type) {
  io::ParameterSet set;
  for (const io::Field& f : type.fields) {
    if (f.default_text == "~") continue;
    // A field without a default is set by the caller.
    set.entries[f.name] = f.default_text.empty() || f.default_text == "[]"
                              ? io::ParameterSet::Entry{}
                              : io::parse_field(f, f.default_text);
  }
  return set;
}

const io::TypeInfo& type_named(const std::string& name) {
  const io::TypeInfo* type = element_library().find(name);
  if (type == nullptr) throw Error("analysis", fmt::format("there is no element type '{}'", name));
  return *type;
}

}  // namespace

void freeze(io::ModelSpec& spec, double t) {
  const auto driven_by_controller = [&](const std::string& name) {
    return std::any_of(spec.controllers.begin(), spec.controllers.end(),
                       [&](const io::ControllerSpec& c) { return c.name == name; });
  };
  for (io::SignalSpec& s : spec.signals) {
    s.function = TimeFunction::constant(s.controller.empty() ? s.function.at(t).value : 0);
    s.controller.clear();
  }
  for (io::InteractSpec& s : spec.interacts)
    for (auto& [field, entry] : s.parameters.entries) {
      if (entry.signal.name.empty()) {
        entry.signal.function = TimeFunction::constant(entry.signal.function.at(t).value);
      } else if (driven_by_controller(entry.signal.name)) {
        entry.signal.name.clear();
        entry.signal.function = TimeFunction::constant(0);
      }
    }
  spec.controllers.clear();
  spec.lane = {};
}

void add_knob(io::ModelSpec& spec, const std::string& name) {
  io::ControllerSpec c;
  c.name = name;
  c.type = "external";
  c.parameters = default_parameters(type_named(c.type));
  spec.controllers.push_back(c);
}

bool has_signal(const io::ModelSpec& spec, const std::string& signal) {
  return std::any_of(spec.signals.begin(), spec.signals.end(),
                     [&](const io::SignalSpec& s) { return s.name == signal; });
}

std::string knob_of_signal(io::ModelSpec& spec, const std::string& signal) {
  std::vector<std::string> names;
  for (io::SignalSpec& s : spec.signals) {
    names.push_back(s.name);
    if (s.name != signal) continue;
    s.controller = "knob " + signal;
    add_knob(spec, s.controller);
    return s.controller;
  }
  throw Error(Place{spec.file, 0}, spec.name, fmt::format("there is no signal '{}'", signal),
              suggestion(signal, names));
}

io::InteractSpec make_interact(const std::string& name, const std::string& type, io::Group group,
                               const io::EndSpec& from, const io::EndSpec& to) {
  io::InteractSpec s;
  s.name = name;
  s.type = type;
  s.group = group;
  s.ends = {from, to};
  s.parameters = default_parameters(type_named(type));
  return s;
}

void set_number(io::InteractSpec& interact, const std::string& field, double value) {
  interact.parameters.entries[field].number = value;
}

void set_signal(io::InteractSpec& interact, const std::string& field, const std::string& knob) {
  interact.parameters.entries[field].signal.name = knob;
}

int knob_index(const Model& model, const std::string& name) {
  for (const ControllerInstance& c : model.controllers)
    if (c.name == name) return c.r_start + Servo::value;
  throw Error(model.name, fmt::format("there is no knob '{}'", name));
}

}  // namespace monocoque::analysis
