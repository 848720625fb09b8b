#pragma once
// The viewer's page, embedded into the program by cmake/viewer.cmake.

#include <memory>
#include <string>

#include "server/http.h"

namespace monocoque::server {

/// Compressed by gzip, as it is embedded.
std::shared_ptr<const std::string> page_gzip();
/// The page itself.
std::shared_ptr<const std::string> page_text();

/// The answer to a request for it.
Reply page_reply(const Request& request);

std::string gzip(const std::string& text, int level = 6);
std::string gunzip(const std::string& bytes);

}  // namespace monocoque::server
