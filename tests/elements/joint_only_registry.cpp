// Stands in for parts written elsewhere.
#include <sstream>
#include "elements/registry.h"
namespace monocoque::io {
double ParameterSet::number(const std::string& f) const {
  return entries.at(f).number;
}
bool ParameterSet::boolean(const std::string& f) const {
  return entries.at(f).number != 0;
}
const std::string& ParameterSet::text(const std::string& f) const {
  return entries.at(f).text;
}
const std::vector<double>& ParameterSet::list(const std::string& f) const {
  return entries.at(f).list;
}
bool ParameterSet::has(const std::string& f) const {
  return entries.count(f) > 0;
}
ParameterSet::Entry parse_field(const Field& f, const std::string& text) {
  ParameterSet::Entry e;
  e.text = text;
  std::string s = text;
  for (char& c : s)
    if (c == '[' || c == ']' || c == ',') c = ' ';
  std::istringstream in(s);
  for (double x; in >> x;) e.list.push_back(x);
  if (f.kind == FieldKind::boolean)
    e.number = text == "true";
  else if (!e.list.empty())
    e.number = e.list[0];
  return e;
}
ParameterSet example_parameters(const TypeInfo& t) {
  ParameterSet p;
  for (const Field& f : t.fields)
    p.entries[f.name] = parse_field(f, f.example.empty() ? f.default_text : f.example);
  return p;
}
}  // namespace monocoque::io
