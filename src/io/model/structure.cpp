#include "io/model/structure.h"

namespace monocoque::io {

namespace {

using K = FieldKind;

const char* const optional = "~";

Key text(std::string name, std::string doc, std::string otherwise = {}) {
  return {{std::move(name), K::text, std::move(doc), std::move(otherwise), {}, Rule::any, 0, {}},
          Shape::value};
}
Key number(std::string name, std::string doc, std::string otherwise = {}, Rule rule = Rule::any) {
  return {{std::move(name), K::number, std::move(doc), std::move(otherwise), {}, rule, 0, {}}, Shape::value};
}
Key integer(std::string name, std::string doc, std::string otherwise, Rule rule = Rule::any) {
  return {{std::move(name), K::integer, std::move(doc), std::move(otherwise), {}, rule, 0, {}}, Shape::value};
}
Key vector(std::string name, int size, std::string doc, std::string otherwise) {
  return {{std::move(name), K::vector, std::move(doc), std::move(otherwise), {}, Rule::any, size, {}},
          Shape::value};
}
Key list(std::string name, std::string doc, std::string otherwise) {
  return {{std::move(name), K::list, std::move(doc), std::move(otherwise), {}, Rule::any, 0, {}},
          Shape::value};
}
Key choice(std::string name, std::vector<std::string> choices, std::string doc, std::string otherwise) {
  return {{std::move(name),
           K::choice,
           std::move(doc),
           std::move(otherwise),
           {},
           Rule::any,
           0,
           std::move(choices)},
          Shape::value};
}
Key shaped(std::string name, Shape shape, std::string doc, std::string otherwise = optional,
           std::vector<std::string> choices = {}) {
  return {
      {std::move(name), K::text, std::move(doc), std::move(otherwise), {}, Rule::any, 0, std::move(choices)},
      shape};
}

Key version() {
  return integer("monocoque", "version of the file format, always 1", {}, Rule::positive);
}
Key parameters(const char* doc) {
  return shaped("parameters", Shape::numbers, doc);
}
Key name_of(const char* what) {
  return text("name", std::string("unique name of the ") + what + ": letters, digits, _ - and /");
}

/// What a model and a subsystem type have in common.
Keys contents() {
  return {shaped("parts", Shape::parts, "rigid and flexible bodies, particles"),
          shaped("interacts", Shape::interacts, "joints, forces and sensors between frames"),
          shaped("signals", Shape::signals, "functions of time"),
          shaped("controllers", Shape::controllers, "controllers, sampled in time"),
          shaped("subsystems", Shape::subsystems, "instances of subsystem types")};
}

Keys joined(Keys a, const Keys& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

const std::vector<std::string>& coordinate_names() {
  static const std::vector<std::string> names{"x", "y", "z", "rx", "ry", "rz"};
  return names;
}

const Keys& model_keys() {
  static const Keys keys = joined(
      {version(), text("name", "name of the model", optional), text("description", "free text", optional),
       shaped("include", Shape::names, "model files merged into this one, relative to this file"),
       parameters("numbers and formulas of other parameters, usable in every number of the file"),
       vector("gravity_m_per_s2", 3, "acceleration of free fall, world axes", "[0, 0, -9.81]"),
       shaped("ground", Shape::ground, "frames of the inertial part"),
       shaped("subsystem_types", Shape::subsystem_types,
              "groups of parts and interacts to be used several times"),
       shaped("road", Shape::road, "surface under the tires: layers, the first is the base; flat without it"),
       shaped("lane", Shape::lane, "where to drive: cones, limits, path of the driver"),
       shaped("nominal", Shape::nominal, "values to be found from equilibrium in the reference position"),
       shaped("simulation", Shape::simulation, "how to run the model")},
      contents());
  return keys;
}

const Keys& scenario_keys() {
  static const Keys keys{
      version(),
      text("name", "name of the scenario", optional),
      text("description", "free text", optional),
      shaped("model", Shape::model, "path of the model file, or the model itself", {}),
      parameters("values that replace parameters of the model"),
      shaped("signals", Shape::signals, "signals that replace those of the model, by name"),
      shaped("controllers", Shape::controllers, "controllers added to those of the model"),
      shaped("road", Shape::road, "road that replaces the one of the model"),
      shaped("lane", Shape::lane, "lane that replaces the one of the model"),
      shaped("simulation", Shape::simulation, "how to run the model")};
  return keys;
}

const Keys& ground_keys() {
  static const Keys keys{shaped("frames", Shape::frames, "named frames of the inertial part")};
  return keys;
}

const Keys& part_keys() {
  static const Keys keys{
      name_of("part"),
      choice("kind", {"rigid", "particle", "flexible"},
             "particle: a mass point without orientation; flexible: a body that bends, from `body`", "rigid"),
      number("mass_kg", "mass; 0 makes a massless part; a flexible part has it from its body", optional,
             Rule::non_negative),
      shaped(
          "inertia_kg_m2", Shape::inertia,
          "Ixx Iyy Izz, or Ixx Iyy Izz Ixy Ixz Iyz (tensor elements), about the centre of mass in part axes"),
      vector("center_of_mass_m", 3, "centre of mass in part axes", "[0, 0, 0]"),
      vector("position_m", 3, "position of the part frame, world axes", "[0, 0, 0]"),
      shaped("orientation", Shape::orientation, "part axes in world axes"),
      vector("velocity_m_per_s", 3, "initial velocity of the part frame, world axes", "[0, 0, 0]"),
      vector("angular_velocity_rad_per_s", 3, "initial angular velocity, world axes", "[0, 0, 0]"),
      shaped("fixed", Shape::names, "coordinates that the assembly must not move", optional,
             coordinate_names()),
      shaped("fixed_velocity", Shape::names, "velocities that the assembly must not change", optional,
             coordinate_names()),
      text("body", "flexible: path of its SID file, relative to this file", optional),
      choice("geometric_stiffening", {"on", "off"}, "flexible: terms by which loads change the stiffness",
             "on"),
      choice("elasticity", {"on", "off"},
             "flexible: off makes it a rigid part with mass, inertia and places of the nodes of its body",
             "on"),
      number("stiffness_factor", "flexible: factor on its elastic stiffness; ratios of damping are kept", "1",
             Rule::positive),
      choice(
          "inertia_couplings", {"full", "compressed", "neglected"},
          "flexible: inertia forces between pairs of elastic coordinates (Ge, first orders of Cr, Gr, Oe, "
          "second of J): all, at a cost that grows with the square of their number, with low rank, or none",
          "full"),
      number("coupling_tolerance", "flexible: of compressed inertia couplings, against all of them", "1e-3",
             Rule::positive),
      list("elastic_position", "flexible: initial elastic coordinates, in the order of the file", optional),
      list("elastic_velocity", "flexible: initial rates of the elastic coordinates", optional),
      text(
          "mesh",
          "how the part looks: path of an STL or OBJ file in part axes, or of the surface of a flexible body "
          "(`monocoque reduce --shapes`)",
          optional),
      number("mesh_scale", "metres in a unit of the mesh, e.g. 0.001", "1", Rule::positive),
      shaped("rotors", Shape::rotors,
             "bodies of revolution that spin about axes fixed in the part: wheels, shafts"),
      shaped("frames", Shape::frames, "named frames of the part")};
  return keys;
}

const Keys& rotor_keys() {
  static const Keys keys{
      name_of("rotor"),
      number("mass_kg", "mass", {}, Rule::non_negative),
      number("axial_inertia_kg_m2", "moment of inertia about its axis", {}, Rule::positive),
      number("transverse_inertia_kg_m2", "moment of inertia across its axis, about its centre", {},
             Rule::non_negative),
      vector("position_m", 3, "its centre in part axes", "[0, 0, 0]"),
      vector("axis", 3, "axis of spin in part axes; a positive speed turns about it", "[0, 1, 0]"),
      number("angle_rad", "initial angle", "0"),
      number("speed_rad_per_s", "initial speed relative to the part", "0")};
  return keys;
}

const Keys& frame_keys() {
  static const Keys keys{
      name_of("frame"),
      integer(
          "node",
          "flexible part: id of the node that carries the frame; position_m is an arm from there; without "
          "it the node that lies at position_m",
          optional),
      text("rotor", "name of the rotor with which the frame turns; position_m must lie on its axis",
           optional),
      vector("position_m", 3, "origin of the frame in part axes", "[0, 0, 0]"),
      shaped("orientation", Shape::orientation, "frame axes in part axes")};
  return keys;
}

const Keys& inline_end_keys() {
  static const Keys keys{
      text("part", "name of the part"), vector("position_m", 3, "origin of the frame in part axes", optional),
      shaped("orientation", Shape::orientation, "frame axes in part axes"),
      vector("at_world_m", 3, "origin of the frame in world axes at the initial position", optional),
      shaped("orientation_world", Shape::orientation, "frame axes in world axes at the initial position")};
  return keys;
}

const Keys& orientation_keys() {
  static const Keys keys{
      vector("quaternion", 4, "unit quaternion, scalar part first", optional),
      vector("axis", 3, "axis of a rotation, with angle_deg or angle_rad", optional),
      number("angle_deg", "angle about axis", optional),
      number("angle_rad", "angle about axis", optional),
      vector("roll_pitch_yaw_deg", 3, "R = Rz(yaw) Ry(pitch) Rx(roll)", optional),
      vector("roll_pitch_yaw_rad", 3, "R = Rz(yaw) Ry(pitch) Rx(roll)", optional),
      vector("x_axis", 3, "direction of the x axis; with one other axis", optional),
      vector("y_axis", 3, "direction of the y axis; with one other axis", optional),
      vector("z_axis", 3, "direction of the z axis; alone or with one other axis", optional)};
  return keys;
}

const Keys& interact_keys(Attachment attachment) {
  static const Key name = name_of("interact");
  static const Key type = text("type", "type of the element");
  static const Keys frames{name, type,
                           shaped("from", Shape::end, "first frame: part, part.frame, or inline", {}),
                           shaped("to", Shape::end, "second frame: part, part.frame, or inline", {})};
  static const Keys shafts{
      name,
      type,
      shaped("housing", Shape::end, "frame of the housing, which takes the reaction", {}),
      shaped("input", Shape::end, "frame that turns with the driving shaft, z along its axis", {}),
      shaped("left", Shape::end, "frame that turns with the left wheel, z along its axle", {}),
      shaped("right", Shape::end, "frame that turns with the right wheel, z along its axle", {})};
  static const Keys joint{name, type, text("joint", "name of the joint it acts on")};
  static const Keys joints{name, type, shaped("joints", Shape::names, "names of two joints", {})};
  static const Keys of{name, type, text("of", "name of the interact it measures")};
  switch (attachment) {
    case Attachment::joint:
      return joint;
    case Attachment::two_joints:
      return joints;
    case Attachment::interact:
      return of;
    case Attachment::shafts:
      return shafts;
    case Attachment::frames:
      break;
  }
  return frames;
}

const Keys& signal_keys() {
  static const Keys keys{
      name_of("signal"), text("formula", "formula of the time t and of parameters", optional),
      shaped("table", Shape::points, "points [t, y], t in seconds, strictly increasing"),
      choice("interpolation", {"linear", "cubic", "hold"}, "between the points of the table", "linear"),
      text("controller", "name of a controller whose output the signal is", optional)};
  return keys;
}

const Keys& nominal_keys() {
  static const Keys keys{
      shaped("unknowns", Shape::unknowns, "fields whose values follow from equilibrium"),
      shaped("unloaded", Shape::names, "names of joints that carry no load in the reference position")};
  return keys;
}

const Keys& unknown_keys() {
  static const Keys keys{shaped(
      "of", Shape::names, "interact.field, or interact.field.x of a vector; several get the same value")};
  return keys;
}

const Keys& road_keys() {
  static const Keys keys{text("type", "type of the road")};
  return keys;
}

const Keys& lane_keys() {
  static const Keys keys{text("type", "type of the lane")};
  return keys;
}

const Keys& controller_keys() {
  static const Keys keys{name_of("controller"), text("type", "type of the controller")};
  return keys;
}

const Keys& subsystem_type_keys() {
  static const Keys keys = joined(
      {text("description", "free text", optional), parameters("parameters of the type with their defaults"),
       shaped("ports", Shape::names, "names that stand for parts of the parent")},
      contents());
  return keys;
}

const Keys& subsystem_keys() {
  static const Keys keys{
      name_of("subsystem"),
      text("type", "name of a subsystem type"),
      parameters("values for parameters of the type"),
      shaped("connect", Shape::connections, "part of the parent for each port"),
      vector("position_m", 3, "shift of all parts of the subsystem", "[0, 0, 0]"),
      choice("mirror", {"x", "y", "z"}, "reflects the subsystem along this axis", optional)};
  return keys;
}

Keys element_keys(const TypeInfo& type) {
  Keys keys = type.group == Group::controller ? controller_keys()
              : type.group == Group::road     ? road_keys()
              : type.group == Group::lane     ? lane_keys()
                                              : interact_keys(type.attachment);
  for (const Field& f : type.fields) keys.push_back({f, Shape::value});
  return keys;
}

}  // namespace monocoque::io
