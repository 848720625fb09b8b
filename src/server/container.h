#pragma once
// Binary answers: u32 length of the JSON (little-endian), the JSON, zeros to a multiple of 8, then the
// arrays, each from a multiple of 8 on. The JSON names them: {"arrays": [{"name", "type", "shape",
// "offset"}], ...}.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/json.h"

namespace monocoque::server {

class Container {
 public:
  nlohmann::ordered_json head = nlohmann::ordered_json::object();  ///< further keys

  /// A place for an array, to be filled; it stays where it is. Type: f32, f64, u32, i32 or u8.
  template <class T>
  T* add(const std::string& name, const std::vector<std::size_t>& shape) {
    return static_cast<T*>(reserve(name, type_name(T{}), sizeof(T), shape));
  }
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    std::copy(values.begin(), values.end(), add<T>(name, {values.size()}));
  }
  std::string bytes() const;

 private:
  static const char* type_name(float) { return "f32"; }
  static const char* type_name(double) { return "f64"; }
  static const char* type_name(std::int32_t) { return "i32"; }
  static const char* type_name(std::uint32_t) { return "u32"; }
  static const char* type_name(char) { return "u8"; }
  void* reserve(const std::string& name, const char* type, std::size_t item,
                const std::vector<std::size_t>& shape);

  nlohmann::ordered_json arrays_ = nlohmann::ordered_json::array();
  std::vector<std::vector<double>> data_;  ///< doubles: for their alignment
  std::size_t offset_ = 0;
};

/// JSON text in which bytes that are no UTF-8 are replaced, as files and requests may hold them.
std::string json_text(const nlohmann::ordered_json& j);

}  // namespace monocoque::server
