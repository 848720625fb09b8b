#pragma once
// What the reader of tyre property files knows: keys with their dimensions and users, other spellings, units.

#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "io/tire/tir.h"

namespace monocoque::io::tir {

enum class Dimension { n, l, v, f, k, c, p, a, m, i, w, h, g };
enum class User { all, five, six, two, turn, given, kept };

struct TirKey {
  const char* name;
  Dimension dimension;
  double assumed;
  User user;
  double TirValues::*member;
};

inline const std::vector<TirKey>& keys() {
  static const std::vector<TirKey> list = {
#define MONOCOQUE_TIR_ROW(key, dimension, assumed, user) \
  {#key, Dimension::dimension, assumed, User::user, &TirValues::key},
      MONOCOQUE_TIR_KEYS(MONOCOQUE_TIR_ROW)
#undef MONOCOQUE_TIR_ROW
  };
  return list;
}

inline const std::map<std::string, const TirKey*>& keys_by_name() {
  static const std::map<std::string, const TirKey*> map = [] {
    std::map<std::string, const TirKey*> m;
    for (const TirKey& k : keys()) m[k.name] = &k;
    return m;
  }();
  return map;
}

/// Other spellings of the same quantity (PAC2002 and older files).
inline const std::map<std::string, std::string>& aliases() {
  static const std::map<std::string, std::string> map = {
      {"IP", "INFLPRES"},       {"IP_NOM", "NOMPRES"},
      {"QV1", "Q_V1"},          {"QV2", "Q_V2"},
      {"QFZ1", "Q_FZ1"},        {"QFZ2", "Q_FZ2"},
      {"QFCX", "Q_FCX"},        {"QFCY", "Q_FCY"},
      {"QFCX1", "Q_FCX"},       {"QFCY1", "Q_FCY"},
      {"QRE0", "Q_RE0"},        {"Q_FCX1", "Q_FCX"},
      {"Q_FCY1", "Q_FCY"},      {"TYRE_SIDE", "TYRESIDE"},
      {"TIRESIDE", "TYRESIDE"}, {"BOTTOM_OFFSET", "BOTTOM_OFFST"},
      {"LFZ0", "LFZO"},         {"Q_FCY_2", "Q_FCY2"}};
  return map;
}

inline const std::set<std::string>& text_keys() {
  static const std::set<std::string> set = {"FILE_TYPE", "FILE_FORMAT",   "PROPERTY_FILE_FORMAT",
                                            "TYRESIDE",  "FUNCTION_NAME", "COMMENT",
                                            "TYPE",      "TYRE_NAME"};
  return set;
}

struct Unit {
  const char* name;
  double factor;  ///< to SI
};

inline constexpr double kDegree = std::numbers::pi / 180;
inline constexpr Unit kLengths[] = {{"METER", 1},       {"METERS", 1},        {"M", 1},
                                    {"METRE", 1},       {"MM", 1e-3},         {"MILLIMETER", 1e-3},
                                    {"CM", 1e-2},       {"CENTIMETER", 1e-2}, {"KM", 1e3},
                                    {"KILOMETER", 1e3}, {"IN", 0.0254},       {"INCH", 0.0254},
                                    {"FT", 0.3048},     {"FOOT", 0.3048},     {"FEET", 0.3048}};
inline constexpr Unit kForces[] = {{"NEWTON", 1},
                                   {"NEWTONS", 1},
                                   {"N", 1},
                                   {"KN", 1e3},
                                   {"KNEWTON", 1e3},
                                   {"KILONEWTON", 1e3},
                                   {"KGF", 9.80665},
                                   {"KG_FORCE", 9.80665},
                                   {"KILOGRAM_FORCE", 9.80665},
                                   {"LBF", 4.4482216152605},
                                   {"POUND_FORCE", 4.4482216152605}};
inline constexpr Unit kAngles[] = {{"RADIAN", 1},    {"RADIANS", 1},      {"RAD", 1},          {"RADS", 1},
                                   {"DEG", kDegree}, {"DEGREE", kDegree}, {"DEGREES", kDegree}};
inline constexpr Unit kMasses[] = {{"KG", 1},
                                   {"KILOGRAM", 1},
                                   {"GRAM", 1e-3},
                                   {"G", 1e-3},
                                   {"TONNE", 1e3},
                                   {"LBM", 0.45359237},
                                   {"POUND_MASS", 0.45359237},
                                   {"SLUG", 14.593902937}};
inline constexpr Unit kTimes[] = {{"SECOND", 1},  {"SECONDS", 1},        {"SEC", 1},
                                  {"S", 1},       {"MILLISECOND", 1e-3}, {"MS", 1e-3},
                                  {"MINUTE", 60}, {"MIN", 60},           {"HOUR", 3600}};
inline constexpr Unit kPressures[] = {{"PASCAL", 1}, {"PA", 1},    {"KPASCAL", 1e3},        {"KPA", 1e3},
                                      {"BAR", 1e5},  {"MPA", 1e6}, {"PSI", 6894.757293168}, {"N/M^2", 1}};

struct Units {
  double length = 1, force = 1, angle = 1, mass = 1, time = 1, pressure = 0;
  double factor(Dimension d) const {
    switch (d) {
      case Dimension::n:
        return 1;
      case Dimension::l:
        return length;
      case Dimension::v:
        return length / time;
      case Dimension::f:
        return force;
      case Dimension::k:
        return force / length;
      case Dimension::c:
        return force * time / length;
      case Dimension::p:
        return pressure > 0 ? pressure : force / (length * length);
      case Dimension::a:
        return angle;
      case Dimension::m:
        return mass;
      case Dimension::i:
        return mass * length * length;
      case Dimension::w:
        return force * length / angle;
      case Dimension::h:
        return 1 / time;
      case Dimension::g:
        return length / (time * time);
    }
    return 1;
  }
};

}  // namespace monocoque::io::tir
