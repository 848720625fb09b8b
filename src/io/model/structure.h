#pragma once
// The keys of everything in a model file that is not an element type: one table, used by the reader and by
// the JSON Schema. Internal to io.

#include <string>
#include <vector>

#include "io/model/field.h"

namespace monocoque::io {

/// What stands under a key, where a Field alone cannot say it.
enum class Shape {
  value,        ///< as the Field says
  inertia,      ///< 3 or 6 numbers
  names,        ///< a list of words; Field::choices limits them
  numbers,      ///< a map from name to number or formula
  connections,  ///< a map from port to part
  orientation,
  end,  ///< "part.frame" or an inline frame
  frames,
  rotors,
  road,
  lane,
  nominal,
  unknowns,
  points,  ///< a table of time: one or more [t, y] pairs
  ground,
  parts,
  interacts,
  signals,
  controllers,
  subsystem_types,
  subsystems,
  simulation,
  model  ///< a path or a model
};

/// default_text "~" marks a key that may be absent and then has no value.
struct Key : Field {
  Shape shape = Shape::value;
};

using Keys = std::vector<Key>;
const Keys& model_keys();
const Keys& scenario_keys();
const Keys& ground_keys();
const Keys& part_keys();
const Keys& frame_keys();
const Keys& rotor_keys();
const Keys& road_keys();
const Keys& lane_keys();
const Keys& nominal_keys();
const Keys& unknown_keys();
const Keys& inline_end_keys();
const Keys& orientation_keys();
const Keys& interact_keys(Attachment attachment);
const Keys& signal_keys();
const Keys& controller_keys();
const Keys& subsystem_type_keys();
const Keys& subsystem_keys();
const Keys& simulation_keys();  ///< from the table in simulation_settings.h

/// The keys of an element: those of its attachment, then its own fields.
Keys element_keys(const TypeInfo& type);

constexpr int format_version = 1;
/// Six coordinates of a part: translations in world axes, rotations about part axes.
const std::vector<std::string>& coordinate_names();

}  // namespace monocoque::io
