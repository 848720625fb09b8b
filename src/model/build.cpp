#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "core/rotation.h"
#include "elements/lanes/lane_types.h"
#include "elements/roads/road_types.h"
#include "model/checks.h"
#include "model/model.h"

namespace monocoque {

namespace {

constexpr double kNodeReach = 1e-3;  ///< a place this near to a node means the node, m

/// Finds the element type of a name in one of the registries.
template <class Element>
const ElementType<Element>* find_type(const std::vector<ElementType<Element>>& types,
                                      const std::string& name) {
  for (const auto& t : types)
    if (t.info.name == name) return &t;
  return nullptr;
}

class Builder {
 public:
  Builder(const io::ModelSpec& spec, Diagnostics& diagnostics)
      : spec_(spec), diagnostics_(diagnostics), model_(std::make_unique<Model>()) {}

  std::unique_ptr<const Model> build() {
    model_->name = spec_.name;
    model_->file = spec_.file;
    model_->gravity = spec_.gravity_m_per_s2;
    model_->source_text = spec_.source_text;
    add_road();
    add_parts();
    add_lane();
    for (std::size_t i = 0; i < spec_.controllers.size(); ++i)
      controller_index_.emplace(spec_.controllers[i].name, static_cast<int>(i));
    for (const io::InteractSpec& s : spec_.interacts)
      if (s.group == io::Group::joint && s.targets.empty()) add_joint(s);
    for (const io::InteractSpec& s : spec_.interacts)  // couplers refer to the joints above
      if (s.group == io::Group::joint && !s.targets.empty()) add_joint(s);
    for (const io::InteractSpec& s : spec_.interacts)
      if (s.group == io::Group::force) add_force(s);
    for (const io::InteractSpec& s : spec_.interacts)
      if (s.group == io::Group::sensor) add_sensor(s);
    for (const io::ControllerSpec& s : spec_.controllers) add_controller(s);
    collect_events();
    check_parts(*model_, diagnostics_);
    return std::move(model_);
  }

 private:
  void add_road() {
    std::vector<std::unique_ptr<const Road>> layers;
    for (std::size_t i = 0; i < spec_.road.size(); ++i) {
      const io::RoadSpec& s = spec_.road[i];
      try {
        layers.push_back(make_road(s.type, s.parameters));
      } catch (const Error& e) {
        for (const Diagnostic& d : e.diagnostics())
          diagnostics_.error(d.place.file.empty() ? s.place : d.place,
                             fmt::format("road {}, {}", i + 1, s.type), d.problem, d.remedy);
      }
    }
    if (!layers.empty()) model_->road = stack_roads(std::move(layers));
  }

  void add_lane() {
    const io::LaneSpec& s = spec_.lane;
    if (s.type.empty()) return;
    const std::string label = fmt::format("lane, {}", s.type);
    const io::TypeInfo* info = nullptr;
    std::unique_ptr<Lane> lane = make(lane_types(), s.type, s.parameters, s.place, label, &info);
    if (!lane) return;
    const std::string& frame = lane->geometry.frame;
    const std::string name = frame.find('.') == std::string::npos ? frame + ".origin" : frame;
    const auto it = marker_index_.find(name);
    if (it == marker_index_.end()) {
      std::vector<std::string> known;
      for (const auto& [key, value] : marker_index_) known.push_back(key);
      diagnostics_.error(s.parameters.place("frame"), label, fmt::format("there is no frame '{}'", name),
                         suggestion(name, known));
    } else if (model_->markers[it->second.at()].shape >= 0 ||
               !model_->parts[model_->markers[it->second.at()].part.at()].turns()) {
      diagnostics_.error(s.parameters.place("frame"), label,
                         fmt::format("frame '{}' turns with a rotor, deforms, or has no orientation", name),
                         "the outline needs a frame that moves with the car body");
    } else {
      model_->lane_marker = it->second;
    }
    model_->lane = std::move(lane);
  }

