// Parts and frames.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/rotation.h"
#include "io/model/builder.h"
#include "io/model/rigid_part.h"

namespace monocoque::io {

namespace {

std::array<bool, 6> flags(const std::vector<std::string>& words) {
  std::array<bool, 6> set{};
  const auto& names = coordinate_names();
  for (std::size_t i = 0; i < 6; ++i) set[i] = std::find(words.begin(), words.end(), names[i]) != words.end();
  return set;
}

/// The frame turns with a rotor: its origin must be on the axis, where turning does not move it.
void place_on_rotor(const MapReader& f, const PartSpec& part, FrameSpec& frame) {
  frame.rotor = f.text("rotor");
  std::vector<std::string> known;
  for (const RotorSpec& rotor : part.rotors) {
    known.push_back(rotor.name);
    if (rotor.name != frame.rotor) continue;
    const Vec3 arm = frame.position_m - rotor.position_m;
    const double off = (arm - arm.dot(rotor.axis) * rotor.axis).norm();
    if (off > 1e-9)
      f.error("position_m",
              fmt::format("position_m lies {:.4g} m off the axis of rotor '{}'", off, rotor.name),
              "move it onto the axis, or make the rotor a part of its own with a revolute joint");
    return;
  }
  f.error("rotor", fmt::format("the part has no rotor '{}'", frame.rotor), suggestion(frame.rotor, known));
}

}  // namespace

void Builder::read_ground(const Instance& root) {
  for (const MapReader& block : root.blocks) {
    const NodePtr node = block.find("ground");
    if (!node) continue;
    const MapReader r(context_, *root.scope, node, ground_keys(), "ground", "part 'ground'");
    read_frames(r, root, model_.parts[0]);
  }
}

void Builder::read_part(const Instance& in, const NodePtr& node) {
  const std::string name = read_name(*node, "part");
  const std::string full = in.prefix + name;
  const std::string element = fmt::format("part '{}'", full);
  const MapReader r(context_, *in.scope, node, part_keys(), "parts." + full, element);
  PartSpec part;
  part.name = full;
  part.place = node->place();
  const std::string kind = r.text("kind");
  if (kind == "particle") part.kind = PartKind::particle;
  if (kind == "flexible") part.kind = PartKind::flexible;
  if (part.kind == PartKind::particle) forbid_on_particle(r);
  read_flexible(r, in, part);
  if (part.kind != PartKind::flexible) read_inertial(r, in, part);
  read_motion(r, in, part);
  read_rotors(r, in, part);
  read_frames(r, in, part);
  read_mesh(r, in, part);
  if (part.body && r.text("elasticity") == "off")
    for (const FrameSpec* frame : make_rigid(part))
      context_.error(frame->place, fmt::format("frame '{}' of {}", frame->name, element),
                     fmt::format("the body has no node {}", frame->node));
  if (name.empty()) return;
  if (name == "ground" || in.ports.count(name)) {
    context_.error(part.place, element, "this name stands for something else already", "choose another name");
    return;
  }
  const auto [it, fresh] = parts_.emplace(full, model_.parts.size());
  if (!fresh) {
    const Place first = model_.parts[it->second].place;
    context_.error(part.place, element,
                   fmt::format("the name is taken by line {} of {}", first.line, first.file),
                   "every part needs a name of its own");
    return;
  }
  model_.parts.push_back(std::move(part));
}

void Builder::forbid_on_particle(const MapReader& r) {
  for (const char* key :
       {"inertia_kg_m2", "center_of_mass_m", "orientation", "angular_velocity_rad_per_s", "frames"})
    if (r.has(key))
      r.error(key, fmt::format("{} is given, a particle has none", key), "remove the key or use kind: rigid");
  for (const char* key : {"fixed", "fixed_velocity"})
    for (const std::string& word : r.words(key))
      if (word[0] == 'r')
        r.error(key, fmt::format("{} names {}, a particle does not turn", key, word), "use x, y and z only");
}

void Builder::read_flexible(const MapReader& r, const Instance& in, PartSpec& part) {
  if (part.kind != PartKind::flexible) {
    for (const char* key : {"body", "geometric_stiffening", "inertia_couplings", "coupling_tolerance",
                            "elasticity", "stiffness_factor", "elastic_position", "elastic_velocity"})
      if (r.has(key))
        r.error(key, fmt::format("{} is given, only a flexible part has it", key),
                "remove the key or use kind: flexible");
    return;
  }
  for (const char* key : {"mass_kg", "inertia_kg_m2", "center_of_mass_m"})
    if (r.has(key))
      r.error(key, fmt::format("{} is given, a flexible part has it from its body", key), "remove the key");
  if (in.transform.side() < 0)
    context_.error(part.place, r.element(), "a flexible part cannot be mirrored",
                   "reduce the mirrored mesh, and give the body as a parameter of the other side");
  part.geometric_stiffening = r.text("geometric_stiffening") != "off";
  part.stiffness_factor = r.number("stiffness_factor");
  const std::string couplings = r.text("inertia_couplings");
  part.inertia_couplings = couplings == "neglected"    ? InertiaCouplings::neglected
                           : couplings == "compressed" ? InertiaCouplings::compressed
                                                       : InertiaCouplings::full;
  part.coupling_tolerance = r.number("coupling_tolerance");
  const NodePtr path = r.find("body");
  if (!path || !path->is_scalar() || path->text.empty()) {
    context_.error(part.place, r.element(), "body is missing: a flexible part needs its reduced model",
                   "give body: FILE.sid, made by `monocoque reduce`");
    return;
  }
  if (!context_.files_allowed()) {
    context_.error(path->place(), r.element(), "the body cannot be read: other files are not allowed here");
    return;
  }
  const std::string file = file_beside(*path, part);
  const auto [it, fresh] = bodies_.emplace(file, nullptr);
  if (fresh) {
    try {
      it->second = std::make_shared<const Sid>(read_sid(file));
    } catch (const Error& e) {
      context_.error(path->place(), r.element(), fmt::format("its body '{}' cannot be read", path->text));
      for (const Diagnostic& d : e.diagnostics()) context_.error(d.place, d.element, d.problem, d.remedy);
    }
  }
  part.body = it->second;
  if (!part.body) return;
  const auto take = [&](const char* key, std::vector<double>& out) {
    if (!r.has(key)) return;
    if (const auto e = r.entry(key)) out = e->list;
    if (static_cast<int>(out.size()) != part.body->nq)
      r.error(key, fmt::format("{} has {} numbers, the body has {} elastic coordinates", key, out.size(),
                               part.body->nq));
  };
  take("elastic_position", part.elastic_position);
  take("elastic_velocity", part.elastic_velocity);
}

/// A path given on the command line may also mean a file beside the model.
std::string Builder::file_beside(const Node& path, const PartSpec& part) {
  const auto beside = [&](const std::string& written_in) {
    return (std::filesystem::path(written_in).parent_path() / path.text).lexically_normal().string();
  };
  std::string file = beside(path.place().file);
  if (!std::filesystem::exists(file) && std::filesystem::exists(beside(part.place.file)))
    file = beside(part.place.file);
  return file;
}

void Builder::read_mesh(const MapReader& r, const Instance& in, PartSpec& part) {
  const NodePtr path = r.find("mesh");
  if (!path) {
    if (r.has("mesh_scale")) r.error("mesh_scale", "mesh_scale is given without mesh", "give mesh: FILE");
    return;
  }
  if (!path->is_scalar() || path->text.empty()) {
    r.error("mesh", fmt::format("mesh is {}, it must be the path of a file", describe(*path)));
    return;
  }
  if (!context_.files_allowed()) {
    context_.error(path->place(), r.element(), "the mesh cannot be read: other files are not allowed here");
    return;
  }
  part.mesh = {file_beside(*path, part), r.number("mesh_scale"), in.transform.side() < 0, path->place()};
  if (!std::filesystem::is_regular_file(part.mesh.file))
    context_.error(path->place(), r.element(), fmt::format("its mesh '{}' is no file", path->text),
                   "give the path of an STL, OBJ or shapes file, relative to the model file");
}

void Builder::read_inertial(const MapReader& r, const Instance& in, PartSpec& part) {
  if (!r.has("mass_kg"))
    context_.error(part.place, r.element(), "key 'mass_kg' is missing",
                   "add it (mass; 0 makes a massless part)");
  const auto mass = r.has("mass_kg") ? r.entry("mass_kg") : std::nullopt;
  part.mass_kg = mass ? mass->number : 0;
  if (part.kind == PartKind::particle) return;
  part.center_of_mass_m = in.transform.direction(r.vec3("center_of_mass_m"));
  const NodePtr inertia = r.find("inertia_kg_m2");
  if (!inertia) {
    if (part.mass_kg > 0)
      context_.error(part.place, r.element(), "inertia_kg_m2 is missing for a part with mass",
                     "give Ixx Iyy Izz, or use kind: particle for a mass point");
    return;
  }
  if (const auto J = read_inertia(context_, *in.scope, *inertia, {r.element(), "inertia_kg_m2"}))
    part.inertia_kg_m2 = in.transform.conjugate(*J);
  if (mass && mass->number == 0 && !part.inertia_kg_m2.isZero(0))
    context_.error(inertia->place(), r.element(), "inertia_kg_m2 is given, but mass_kg is 0",
                   "give the part a mass, or remove its inertia");
}

void Builder::read_motion(const MapReader& r, const Instance& in, PartSpec& part) {
  part.position_m = in.transform.point(r.vec3("position_m"));
  part.velocity_m_per_s = in.transform.direction(r.vec3("velocity_m_per_s"));
  part.fixed_position = flags(r.words("fixed"));
  part.fixed_velocity = flags(r.words("fixed_velocity"));
  if (part.kind == PartKind::particle) return;
  part.angular_velocity_rad_per_s = in.transform.axial(r.vec3("angular_velocity_rad_per_s"));
  if (const NodePtr node = r.find("orientation"))
    if (const auto R = read_orientation(context_, *in.scope, node, r.path_of("orientation"),
                                        {r.element(), "orientation"}))
      part.quaternion = quaternion_from_rotation(in.transform.conjugate(*R));
}

void Builder::read_rotors(const MapReader& r, const Instance& in, PartSpec& part) {
  if (!r.has("rotors")) return;
  if (part.kind != PartKind::rigid) {
    r.error("rotors", "rotors are given, only a rigid part has them",
            "put them on a rigid part that is fixed here");
    return;
  }
  for (const NodePtr& node : r.maps("rotors")) {
    RotorSpec rotor;
    rotor.name = read_name(*node, r.element());
    rotor.place = node->place();
    const std::string element = fmt::format("rotor '{}' of {}", rotor.name, r.element());
    const MapReader f(context_, *in.scope, node, rotor_keys(), r.path_of("rotors") + "." + rotor.name,
                      element);
    rotor.mass_kg = f.number("mass_kg");
    rotor.axial_inertia_kg_m2 = f.number("axial_inertia_kg_m2");
    rotor.transverse_inertia_kg_m2 = f.number("transverse_inertia_kg_m2");
    rotor.position_m = in.transform.direction(f.vec3("position_m"));
    // A spin keeps its sense in a mirrored subsystem: both wheels of an axle roll forwards.
    const Vec3 axis = in.transform.axial(f.vec3("axis"));
    if (!(axis.norm() > 0))
      f.error("axis", "axis is [0, 0, 0], it must not be zero");
    else
      rotor.axis = axis.normalized();
    rotor.angle_rad = f.number("angle_rad");
    rotor.speed_rad_per_s = f.number("speed_rad_per_s");
    if (rotor.axial_inertia_kg_m2 > 2 * rotor.transverse_inertia_kg_m2 * (1 + 1e-9))
      f.error("axial_inertia_kg_m2",
              fmt::format(
                  "axial_inertia_kg_m2 is {:g}, more than twice the transverse one, {:g}: no body has that",
                  rotor.axial_inertia_kg_m2, rotor.transverse_inertia_kg_m2));
    const bool taken = std::any_of(part.rotors.begin(), part.rotors.end(),
                                   [&](const RotorSpec& other) { return other.name == rotor.name; });
    if (taken && !rotor.name.empty())
      context_.error(rotor.place, element, "another rotor of the part has this name", "choose another name");
    part.rotors.push_back(std::move(rotor));
  }
}

void Builder::read_frames(const MapReader& r, const Instance& in, PartSpec& part) {
  for (const NodePtr& node : r.maps("frames")) {
    FrameSpec frame;
    frame.name = read_name(*node, r.element());
    frame.place = node->place();
    const std::string element = fmt::format("frame '{}' of {}", frame.name, r.element());
    const MapReader f(context_, *in.scope, node, frame_keys(), r.path_of("frames") + "." + frame.name,
                      element);
    frame.position_m = in.transform.direction(f.vec3("position_m"));
    if (f.has("node")) {
      if (part.kind != PartKind::flexible)
        f.error("node", "node is given, only flexible parts have nodes", "remove the key");
      else if (const auto e = f.entry("node"))
        frame.node = static_cast<long>(e->number);
    }
    if (f.has("rotor")) place_on_rotor(f, part, frame);
    if (const NodePtr axes = f.find("orientation"))
      if (const auto R =
              read_orientation(context_, *in.scope, axes, f.path_of("orientation"), {element, "orientation"}))
        frame.rotation = in.transform.conjugate(*R);
    const bool taken = std::any_of(part.frames.begin(), part.frames.end(),
                                   [&](const FrameSpec& other) { return other.name == frame.name; });
    if (frame.name == "origin")
      context_.error(frame.place, element, "the name 'origin' stands for the part frame itself",
                     "choose another name");
    else if (taken && !frame.name.empty())
      context_.error(frame.place, element, "another frame of the part has this name", "choose another name");
    part.frames.push_back(std::move(frame));
  }
}

}  // namespace monocoque::io
