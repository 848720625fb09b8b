#pragma once
// The axes in which a sensor gives a vector.

#include "elements/field_makers.h"
#include "elements/sensor.h"

namespace monocoque {

enum class Axes { from, to, world };

inline Axes axes_of(const io::ParameterSet& p) {
  const std::string& name = p.text("axes");
  return name == "world" ? Axes::world : name == "to" ? Axes::to : Axes::from;
}

inline Vec3 in_axes(Axes axes, const SensorInput& in, const Vec3& world) {
  if (axes == Axes::world) return world;
  return in.m[axes == Axes::from ? 0 : 1]->R.transpose() * world;
}

inline io::Field axes_field() {
  return fields::choice("axes", "axes of the components", "from", "from", {"from", "to", "world"});
}

template <class Class>
ElementType<Sensor> sensor_type(std::string name, std::string doc, std::vector<io::Field> list,
                                io::Attachment attachment = io::Attachment::frames) {
  return fields::type<Class, Sensor>(io::Group::sensor, std::move(name), std::move(doc), std::move(list),
                                     attachment);
}

}  // namespace monocoque
