#include "server/http.h"

#include "io/files/json.h"

namespace monocoque::server {

Reply error_reply(int status, std::string_view text) {
  Reply r;
  r.status = status;
  // Texts may quote what the client sent.
  r.body = nlohmann::json{{"error", text}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return r;
}

}  // namespace monocoque::server
