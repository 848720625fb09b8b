#include "server/container.h"

#include <cstring>

namespace monocoque::server {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are sent as they lie in memory");

void* Container::reserve(const std::string& name, const char* type, std::size_t item,
                         const std::vector<std::size_t>& shape) {
  std::size_t bytes = item;
  for (const std::size_t n : shape) bytes *= n;
  arrays_.push_back({{"name", name}, {"type", type}, {"shape", shape}, {"offset", offset_}});
  data_.emplace_back((bytes + 7) / 8);
  offset_ += 8 * data_.back().size();
  return data_.back().data();
}

std::string Container::bytes() const {
  nlohmann::ordered_json j;
  j["arrays"] = arrays_;
  for (const auto& [key, value] : head.items()) j[key] = value;
  const std::string text = json_text(j);
  const auto n = static_cast<std::uint32_t>(text.size());
  std::string out;
  out.reserve(12 + text.size() + offset_);
  out.append(reinterpret_cast<const char*>(&n), sizeof n);
  out += text;
  out.resize((out.size() + 7) / 8 * 8, '\0');
  for (const auto& d : data_) out.append(reinterpret_cast<const char*>(d.data()), 8 * d.size());
  return out;
}

std::string json_text(const nlohmann::ordered_json& j) {
  return j.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace monocoque::server
