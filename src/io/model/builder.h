#pragma once
// Trees of loaded files to a ModelSpec: subsystems become instances with a name prefix, a transform and a
// scope; then parts, names, signals, controllers and interacts are read instance by instance. Internal to io.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "io/model/map_reader.h"
#include "io/model/pose.h"
#include "io/model/specification.h"

namespace monocoque::io {

/// The model itself, or one use of a subsystem type.
struct Instance {
  std::string prefix;  ///< of names: "" or "FL/"
  std::string type;    ///< empty for the model itself
  const Instance* parent = nullptr;
  int depth = 0;
  Transform transform;
  std::unique_ptr<Scope> scope;
  std::map<std::string, std::string> ports;  ///< port to full name of its part; empty when that is in error
  std::vector<MapReader> blocks;             ///< the maps with parts, interacts and so on
  std::unique_ptr<MapReader> declaration;    ///< the entry of `subsystems`
};

class Builder {
 public:
  Builder(Context& context, const Library& library, ModelSpec& model);

  /// `files` are the model files (included ones first), `scope` holds the parameters of the model; a scenario
  /// may replace signals.
  void build(const std::vector<NodePtr>& files, std::unique_ptr<Scope> scope, const MapReader* scenario);

 private:
  // instances
  void collect_types(const std::vector<NodePtr>& files);
  void expand(Instance& parent);
  bool may_instantiate(const Instance& parent, const MapReader& declaration, const std::string& full);
  void instantiate(Instance& parent, const NodePtr& node);
  void define_parameters(Instance& instance, const Instance& parent, const MapReader& type);
  void connect_ports(Instance& instance);

  // parts
  void read_ground(const Instance& root);
  void read_part(const Instance& in, const NodePtr& node);
  void read_motion(const MapReader& r, const Instance& in, PartSpec& part);
  void read_inertial(const MapReader& r, const Instance& in, PartSpec& part);
  void read_mesh(const MapReader& r, const Instance& in, PartSpec& part);
  static std::string file_beside(const Node& path, const PartSpec& part);
  void forbid_on_particle(const MapReader& r);
  void read_flexible(const MapReader& r, const Instance& in, PartSpec& part);
  bool has_rotors(const std::string& part) const;
  void read_rotors(const MapReader& r, const Instance& in, PartSpec& part);
  void read_frames(const MapReader& r, const Instance& in, PartSpec& part);

  enum class NameKind { signal, controller, interact };
  struct Named {
    NameKind kind;
    Place place;
    Group group = Group::joint;
  };

  // elements
  void register_names(const Instance& in);
  void register_name(const Instance& in, const Node& node, NameKind kind);
  void read_signal(const Instance& in, const NodePtr& node);
  void read_controller(const Instance& in, const NodePtr& node);
  void read_interact(const Instance& in, const NodePtr& node);
  void read_attachment(const MapReader& r, const Instance& in, const TypeInfo& type, InteractSpec& interact);
  void add_target(const MapReader& r, const std::string& key, const Instance& in, const std::string& name,
                  bool joint_only, InteractSpec& interact);
  EndSpec read_end(const MapReader& r, const std::string& key, const Instance& in,
                   const InteractSpec& interact);
  EndSpec read_inline_end(const MapReader& r, const std::string& key, const NodePtr& node, const Instance& in,
                          const InteractSpec& interact);
  ParameterSet read_fields(const MapReader& r, const Instance& in, const TypeInfo& type);
  const Keys& keys_of(const TypeInfo& type);
  const TypeInfo* find_type(const Node& node, const std::string& element, Section section);
  void read_nominal(const Instance& in, const MapReader& block);
  void read_road(const Instance& in, const MapReader& block);
  void read_lane(const Instance& in, const MapReader& block);

  // names
  /// The value of `name`, checked; empty after a complaint.
  std::string read_name(const Node& node, const std::string& kind);
  std::string resolve_part(const Instance& in, const std::string& name) const;
  std::vector<std::string> visible_parts(const Instance& in) const;
  /// Own names first, then those of the parents.
  const std::pair<const std::string, Named>* resolve(const Instance& in, const std::string& name) const;
  std::vector<std::string> visible_names(const Instance& in, bool signals_only) const;
  Names names_for(const Instance& in) const;
  PartSpec* part(const std::string& full_name);

  Context& context_;
  const Library& library_;
  ModelSpec& model_;
  std::vector<std::unique_ptr<Instance>> instances_;  ///< parents before children; the model first
  std::set<std::string> prefixes_;
  std::map<std::string, NodePtr> types_;
  Keys root_keys_;
  std::map<const TypeInfo*, Keys> element_keys_;  ///< cached: tables must outlive their readers
  std::map<std::string, std::size_t> parts_;
  std::map<std::string, Named> names_;
  std::map<std::string, NodePtr> replaced_signals_;
  std::map<std::string, std::shared_ptr<const Sid>> bodies_;  ///< by path; null after a complaint
};

/// Joint, force or sensor as messages call it: revolute 'hinge' (ground.A - rod.bottom).
std::string interact_label(const Node& node, const std::string& prefix);

}  // namespace monocoque::io
