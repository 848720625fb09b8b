#pragma once
// A model that stands still for an analysis: its functions of time keep the values of one instant, its
// controllers do nothing, and chosen signals become knobs that the analysis turns (in State::r).

#include <string>
#include <vector>

#include "io/model/specification.h"
#include "model/model.h"
#include "model/state.h"

namespace monocoque::analysis {

/// Every function of time becomes its value at t; controllers go, and what they drove is zero.
void freeze(io::ModelSpec& spec, double t);
/// A new knob, to be named by signal fields of elements.
void add_knob(io::ModelSpec& spec, const std::string& name);
/// Makes a knob of a signal of the model and returns its name; throws Error where there is none. Call after
/// freeze.
std::string knob_of_signal(io::ModelSpec& spec, const std::string& signal);
bool has_signal(const io::ModelSpec& spec, const std::string& signal);

/// Defaults of a type with its fields, for interacts that an analysis adds.
io::InteractSpec make_interact(const std::string& name, const std::string& type, io::Group group,
                               const io::EndSpec& from, const io::EndSpec& to);
void set_number(io::InteractSpec& interact, const std::string& field, double value);
void set_signal(io::InteractSpec& interact, const std::string& field, const std::string& knob);

/// Where the value of a knob is in State::r; throws Error for an unknown name.
int knob_index(const Model& model, const std::string& name);

}  // namespace monocoque::analysis
