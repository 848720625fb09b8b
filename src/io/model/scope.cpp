#include "io/model/scope.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/formula.h"
#include "io/model/values.h"

namespace monocoque::io {

namespace {

constexpr int max_errors = 1000;
constexpr int max_parameter_chain = 500;

std::string owner_of(const std::string& path) {
  const auto dot = path.rfind('.');
  return dot == std::string::npos ? std::string{} : path.substr(0, dot);
}

}  // namespace

Context::Context(const ReadOptions& options, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
  for (const auto& [path, text] : options.overrides)
    if (NodePtr value = parse_document(text, "--set " + path, diagnostics)) overrides_[path] = {value, false};
}

bool Context::full() const {
  return diagnostics_.error_count() > max_errors;
}

void Context::error(const Place& place, const std::string& element, const std::string& problem,
                    const std::string& remedy) {
  if (full()) return;
  if (!said_.insert(fmt::format("{}\n{}\n{}", place.file, place.line, problem)).second) return;
  diagnostics_.error(place, element, problem, remedy);
  if (diagnostics_.error_count() == max_errors)
    diagnostics_.error({place.file, 0}, {},
                       fmt::format("more than {} mistakes, the rest is not shown", max_errors));
}

NodePtr Context::override_of(const std::string& path) {
  if (overrides_.empty()) return nullptr;
  const auto it = overrides_.find(path);
  if (it == overrides_.end()) return nullptr;
  it->second.used = true;
  return it->second.value;
}

const std::optional<ParameterSet::Entry>& Context::default_of(const Field& field) {
  const auto [it, fresh] = defaults_.try_emplace(
      fmt::format("{} {} {} {}", static_cast<int>(field.kind), field.size, field.name, field.default_text));
  if (fresh) it->second = default_entry(field);
  return it->second;
}

void Context::note_owner(const std::string& path, const std::vector<std::string>& keys) {
  auto& known = owners_[path];
  known.insert(known.end(), keys.begin(), keys.end());
}

void Context::report_unused() {
  for (const auto& [path, entry] : overrides_) {
    if (entry.used) continue;
    const std::string owner = owner_of(path);
    std::vector<std::string> candidates;
    if (const auto it = owners_.find(owner); it != owners_.end()) {
      for (const std::string& key : it->second)
        candidates.push_back(owner.empty() ? key : fmt::format("{}.{}", owner, key));
    } else {
      for (const auto& [known, keys] : owners_)
        if (!known.empty()) candidates.push_back(known);
    }
    std::string hint = suggestion(path, candidates);
    if (hint.empty() && !owner.empty()) hint = suggestion(owner, candidates);
    if (hint.empty())
      hint = "use the name of a parameter, or a path such as parts.NAME.mass_kg or simulation.step_s";
    error({"--set " + path, 0}, {}, fmt::format("nothing in the model is called '{}'", shorten(path)), hint);
  }
}

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

void Scope::define(const std::string& name, NodePtr value, const Scope* evaluated_in) {
  const Place place = value->place();
  const auto& reserved = Formula::reserved_names();
  if (!is_identifier(name)) {
    context_.error(place, {},
                   fmt::format("parameter '{}' has a name that formulas cannot use", shorten(name)),
                   "use letters, digits and _, and begin with a letter");
  } else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
    context_.error(place, {}, fmt::format("parameter '{}' has a name that formulas use themselves", name),
                   "choose another name");
  }
  entries_[name] = {std::move(value), evaluated_in ? evaluated_in : this, Progress::waiting, 0};
}

void Scope::define(const std::string& name, double value) {
  entries_[name] = {nullptr, this, Progress::done, value};
}

Scope::Entry* Scope::find(const std::string& name) const {
  if (const auto it = entries_.find(name); it != entries_.end()) return &it->second;
  return parent_ ? parent_->find(name) : nullptr;
}

void Scope::evaluate(const std::string& name, Entry& entry, int depth) const {
  const std::string element = fmt::format("parameter '{}'", name);
  if (entry.progress == Progress::running || depth > max_parameter_chain) {
    const bool cycle = entry.progress == Progress::running;
    context_.error(
        entry.node->place(), element,
        cycle ? fmt::format("its value {} depends on itself", describe(*entry.node))
              : fmt::format("its value hangs on a chain of more than {} parameters", max_parameter_chain),
        cycle ? "break the circle with a number" : "use fewer steps");
    entry.progress = Progress::failed;
    return;
  }
  entry.progress = Progress::running;
  // Names first, so that the depth of formulas and the length of chains do not multiply on the stack.
  if (entry.node->is_scalar())
    for (const std::string& other : Formula::names_in(entry.node->text))
      if (Entry* needed = entry.home->find(other))
        if (needed->progress == Progress::waiting || needed->progress == Progress::running)
          entry.home->evaluate(other, *needed, depth + 1);
  if (entry.progress == Progress::failed) return;
  const std::optional<double> value = read_number(context_, *entry.home, *entry.node, {element, "value"});
  entry.progress = value ? Progress::done : Progress::failed;
  entry.value = value.value_or(0);
}

std::optional<double> Scope::value(const std::string& name) const {
  Entry* entry = find(name);
  if (!entry) return std::nullopt;
  if (entry->progress == Progress::waiting) evaluate(name, *entry, 0);
  if (entry->progress != Progress::done) return std::nullopt;
  return entry->value;
}

bool Scope::failed(const std::string& name) const {
  const Entry* entry = find(name);
  return entry && entry->progress == Progress::failed;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all;
  for (const Scope* s = this; s; s = s->parent_)
    for (const auto& [name, entry] : s->entries_) all.push_back(name);
  return all;
}

void Scope::evaluate_all() const {
  for (auto& [name, entry] : entries_)
    if (entry.progress == Progress::waiting) evaluate(name, entry, 0);
}

}  // namespace monocoque::io
