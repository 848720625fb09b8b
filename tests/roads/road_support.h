#pragma once
// Makes roads for the tests from a few values on top of the defaults.

#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "elements/roads/road_types.h"
#include "io/model/values.h"
#include "support/paths.h"

namespace monocoque::road_test {

inline const io::TypeInfo& type_info(const std::string& name) {
  for (const auto& t : road_types())
    if (t.info.name == name) return t.info;
  throw Error("test", "no road type " + name);
}

/// Defaults, then the given YAML texts.
inline io::ParameterSet parameters(const std::string& type, const std::map<std::string, std::string>& given) {
  io::ParameterSet set;
  for (const io::Field& f : type_info(type).fields) {
    if (const auto it = given.find(f.name); it != given.end())
      set.entries[f.name] = io::parse_field(f, it->second);
    else if (!f.required())
      if (const auto entry = io::default_entry(f)) set.entries[f.name] = *entry;
  }
  for (const auto& [name, text] : given)
    if (!set.has(name)) throw Error("test", "no field " + name);
  return set;
}

inline std::unique_ptr<const Road> road(const std::string& type,
                                        const std::map<std::string, std::string>& given = {}) {
  return make_road(type, parameters(type, given));
}

/// The example of a type; files are taken from the source tree.
inline io::ParameterSet example(const io::TypeInfo& type) {
  io::ParameterSet set = io::example_parameters(type);
  if (type.name == "opencrg") set.entries["file"].text = source_dir() + "/" + set.entries["file"].text;
  return set;
}

inline RoadSample at(const Road& road, double x, double y) {
  RoadHint hint;
  RoadSample s;
  road.sample(x, y, hint, s);
  return s;
}

}  // namespace monocoque::road_test