  void add_parts() {
    std::vector<double> x, z;
    for (const io::PartSpec& s : spec_.parts) {
      Part part;
      part.name = s.name;
      part.kind = s.kind;
      part.mass = s.mass_kg;
      part.inertia = s.inertia_kg_m2;
      part.center_of_mass = s.center_of_mass_m;
      part.fixed_position = s.fixed_position;
      part.fixed_velocity = s.fixed_velocity;
      part.place = s.place;
      part.x_start = static_cast<int>(x.size());
      part.z_start = static_cast<int>(z.size());
      const Mat3 R = rotation_from_quaternion(s.quaternion);
      if (s.kind != io::PartKind::ground) {
        const Vec3 arm = R * state_origin(s);
        const Vec3 p = s.position_m + arm;
        const Vec3 v = s.velocity_m_per_s + s.angular_velocity_rad_per_s.cross(arm);
        x.insert(x.end(), p.data(), p.data() + 3);
        z.insert(z.end(), v.data(), v.data() + 3);
        if (s.kind != io::PartKind::particle) {
          const Vec4 q = s.quaternion.normalized();
          const Vec3 w_B = R.transpose() * s.angular_velocity_rad_per_s;
          x.insert(x.end(), q.data(), q.data() + 4);
          z.insert(z.end(), w_B.data(), w_B.data() + 3);
        }
        if (s.kind == io::PartKind::flexible) add_flexible(s, part, x, z);
        if (!s.rotors.empty()) add_rotors(s, part, x, z);
        part.block = blocks_++;
      }
      part.x_size = static_cast<int>(x.size()) - part.x_start;
      part.z_size = static_cast<int>(z.size()) - part.z_start;
      const PartIndex index(model_->parts.size());
      part.origin = add_marker(index, s.name + ".origin", Vec3::Zero(), Mat3::Identity(), s);
      part_index_.emplace(s.name, index);
      model_->parts.push_back(part);
      for (const io::FrameSpec& f : s.frames)
        if (f.name != "origin") add_frame(index, f, s);
      if (s.kind == io::PartKind::flexible && s.body) add_stress_nodes(index, s);
    }
    model_->nx = static_cast<int>(x.size());
    model_->nz = static_cast<int>(z.size());
    model_->initial_x = Eigen::Map<const VecX>(x.data(), model_->nx);
    model_->initial_z = Eigen::Map<const VecX>(z.data(), model_->nz);
  }

  /// The body of a flexible part and its elastic coordinates.
  void add_flexible(const io::PartSpec& s, Part& part, std::vector<double>& x, std::vector<double>& z) {
    const std::string label = fmt::format("part '{}'", s.name);
    if (!s.body) {
      diagnostics_.error(s.place, label, "it is flexible but has no body", "give body: FILE.sid");
      return;
    }
    try {
      model_->flexible.push_back(flexible_body(*s.body, s.geometric_stiffening, s.inertia_couplings,
                                               s.stiffness_factor, s.coupling_tolerance));
    } catch (const Error& e) {
      for (const Diagnostic& d : e.diagnostics())
        diagnostics_.error(s.place, label, "its body: " + d.problem, d.remedy);
      return;
    }
    part.flexible = static_cast<int>(model_->flexible.size()) - 1;
    part.mass = s.body->mass_kg;
    const auto n = static_cast<std::size_t>(s.body->nq);
    const auto append = [n](const std::vector<double>& given, std::vector<double>& all) {
      for (std::size_t i = 0; i < n; ++i) all.push_back(i < given.size() ? given[i] : 0.0);
    };
    append(s.elastic_position, x);
    append(s.elastic_velocity, z);
  }

  void add_rotors(const io::PartSpec& s, Part& part, std::vector<double>& x, std::vector<double>& z) {
    model_->flexible.push_back(body_with_rotors(s));
    part.flexible = static_cast<int>(model_->flexible.size()) - 1;
    part.mass = model_->flexible.back().mass;
    for (const io::RotorSpec& rotor : s.rotors) {
      part.rotors.push_back(rotor.name);
      x.push_back(rotor.angle_rad);
      z.push_back(rotor.speed_rad_per_s);
    }
  }

  void add_frame_on_rotor(PartIndex part, const io::FrameSpec& f, const io::PartSpec& s) {
    const auto n = static_cast<Eigen::Index>(s.rotors.size());
    MarkerShape shape;
    shape.Phi.setZero(3, n);
    shape.Psi.setZero(3, n);
    for (std::size_t i = 0; i < s.rotors.size(); ++i)
      if (s.rotors[i].name == f.rotor) shape.Psi.col(static_cast<Eigen::Index>(i)) = s.rotors[i].axis;
    const MarkerIndex index = add_marker(part, s.name + "." + f.name, f.position_m, f.rotation, s);
    model_->markers[index.at()].shape = static_cast<int>(model_->shapes.size());
    model_->shapes.push_back(std::move(shape));
  }

