#include "io/model/reader.h"

#include <algorithm>
#include <filesystem>
#include <variant>

#include <fmt/format.h>

#include "io/model/builder.h"
#include "io/model/map_reader.h"
#include "io/model/scope.h"
#include "io/model/simulation_settings.h"

namespace monocoque::io {

namespace {

namespace fs = std::filesystem;

/// Loads files and what they include; each file once, circles refused.
class Loader {
 public:
  Loader(Context& context, int max_depth) : context_(context), max_depth_(max_depth) {}

  using Parameters = std::map<std::string, NodePtr>;

  NodePtr load_text(const std::string& text, const std::string& name) {
    source_ += fmt::format("# file: {}\n{}\n", name, text);
    NodePtr root = parse_document(text, name, context_.diagnostics());
    if (!root) return nullptr;
    if (!root->is_map()) {
      context_.error({name, root->line}, {},
                     fmt::format("the file holds {}, it must be a map of keys", describe(*root)),
                     "begin with monocoque: 1");
      return nullptr;
    }
    check_version(*root);
    return root;
  }
  NodePtr load_file(const std::string& path, const Place& from) {
    const auto text = read_file(path, from, context_.diagnostics());
    return text ? load_text(*text, path) : nullptr;
  }

  /// A path as written in a file, seen from the folder of that file.
  NodePtr load_beside(const Node& name, const std::string& path) {
    if (!context_.files_allowed()) {
      context_.error(name.place(), {},
                     fmt::format("'{}' cannot be read: other files are not allowed here", describe(name)));
      return nullptr;
    }
    return load_file(path, name.place());
  }
  static std::string beside(const Node& name) {
    return (fs::path(name.place().file).parent_path() / name.text).lexically_normal().string();
  }

  /// Adds a model and, before it, everything it includes. A file's own parameters replace those it includes.
  Parameters add_model(const NodePtr& root, const std::string& path) {
    Parameters parameters;
    active_.push_back(identity(path));
    done_.push_back(active_.back());
    if (const NodePtr list = root->find("include"); list && !list->is_null()) include(*list, parameters);
    active_.pop_back();
    if (const NodePtr own = root->find("parameters"); own && own->is_map())
      for (const Node::Member& m : own->members) parameters[m.key] = m.value;
    else if (own && !own->is_null())
      context_.error(own->place(), {}, fmt::format("parameters is {}, it must be a map", describe(*own)));
    files_.push_back(root);
    return parameters;
  }

  const std::vector<NodePtr>& files() const { return files_; }
  const std::string& source() const { return source_; }

 private:
  static std::string identity(const std::string& path) {
    std::error_code code;
    const fs::path canonical = fs::weakly_canonical(path, code);
    return code ? path : canonical.string();
  }

  void check_version(const Node& root) {
    const NodePtr version = root.find("monocoque");
    if (!version)
      context_.error(root.place(), {}, "key 'monocoque' is missing", "begin the file with monocoque: 1");
    else if (!version->is_scalar() || version->text != std::to_string(format_version))
      context_.error(
          version->place(), {},
          fmt::format("monocoque is {}, this program reads version {}", describe(*version), format_version));
  }

  void include(const Node& list, Parameters& parameters) {
    const auto words = read_words(context_, list, {{}, "include"}, {});
    if (!words) return;
    for (const NodePtr& item : list.items) {
      const std::string path = beside(*item), id = identity(path);
      if (std::find(active_.begin(), active_.end(), id) != active_.end()) {
        context_.error(item->place(), {},
                       fmt::format("include of '{}' closes a circle of files", describe(*item)),
                       "remove one of the includes");
        continue;
      }
      if (std::find(done_.begin(), done_.end(), id) != done_.end()) continue;
      if (static_cast<int>(active_.size()) > max_depth_) {
        context_.error(item->place(), {},
                       fmt::format("includes are nested deeper than {} files", max_depth_));
        continue;
      }
      const NodePtr root = load_beside(*item, path);
      if (!root) continue;
      for (auto& [name, value] : add_model(root, path))
        if (const auto [it, fresh] = parameters.emplace(name, value); !fresh)
          context_.error(
              value->place(), fmt::format("parameter '{}'", shorten(name)),
              fmt::format("it is defined by line {} of {} too", it->second->line, it->second->place().file),
              "define it in one of the files");
    }
  }

