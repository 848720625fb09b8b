#pragma once
// Field tables: the one source for reading, checking, documenting and completing the keys of a model file.
// Every element type declares its keys once, as Fields; the reader, the JSON Schema and the generic tests
// all work from that declaration.

#include <algorithm>
#include <string>
#include <vector>

namespace monocoque::io {

enum class FieldKind {
  number,  ///< one number (or formula of parameters)
  integer,
  boolean,
  text,
  choice,    ///< one of Field::choices
  vector,    ///< list of exactly `size` numbers
  list,      ///< list of one or more numbers
  table,     ///< list of at least two [x, y] pairs, x strictly increasing
  signal,    ///< number, formula of t, name of an entry of `signals`, or name of a controller
  reference  ///< name of another interact (joint, force, sensor) or signal
};

/// What every number of the field must satisfy, beyond being finite.
enum class Rule { any, positive, non_negative, nonzero, fraction /* 0 <= x <= 1 */ };

struct Field {
  std::string name;  ///< with its unit: stiffness_N_per_m
  FieldKind kind = FieldKind::number;
  std::string doc;  ///< one line for schema and docs
  /// YAML text of the default; empty: the key is required; "~": it may be absent (ParameterSet::has is then
  /// false); "[]": an empty list or table; "''": empty text
  std::string default_text;
  std::string example;  ///< YAML text of a generic valid value (no zeros that hide a sign); used by the tests
  Rule rule = Rule::any;
  int size = 0;                      ///< of a vector
  std::vector<std::string> choices;  ///< of a choice
  bool required() const { return default_text.empty(); }
};

/// What an interact holds on to.
enum class Attachment {
  frames,      ///< `from` and `to`: two frames
  joint,       ///< `joint`: the two frames of another joint (joint friction)
  two_joints,  ///< `joints`: [a, b], four frames (gear, coupler)
  shafts,      ///< `housing`, `input`, `left`, `right`: four frames (differential)
  interact     ///< `of`: any interact (force sensor)
};

/// Keys of the frames that an attachment names; empty for those that name interacts.
inline std::vector<const char*> frame_keys(Attachment attachment) {
  if (attachment == Attachment::frames) return {"from", "to"};
  if (attachment == Attachment::shafts) return {"housing", "input", "left", "right"};
  return {};
}

enum class Group { joint, force, sensor, controller, road, lane };

/// Where in a model file elements of a group stand.
enum class Section { interacts, controllers, road, lane };
inline Section section_of(Group group) {
  if (group == Group::controller) return Section::controllers;
  if (group == Group::lane) return Section::lane;
  return group == Group::road ? Section::road : Section::interacts;
}

/// What an element is to an analysis that looks for it in somebody's model. Types declare their roles, so
/// that no analysis has to know the names of types.
enum class Role {
  bearing,  ///< joint: leaves one rotation free, about z of its first frame
  drive,    ///< joint: its only signal prescribes one coordinate, in its last row
  mount,    ///< force: holds two parts together in all directions, like a joint with compliance
  spring,   ///< force: elastic along the line between its frames, unless its stiffness_N_per_m is 0
  damper,   ///< force: damps along the line between its frames, unless its damping_Ns_per_m is 0
  tire,     ///< force: the road carries the wheel at its second frame
  tir_file  ///< force: its field `file` names a tire property file
};

/// How a picture shows a force between its two frames.
enum class Drawing { none, line, spring, tire };

struct TypeInfo {
  std::string name;  ///< value of `type`
  Group group = Group::joint;
  std::string doc;
  std::vector<Field> fields;
  Attachment attachment = Attachment::frames;
  std::vector<Role> roles = {};
  Drawing drawing = Drawing::none;
  std::string driven_form = {};  ///< of a joint: the type that prescribes its one coordinate; may be empty
  bool has(Role role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }
};

/// All element types the reader knows. Filled by the registry of the elements module.
struct Library {
  std::vector<TypeInfo> types;
  const TypeInfo* find(const std::string& name) const {
    for (const TypeInfo& t : types)
      if (t.name == name) return &t;
    return nullptr;
  }
};

}  // namespace monocoque::io