  /// Where the state frame lies in the part frame: the centre of mass of a rigid part without rotors.
  static Vec3 state_origin(const io::PartSpec& s) {
    return s.rotors.empty() ? s.center_of_mass_m : Vec3::Zero();
  }

  /// By its id, or by its place; null after a complaint.
  const io::SidNode* node_of(const io::FrameSpec& f, const io::PartSpec& s) {
    const auto& nodes = s.body->nodes;
    const std::string label = fmt::format("frame '{}' of part '{}'", f.name, s.name);
    const auto away = [&](const io::SidNode& k) {
      return (f.position_m - Vec3(k.origin.zero.col(0))).norm();
    };
    if (nodes.empty()) {
      diagnostics_.error(f.place, label, "the body has no nodes", "reduce it anew with --interface");
      return nullptr;
    }
    if (f.node < 0) {
      const auto nearest = std::min_element(nodes.begin(), nodes.end(),
                                            [&](const auto& a, const auto& b) { return away(a) < away(b); });
      if (away(*nearest) <= kNodeReach) return &*nearest;
      const Vec3 p = nearest->origin.zero.col(0);
      diagnostics_.error(
          f.place, label,
          fmt::format("a frame of a flexible part sits on a node, and none lies at {:.6g}, {:.6g}, "
                      "{:.6g}: the nearest is {} at {:.6g}, {:.6g}, {:.6g}, {:.3g} m away",
                      f.position_m[0], f.position_m[1], f.position_m[2], nearest->id, p[0], p[1], p[2],
                      away(*nearest)),
          fmt::format("give `node`, with position_m as an arm from there, or a place within {:g} m "
                      "of a node",
                      kNodeReach));
      return nullptr;
    }
    const auto node =
        std::find_if(nodes.begin(), nodes.end(), [&](const io::SidNode& k) { return k.id == f.node; });
    if (node != nodes.end()) return &*node;
    std::string ids;
    for (std::size_t i = 0; i < nodes.size() && i < 20; ++i)
      ids += fmt::format("{}{}", i ? ", " : "", nodes[i].id);
    if (nodes.size() > 20) ids += ", ...";
    diagnostics_.error(f.place, label, fmt::format("the body has no node {}", f.node),
                       fmt::format("its nodes are {}", ids));
    return nullptr;
  }

  /// Nodes with stresses are outputs also where no frame names them.
  void add_stress_nodes(PartIndex part, const io::PartSpec& s) {
    for (const io::SidNode& node : s.body->nodes) {
      if (node.sigma.zero.size() == 0) continue;
      io::FrameSpec frame;
      frame.name = fmt::format("node_{}", node.id);
      frame.node = node.id;
      frame.place = s.place;
      const bool named = std::any_of(s.frames.begin(), s.frames.end(), [&](const io::FrameSpec& f) {
        return f.node == node.id || f.name == frame.name;
      });
      if (!named) add_frame(part, frame, s);
    }
  }

  void add_frame(PartIndex part, const io::FrameSpec& f, const io::PartSpec& s) {
    const std::string name = s.name + "." + f.name;
    if (!f.rotor.empty()) {
      add_frame_on_rotor(part, f, s);
      return;
    }
    if (s.kind != io::PartKind::flexible) {
      add_marker(part, name, f.position_m, f.rotation, s);
      return;
    }
    if (!s.body) return;
    const io::SidNode* node = node_of(f, s);
    if (!node) return;
    const Vec3 place = node->origin.zero.col(0);
    const Vec3 arm = f.node < 0 ? Vec3(f.position_m - place) : f.position_m;
    MarkerShape shape;
    shape.Phi = node->phi.zero - skew(arm) * node->psi.zero;
    shape.Psi = node->psi.zero;
    if (node->sigma.zero.rows() == 6 && node->sigma.zero.cols() == s.body->nq)
      shape.stress = node->sigma.zero;
    const MarkerIndex index = add_marker(part, name, place + arm, f.rotation, s);
    model_->markers[index.at()].node = node->id;
    model_->markers[index.at()].arm = arm;
    model_->markers[index.at()].shape = static_cast<int>(model_->shapes.size());
    model_->shapes.push_back(std::move(shape));
  }

