#pragma once
// A small library of element types of our own, so that the reader is tested without the elements module.

#include <gtest/gtest.h>

#include "io/model/reader.h"

namespace monocoque::io::test {

inline const Library& library() {
  static const Library lib = [] {
    using K = FieldKind;
    Library l;
    l.types.push_back({"revolute", Group::joint, "turns about z", {}, Attachment::frames});
    l.types.push_back({"spring",
                       Group::force,
                       "linear spring",
                       {{"stiffness_N_per_m", K::number, "stiffness", {}, "1200", Rule::non_negative, 0, {}},
                        {"damping_Ns_per_m", K::number, "damping", "0", "3.5", Rule::non_negative, 0, {}},
                        {"free_length_m", K::signal, "free length", "0", "0.3", Rule::any, 0, {}},
                        {"law", K::choice, "shape", "linear", {}, Rule::any, 0, {"linear", "cubic"}},
                        {"offset_m", K::vector, "offset", "[0, 0, 0]", "[1, 2, 3]", Rule::any, 3, {}},
                        {"curve", K::table, "force over length", "[]", "[[0, 1], [1, 3]]", Rule::any, 0, {}},
                        {"steps", K::integer, "count", "3", {}, Rule::positive, 0, {}},
                        {"active", K::boolean, "acts", "true", {}, Rule::any, 0, {}},
                        {"label", K::text, "free text", "~", {}, Rule::any, 0, {}},
                        {"weights", K::list, "weights", "[1]", {}, Rule::positive, 0, {}}},
                       Attachment::frames});
    l.types.push_back({"coupler",
                       Group::joint,
                       "ratio of two joints",
                       {{"ratio", K::number, "ratio", {}, "2", Rule::nonzero, 0, {}}},
                       Attachment::two_joints});
    l.types.push_back({"joint_friction",
                       Group::force,
                       "friction",
                       {{"coefficient", K::number, "Coulomb", {}, "0.1", Rule::fraction, 0, {}}},
                       Attachment::joint});
    l.types.push_back({"reaction", Group::sensor, "force of an interact", {}, Attachment::interact});
    l.types.push_back({"pid",
                       Group::controller,
                       "PID",
                       {{"gain", K::number, "gain", {}, "2", Rule::any, 0, {}},
                        {"input", K::reference, "measured", {}, "x", Rule::any, 0, {}},
                        {"target", K::signal, "set point", "0", {}, Rule::any, 0, {}}},
                       Attachment::frames});
    return l;
  }();
  return lib;
}

struct Reading {
  ScenarioSpec scenario;
  Diagnostics diagnostics;
  const ModelSpec& model() const { return scenario.model; }
  std::string text() const { return diagnostics.text(); }
  const PartSpec& part(const std::string& name) const {
    for (const PartSpec& p : scenario.model.parts)
      if (p.name == name) return p;
    throw std::runtime_error("no part " + name + "\n" + text());
  }
  const InteractSpec& interact(const std::string& name) const {
    for (const InteractSpec& i : scenario.model.interacts)
      if (i.name == name) return i;
    throw std::runtime_error("no interact " + name + "\n" + text());
  }
  const FrameSpec& frame(const std::string& part_name, const std::string& name) const {
    for (const FrameSpec& f : part(part_name).frames)
      if (f.name == name) return f;
    throw std::runtime_error("no frame " + name + "\n" + text());
  }
};

/// `monocoque: 1` stands on line 1, the given text begins on line 2.
inline Reading read(const std::string& body,
                    std::vector<std::pair<std::string, std::string>> overrides = {}) {
  Reading r;
  ReadOptions options;
  options.overrides = std::move(overrides);
  r.scenario = read_scenario_text("monocoque: 1\n" + body, "m.yaml", library(), options, r.diagnostics);
  return r;
}

inline Reading read_raw(const std::string& text) {
  Reading r;
  r.scenario = read_scenario_text(text, "m.yaml", library(), {}, r.diagnostics);
  return r;
}

}  // namespace monocoque::io::test
