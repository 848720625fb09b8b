#pragma once
// Parameter sets from the examples of the field tables, and random marker states, for the tests of forces,
// sensors and controllers.

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/rotation.h"
#include "elements/registry.h"

namespace monocoque::force_test {

/// All numbers in a YAML flow text, in order.
inline std::vector<double> numbers_in(std::string text) {
  for (char& c : text)
    if (c == '[' || c == ']' || c == ',') c = ' ';
  std::istringstream stream(text);
  std::vector<double> list;
  for (double x; stream >> x;) list.push_back(x);
  return list;
}

inline io::ParameterSet::Entry entry_of(const io::Field& field, const std::string& text) {
  io::ParameterSet::Entry e;
  e.text = text;
  const std::vector<double> numbers = numbers_in(text);
  switch (field.kind) {
    case io::FieldKind::number:
    case io::FieldKind::integer:
      e.number = numbers.at(0);
      break;
    case io::FieldKind::boolean:
      e.number = text == "true" ? 1 : 0;
      break;
    case io::FieldKind::vector:
    case io::FieldKind::list:
      e.list = numbers;
      break;
    case io::FieldKind::table:
      for (std::size_t i = 0; i < numbers.size(); ++i) e.table[i % 2].push_back(numbers[i]);
      break;
    case io::FieldKind::signal:
      e.signal.function = TimeFunction::constant(numbers.at(0));
      break;
    default:
      break;
  }
  return e;
}

inline void set(io::ParameterSet& p, const io::TypeInfo& type, const std::string& field,
                const std::string& text) {
  for (const io::Field& f : type.fields)
    if (f.name == field) {
      p.entries[field] = entry_of(f, text);
      return;
    }
  throw std::logic_error(type.name + " has no field " + field);
}

inline io::ParameterSet examples(const io::TypeInfo& type) {
  io::ParameterSet p;
  for (const io::Field& f : type.fields)
    p.entries[f.name] = entry_of(f, f.example.empty() ? f.default_text : f.example);
  return p;
}

inline io::ParameterSet defaults(const io::TypeInfo& type) {
  io::ParameterSet p;
  for (const io::Field& f : type.fields)
    p.entries[f.name] = entry_of(f, f.required() ? f.example : f.default_text);
  return p;
}

template <class Element>
const ElementType<Element>& find(const std::vector<ElementType<Element>>& types, const std::string& name) {
  for (const auto& t : types)
    if (t.info.name == name) return t;
  throw std::logic_error("no type " + name);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }
  Vec3 vector(double size) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
  Mat3 rotation(double size) { return rotation_from_rotation_vector(vector(size)); }

 private:
  std::mt19937 engine_;
};

/// Moves a pose by a twist over h, to first order and exactly on the rotation group.
inline MarkerKinematics moved(MarkerKinematics m, const Vec3& dp, const Vec3& dtheta) {
  m.p += dp;
  m.R = rotation_from_rotation_vector(dtheta) * m.R;
  return m;
}

inline MarkerKinematics marker_at_rest(const Vec3& p = Vec3::Zero(), const Mat3& R = Mat3::Identity()) {
  const Vec3 zero = Vec3::Zero();
  return {p, R, zero, zero, zero, zero};
}

inline MarkerKinematics random_marker(Random& random) {
  return {random.vector(2),   random.rotation(1.5), random.vector(1.5),
          random.vector(1.2), random.vector(5),     random.vector(5)};
}

}  // namespace monocoque::force_test