  MarkerIndex add_marker(PartIndex part, const std::string& name, const Vec3& position, const Mat3& R,
                         const io::PartSpec& s) {
    Marker m;
    m.name = name;
    m.part = part;
    m.r = position - state_origin(s);
    m.R = R;
    model_->markers.push_back(m);
    const MarkerIndex index(model_->markers.size() - 1);
    marker_index_.emplace(name, index);
    return index;
  }

  bool resolve_ends(const io::InteractSpec& s, const std::string& label, MarkerIndex* out) {
    if (s.ends.size() != 2 || !find_markers(s, label, out)) return false;
    const auto part_of = [&](MarkerIndex m) { return model_->markers[m.at()].part; };
    // A rotor moves against the rest of its part, so a force may act between the two.
    const bool rotor = !model_->parts[part_of(out[0]).at()].rotors.empty() && s.group != io::Group::joint &&
                       out[0] != out[1];
    if (part_of(out[0]) == part_of(out[1]) && !rotor) {
      diagnostics_.error(s.place, label,
                         fmt::format("both ends are on part '{}'", model_->parts[part_of(out[0]).at()].name),
                         "an interact connects two different parts");
      return false;
    }
    return true;
  }

  /// The markers of all ends, or false with a message.
  bool find_markers(const io::InteractSpec& s, const std::string& label, MarkerIndex* out) {
    for (std::size_t i = 0; i < s.ends.size(); ++i) {
      const std::string name = s.ends[i].part + "." + (s.ends[i].frame.empty() ? "origin" : s.ends[i].frame);
      const auto it = marker_index_.find(name);
      if (it == marker_index_.end()) {
        std::vector<std::string> known;
        for (const auto& [key, value] : marker_index_) known.push_back(key);
        diagnostics_.error(s.ends[i].place, label, fmt::format("there is no frame '{}'", name),
                           suggestion(name, known));
        return false;
      }
      out[i] = it->second;
    }
    return true;
  }

  static std::string label_of(const io::InteractSpec& s) {
    std::string text = fmt::format("{} '{}'", s.type, s.name);
    std::vector<std::string> ends;
    for (const io::EndSpec& end : s.ends) ends.push_back(end.part + "." + end.frame);
    if (!ends.empty())
      text += fmt::format(" ({})", fmt::join(ends, " - "));
    else if (!s.targets.empty())
      text += fmt::format(" ({})", fmt::join(s.targets, ", "));
    return text;
  }

  /// Signal slots in the order of the type's signal fields; returns the index of the first.
  int add_signals(const io::TypeInfo& info, const io::ParameterSet& parameters, const Place& place,
                  const std::string& label) {
    const int start = static_cast<int>(model_->signals.size());
    for (const io::Field& field : info.fields) {
      if (field.kind != io::FieldKind::signal) continue;
      const io::SignalSource& source = parameters.signal(field.name);
      SignalSlot slot;
      slot.function = source.function;
      if (!source.name.empty() && !resolve_signal(source.name, slot))
        diagnostics_.error(place, label,
                           fmt::format("{}: there is no signal or controller '{}'", field.name, source.name),
                           suggestion(source.name, signal_names()));
      model_->signals.push_back(std::move(slot));
    }
    return start;
  }

  bool resolve_signal(const std::string& name, SignalSlot& slot) const {
    for (const io::SignalSpec& s : spec_.signals)
      if (s.name == name) {
        if (!s.controller.empty()) return resolve_controller(s.controller, slot);
        slot.function = s.function;
        return true;
      }
    return resolve_controller(name, slot);
  }

  bool resolve_controller(const std::string& name, SignalSlot& slot) const {
    const auto it = controller_index_.find(name);
    if (it == controller_index_.end()) return false;
    slot.controller = ControllerIndex(it->second);
    return true;
  }

  std::vector<std::string> signal_names() const {
    std::vector<std::string> names;
    for (const auto& s : spec_.signals) names.push_back(s.name);
    for (const auto& s : spec_.controllers) names.push_back(s.name);
    return names;
  }

