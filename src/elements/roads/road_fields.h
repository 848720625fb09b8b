#pragma once
// Fields and makers that several road types share.

#include <string>
#include <utility>
#include <vector>

#include "elements/field_makers.h"
#include "elements/road.h"

namespace monocoque::fields {

inline Field friction() {
  return number("friction", "factor on the friction of the tire; 1 is the surface it was measured on", "1",
                "0.85", Rule::non_negative);
}

inline Field position() {
  return make("position_m", FieldKind::vector, "x and y of the begin, in the middle of the width", "[0, 0]",
              "[0.4, -0.3]", Rule::any, 2);
}

inline Field heading() {
  return number("heading_rad", "direction in which it is passed, from x towards y", "0", "0.25");
}

/// Cuts one type out of a class made from its parameters.
template <class Class>
ElementType<Road> road(std::string name, std::string doc, std::vector<Field> list) {
  ElementType<Road> t;
  t.info.name = std::move(name);
  t.info.group = io::Group::road;
  t.info.doc = std::move(doc);
  t.info.fields = std::move(list);
  t.make = [](const io::ParameterSet& p) { return std::make_unique<Class>(p); };
  return t;
}

}  // namespace monocoque::fields
