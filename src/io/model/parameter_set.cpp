#include "io/model/parameter_set.h"

#include <fmt/format.h>

#include "io/model/reader.h"
#include "io/model/scope.h"
#include "io/model/values.h"

namespace monocoque::io {

namespace {

/// A field that an element asks for but never declared is a mistake of the program, not of the user.
const ParameterSet::Entry& entry_of(const ParameterSet& set, const std::string& field) {
  const auto it = set.entries.find(field);
  if (it == set.entries.end())
    throw Error({}, fmt::format("field '{}' has no value", field), "declare it in the fields of the type");
  return it->second;
}

}  // namespace

double ParameterSet::number(const std::string& field) const {
  return entry_of(*this, field).number;
}
int ParameterSet::integer(const std::string& field) const {
  return static_cast<int>(number(field));
}
bool ParameterSet::boolean(const std::string& field) const {
  return number(field) != 0;
}
const std::string& ParameterSet::text(const std::string& field) const {
  return entry_of(*this, field).text;
}

Vec3 ParameterSet::vec3(const std::string& field) const {
  const std::vector<double>& v = list(field);
  if (v.size() != 3)
    throw Error({}, fmt::format("field '{}' holds {} numbers, 3 are wanted", field, v.size()),
                "declare it as a vector of size 3");
  return {v[0], v[1], v[2]};
}

const std::vector<double>& ParameterSet::list(const std::string& field) const {
  return entry_of(*this, field).list;
}

const std::array<std::vector<double>, 2>& ParameterSet::table(const std::string& field) const {
  return entry_of(*this, field).table;
}

const SignalSource& ParameterSet::signal(const std::string& field) const {
  return entry_of(*this, field).signal;
}
bool ParameterSet::has(const std::string& field) const {
  return entries.count(field) > 0;
}

Place ParameterSet::place(const std::string& field) const {
  const auto it = entries.find(field);
  return it == entries.end() ? Place{} : it->second.place;
}

ParameterSet::Entry parse_field(const Field& field, const std::string& yaml_text) {
  Diagnostics diagnostics;
  Context context(ReadOptions{}, diagnostics);
  const Scope scope(context, nullptr);
  std::optional<ParameterSet::Entry> entry;
  if (const NodePtr node = parse_document(yaml_text, {}, diagnostics))
    entry = read_field(context, scope, field, *node, {}, {});
  diagnostics.throw_if_errors();
  return entry.value_or(ParameterSet::Entry{});
}

ParameterSet example_parameters(const TypeInfo& type) {
  ParameterSet set;
  for (const Field& f : type.fields) {
    if (!f.example.empty())
      set.entries[f.name] = parse_field(f, f.example);
    else if (const auto entry = default_entry(f))
      set.entries[f.name] = *entry;
  }
  return set;
}

}  // namespace monocoque::io