  /// Makes the element; a contradiction inside its parameters becomes a diagnostic of this place.
  template <class Element>
  std::unique_ptr<Element> make(const std::vector<ElementType<Element>>& types, const std::string& type,
                                const io::ParameterSet& parameters, const Place& place,
                                const std::string& label, const io::TypeInfo** info) {
    const ElementType<Element>* found = find_type(types, type);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const auto& t : types) names.push_back(t.info.name);
      diagnostics_.error(place, label, fmt::format("unknown type '{}'", type), suggestion(type, names));
      return nullptr;
    }
    *info = &found->info;
    try {
      return found->make(parameters);
    } catch (const Error& e) {
      // An element that reads a file of its own knows the line there.
      for (const Diagnostic& d : e.diagnostics()) {
        const bool whole_file = !d.place.file.empty() && d.place.line == 0;
        diagnostics_.error(d.place.line > 0 ? d.place : place, label,
                           whole_file ? fmt::format("{}: {}", d.place.file, d.problem) : d.problem, d.remedy);
      }
      return nullptr;
    }
  }

  template <class Spec, class Instance>
  static void set_head(const Spec& s, const std::string& label, Instance& instance) {
    instance.name = s.name;
    instance.type = s.type;
    instance.label = label;
    instance.place = s.place;
  }

  void add_joint(const io::InteractSpec& s) {
    const std::string label = label_of(s);
    const io::TypeInfo* info = nullptr;
    auto joint = make(joint_types(), s.type, s.parameters, s.place, label, &info);
    if (!joint) return;
    JointInstance instance;
    if (info->attachment == io::Attachment::frames) {
      if (!resolve_ends(s, label, instance.markers.data())) return;
    } else if (info->attachment == io::Attachment::shafts) {
      if (s.ends.size() != kMaxMarkers || !find_markers(s, label, instance.markers.data())) return;
    } else if (!joint_ends(s, label, instance)) {
      return;
    }
    set_head(s, label, instance);
    instance.lambda_start = model_->nlambda;
    instance.memory_start = model_->nr;
    instance.signal_start = add_signals(*info, s.parameters, s.place, label);
    model_->nlambda += joint->rows();
    model_->nr += joint->memory_size();
    instance.joint = std::move(joint);
    joint_index_.emplace(s.name, JointIndex(model_->joints.size()));
    model_->joints.push_back(std::move(instance));
  }

  /// The markers of the joints a coupler refers to.
  bool joint_ends(const io::InteractSpec& s, const std::string& label, JointInstance& instance) {
    std::size_t k = 0;
    for (const std::string& target : s.targets) {
      const JointIndex other = find_joint(target, s.place, label);
      if (!other.valid()) return false;
      instance.markers[k++] = model_->joints[other.at()].markers[0];
      instance.markers[k++] = model_->joints[other.at()].markers[1];
    }
    return k > 0;
  }

  JointIndex find_joint(const std::string& name, const Place& place, const std::string& label) {
    const auto it = joint_index_.find(name);
    if (it != joint_index_.end()) return it->second;
    std::vector<std::string> names;
    for (const auto& [key, value] : joint_index_) names.push_back(key);
    diagnostics_.error(place, label, fmt::format("there is no joint '{}'", name), suggestion(name, names));
    return {};
  }

  void add_force(const io::InteractSpec& s) {
    const std::string label = label_of(s);
    const io::TypeInfo* info = nullptr;
    auto force = make(force_types(), s.type, s.parameters, s.place, label, &info);
    if (!force) return;
    ForceInstance instance;
    if (info->attachment == io::Attachment::joint) {
      if (s.targets.empty()) return;
      instance.watched = find_joint(s.targets[0], s.place, label);
      if (!instance.watched.valid()) return;
      const JointInstance& joint = model_->joints[instance.watched.at()];
      instance.markers = {joint.markers[0], joint.markers[1]};
    } else if (!resolve_ends(s, label, instance.markers.data())) {
      return;
    }
    set_head(s, label, instance);
    instance.c_start = model_->nc;
    instance.w_start = model_->nw;
    instance.signal_start = add_signals(*info, s.parameters, s.place, label);
    model_->nc += force->state_count();
    model_->nw += force->algebraic_count();
    if (model_->road) force->use_road(model_->road.get());
    instance.force = std::move(force);
    force_index_.emplace(s.name, ForceIndex(model_->forces.size()));
    model_->forces.push_back(std::move(instance));
  }

  void add_sensor(const io::InteractSpec& s) {
    const std::string label = label_of(s);
    const io::TypeInfo* info = nullptr;
    auto sensor = make(sensor_types(), s.type, s.parameters, s.place, label, &info);
    if (!sensor) return;
    SensorInstance instance;
    if (info->attachment == io::Attachment::interact) {
      if (!watch(s, label, instance)) return;
    } else if (!resolve_ends(s, label, instance.markers.data())) {
      return;
    }
    set_head(s, label, instance);
    instance.value_start = model_->nsensor;
    model_->nsensor += static_cast<int>(sensor->outputs().size());
    instance.sensor = std::move(sensor);
    model_->sensors.push_back(std::move(instance));
  }

