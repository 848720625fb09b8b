// Wheels of a model found by their tires, springs and dampers by their ends.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "analysis/suspension/suspension_rig.h"
#include "core/error.h"
#include "core/rotation.h"
#include "elements/registry.h"

namespace monocoque::analysis {

namespace {

const io::PartSpec* part_of(const io::ModelSpec& spec, const std::string& name) {
  for (const io::PartSpec& p : spec.parts)
    if (p.name == name) return &p;
  return nullptr;
}

const io::FrameSpec* frame_of(const io::PartSpec& part, const std::string& name) {
  for (const io::FrameSpec& f : part.frames)
    if (f.name == name) return &f;
  return nullptr;
}

Vec3 place_in_part(const io::PartSpec& part, const io::FrameSpec* frame) {
  if (frame == nullptr) return Vec3::Zero();
  if (part.body && frame->node >= 0)
    for (const io::SidNode& n : part.body->nodes)
      if (n.id == frame->node) return frame->position_m + Vec3(n.origin.zero.col(0));
  return frame->position_m;
}

Vec3 world_place(const io::ModelSpec& spec, const io::EndSpec& end) {
  const io::PartSpec* part = part_of(spec, end.part);
  if (part == nullptr) return Vec3::Zero();
  return part->position_m +
         rotation_from_quaternion(part->quaternion) * place_in_part(*part, frame_of(*part, end.frame));
}

/// Parts that hang together with the carrier without the body: arms, rods, wheel.
std::set<std::string> parts_around(const io::ModelSpec& spec, const std::string& carrier,
                                   const std::string& body) {
  std::set<std::string> out{carrier};
  for (bool more = true; more;) {
    more = false;
    for (const io::InteractSpec& s : spec.interacts) {
      if (s.ends.size() != 2 || (s.group != io::Group::joint && !has_role(s.type, io::Role::mount))) continue;
      for (const int k : {0, 1}) {
        const std::string &here = s.ends[static_cast<std::size_t>(k)].part,
                          &there = s.ends[static_cast<std::size_t>(1 - k)].part;
        if (out.count(here) == 0 || out.count(there) > 0 || there == body || there == "ground") continue;
        out.insert(there);
        more = true;
      }
    }
  }
  return out;
}

bool acts_as(const io::InteractSpec& s, bool spring) {
  if (!has_role(s.type, spring ? io::Role::spring : io::Role::damper)) return false;
  const char* field = spring ? "stiffness_N_per_m" : "damping_Ns_per_m";
  return !s.parameters.has(field) || s.parameters.number(field) > 0;
}

/// The spring (or damper) between the corner and the rest that is nearest to the wheel.
std::string line_force_of(const io::ModelSpec& spec, const RigCorner& corner, const std::string& body,
                          bool spring) {
  const std::set<std::string> around = parts_around(spec, corner.carrier, body);
  std::string best;
  double least = INFINITY;
  for (const io::InteractSpec& s : spec.interacts) {
    if (s.ends.size() != 2 || !acts_as(s, spring)) continue;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      if (around.count(s.ends[k].part) == 0 || around.count(s.ends[1 - k].part) > 0) continue;
      const double away = (world_place(spec, s.ends[k]) - corner.centre).norm();
      if (away >= least) continue;
      least = away;
      best = s.name;
    }
  }
  return best;
}

/// Carrier and axis of a wheel that is a part of its own.
void find_bearing(const io::ModelSpec& spec, const io::PartSpec& wheel, RigCorner& corner) {
  corner.carrier = wheel.name;
  corner.axis = rotation_from_quaternion(wheel.quaternion).col(1);
  for (const io::InteractSpec& s : spec.interacts) {
    if (!has_role(s.type, io::Role::bearing) || s.ends.size() != 2) continue;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      if (s.ends[k].part != wheel.name || s.ends[1 - k].part == "ground") continue;
      corner.carrier = s.ends[1 - k].part;
      const io::FrameSpec* frame = frame_of(wheel, s.ends[k].frame);
      corner.axis = rotation_from_quaternion(wheel.quaternion) *
                    (frame != nullptr ? Vec3(frame->rotation.col(2)) : Vec3::UnitZ());
    }
  }
}

}  // namespace

std::string find_body(const io::ModelSpec& spec, const std::string& wanted) {
  std::vector<std::string> names;
  for (const io::PartSpec& p : spec.parts) names.push_back(p.name);
  const auto there = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!wanted.empty()) {
    if (there(wanted)) return wanted;
    throw Error(Place{spec.file, 0}, "suspension", fmt::format("there is no part '{}'", wanted),
                suggestion(wanted, names));
  }
  for (const char* name : {"car", "chassis", "body"})
    if (there(name)) return name;
  return "ground";
}

std::vector<RigCorner> find_corners(const io::ModelSpec& spec, const std::string& body) {
  std::vector<RigCorner> out;
  for (const io::InteractSpec& s : spec.interacts) {
    if (!has_role(s.type, io::Role::tire) || s.ends.size() != 2) continue;
    const io::PartSpec* wheel = part_of(spec, s.ends[1].part);
    if (wheel == nullptr) continue;
    RigCorner c;
    const std::size_t slash = s.name.rfind('/');
    c.name = slash == std::string::npos ? s.name : s.name.substr(0, slash);
    c.centre = world_place(spec, s.ends[1]);
    const io::FrameSpec* frame = frame_of(*wheel, s.ends[1].frame);
    if (frame != nullptr && !frame->rotor.empty()) {
      c.carrier = wheel->name;
      for (const io::RotorSpec& r : wheel->rotors)
        if (r.name == frame->rotor) c.axis = rotation_from_quaternion(wheel->quaternion) * r.axis;
    } else {
      find_bearing(spec, *wheel, c);
    }
    out.push_back(c);
  }
  for (RigCorner& c : out) {
    c.radius_m = c.centre.z();
    c.spring = line_force_of(spec, c, body, true);
    c.damper = line_force_of(spec, c, body, false);
  }
  return out;
}

}  // namespace monocoque::analysis