  Context& context_;
  const int max_depth_;
  std::vector<std::string> active_, done_;
  std::vector<NodePtr> files_;
  std::string source_;
};

void read_setting(const MapReader& r, const std::string& key, double& target) {
  if (const auto e = r.entry(key)) target = e->number;
}
void read_setting(const MapReader& r, const std::string& key, int& target) {
  if (const auto e = r.entry(key)) target = static_cast<int>(e->number);
}
void read_setting(const MapReader& r, const std::string& key, std::string& target) {
  target = r.text(key);
}
void read_setting(const MapReader& r, const std::string& key, std::vector<std::string>& target) {
  target = r.words(key);
}

/// Only keys that are there replace what an earlier file has set.
void read_simulation(Context& context, const Scope& scope, const NodePtr& node, SimulationSpec& s) {
  const MapReader r(context, scope, node && !node->is_null() ? node : nullptr, simulation_keys(),
                    "simulation", "simulation");
  for (const SimulationSetting& setting : simulation_settings())
    if (r.has(setting.key))
      std::visit([&](auto member) { read_setting(r, setting.key, s.*member); }, setting.member);
  s.step_given = s.step_given || r.has("step_s");
  if (node) s.place = node->place();
  if (!(s.end_s > s.start_s) && (r.has("end_s") || r.has("start_s")))
    r.error("end_s", fmt::format("end_s is {:g}, it must be > start_s = {:g}", s.end_s, s.start_s));
}

/// Parameters of the model, replaced by those of the scenario, replaced by --set.
std::unique_ptr<Scope> model_scope(Context& context, Loader::Parameters parameters,
                                   const MapReader* scenario) {
  auto scope = std::make_unique<Scope>(context, nullptr);
  std::vector<std::string> known;
  for (const auto& [name, value] : parameters) known.push_back(name);
  const NodePtr changes = scenario ? scenario->find("parameters") : nullptr;
  if (changes && !changes->is_map())
    scenario->error("parameters", fmt::format("parameters is {}, it must be a map", describe(*changes)));
  for (const Node::Member& m : changes ? changes->members : std::vector<Node::Member>{}) {
    if (parameters.count(m.key))
      parameters[m.key] = m.value;
    else
      context.error({changes->place().file, m.line}, {},
                    fmt::format("the model has no parameter '{}'", shorten(m.key)), suggestion(m.key, known));
  }
  context.note_owner("", known);
  context.note_owner("parameters", known);
  for (auto& [name, value] : parameters) {
    if (const NodePtr set = context.override_of(name)) value = set;
    if (const NodePtr set = context.override_of("parameters." + name)) value = set;
    scope->define(name, value);
  }
  return scope;
}

std::string stem(const std::string& path) {
  return fs::path(path).stem().string();
}

std::string name_or(const Node& root, const std::string& otherwise) {
  const NodePtr name = root.find("name");
  return name && name->is_scalar() ? name->text : otherwise;
}

void read_root(Context& context, Loader& loader, const NodePtr& root, const std::string& path,
               const Library& library, ScenarioSpec& out) {
  const Scope no_parameters(context, nullptr);
  std::unique_ptr<MapReader> scenario;
  NodePtr model = root;
  std::string model_path = path;
  if (root->find("model")) {
    scenario = std::make_unique<MapReader>(context, no_parameters, root, scenario_keys(), "", "");
    model = scenario->find("model");
    if (model->is_scalar()) {
      model_path = Loader::beside(*model);
      model = loader.load_beside(*model, model_path);
    } else if (!model->is_map()) {
      scenario->error("model", fmt::format("model is {}, it must be a path or a model", describe(*model)));
      model = nullptr;
    }
    if (!model) return;
  }
  out.model.file = model_path;
  out.model.name = name_or(*model, stem(model_path));
  out.name = name_or(*root, stem(path));
  auto scope = model_scope(context, loader.add_model(model, model_path), scenario.get());
  // The scope moves into the builder, its address stays.
  const Scope& parameters = *scope;
  Builder builder(context, library, out.model);
  builder.build(loader.files(), std::move(scope), scenario.get());
  for (const NodePtr& file : loader.files())
    if (const NodePtr node = file->find("simulation"))
      read_simulation(context, parameters, node, out.simulation);
  read_simulation(context, parameters, scenario ? root->find("simulation") : nullptr, out.simulation);
}

ScenarioSpec read(const std::string& path, const std::string* text, const Library& library,
                  const ReadOptions& options, Diagnostics& diagnostics) {
  ScenarioSpec out;
  out.file = path;
  Context context(options, diagnostics);
  context.allow_files(text == nullptr);
  Loader loader(context, options.max_include_depth);
  try {
    if (const NodePtr root = text ? loader.load_text(*text, path) : loader.load_file(path, {})) {
      read_root(context, loader, root, path, library, out);
      context.report_unused();
    }
  } catch (const Error& e) {
    for (const Diagnostic& d : e.diagnostics()) diagnostics.add(d);
  }
  out.model.source_text = loader.source();
  return out;
}

}  // namespace

ScenarioSpec read_scenario(const std::string& path, const Library& library, const ReadOptions& options,
                           Diagnostics& diagnostics) {
  return read(path, nullptr, library, options, diagnostics);
}

ScenarioSpec read_scenario_text(const std::string& text, const std::string& name, const Library& library,
                                const ReadOptions& options, Diagnostics& diagnostics) {
  return read(name, &text, library, options, diagnostics);
}

}  // namespace monocoque::io