  bool watch(const io::InteractSpec& s, const std::string& label, SensorInstance& instance) {
    if (s.targets.empty()) return false;
    const std::string& target = s.targets[0];
    if (const auto j = joint_index_.find(target); j != joint_index_.end()) {
      instance.watched_joint = j->second;
      const auto& m = model_->joints[j->second.at()].markers;
      instance.markers = {m[0], m[1]};
      return true;
    }
    if (const auto f = force_index_.find(target); f != force_index_.end()) {
      instance.watched_force = f->second;
      instance.markers = model_->forces[f->second.at()].markers;
      return true;
    }
    std::vector<std::string> names;
    for (const auto& [key, value] : joint_index_) names.push_back(key);
    for (const auto& [key, value] : force_index_) names.push_back(key);
    diagnostics_.error(s.place, label, fmt::format("there is no joint or force '{}'", target),
                       suggestion(target, names));
    return false;
  }

  void add_controller(const io::ControllerSpec& s) {
    const std::string label = fmt::format("{} '{}'", s.type, s.name);
    const io::TypeInfo* info = nullptr;
    auto controller = make(controller_types(), s.type, with_signals(s.parameters), s.place, label, &info);
    if (!controller) return;
    if (model_->lane) {
      controller->use_lane(*model_->lane);
    } else if (controller->needs_lane()) {
      diagnostics_.error(s.place, label, "it drives along a lane, and there is none",
                         "add `lane:` to the model or scenario");
      return;
    }
    ControllerInstance instance;
    set_head(s, label, instance);
    for (const std::string& channel : controller->sensors()) {
      const int index = sensor_value(channel);
      if (index < 0)
        diagnostics_.error(s.place, label, fmt::format("there is no sensor channel '{}'", channel),
                           suggestion(channel, sensor_channels()));
      instance.inputs.push_back(index);
    }
    instance.r_start = model_->nr;
    model_->nr += controller->state_count();
    instance.controller = std::move(controller);
    model_->controllers.push_back(std::move(instance));
  }

  /// Controllers own their set points: a name becomes the function of the signal it stands for.
  io::ParameterSet with_signals(io::ParameterSet parameters) const {
    for (auto& [field, entry] : parameters.entries)
      for (const io::SignalSpec& s : spec_.signals)
        if (!s.name.empty() && s.name == entry.signal.name && s.controller.empty()) {
          entry.signal.function = s.function;
          entry.signal.name.clear();
          break;
        }
    return parameters;
  }

  std::vector<std::string> sensor_channels() const {
    std::vector<std::string> names;
    for (const SensorInstance& s : model_->sensors)
      for (const Sensor::Output& o : s.sensor->outputs())
        names.push_back(o.name.empty() ? s.name : s.name + "/" + o.name);
    return names;
  }

  int sensor_value(const std::string& channel) const {
    const std::vector<std::string> names = sensor_channels();
    const auto it = std::find(names.begin(), names.end(), channel);
    return it == names.end() ? -1 : static_cast<int>(it - names.begin());
  }

  void collect_events() {
    auto& times = model_->event_times;
    for (const SignalSlot& slot : model_->signals)
      times.insert(times.end(), slot.function.event_times().begin(), slot.function.event_times().end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
  }

  const io::ModelSpec& spec_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Model> model_;
  std::map<std::string, PartIndex> part_index_;
  std::map<std::string, MarkerIndex> marker_index_;
  std::map<std::string, JointIndex> joint_index_;
  std::map<std::string, ForceIndex> force_index_;
  std::map<std::string, int> controller_index_;
  int blocks_ = 0;
};

}  // namespace

std::unique_ptr<const Model> build_model(const io::ModelSpec& spec, Diagnostics& diagnostics) {
  return Builder(spec, diagnostics).build();
}

std::unique_ptr<const Model> build_model(const io::ModelSpec& spec) {
  Diagnostics diagnostics;
  auto model = build_model(spec, diagnostics);
  diagnostics.throw_if_errors();
  return model;
}

}  // namespace monocoque
