#pragma once
// The viewer's page, embedded into the program by cmake/viewer.cmake.

#include <memory>
#include <string>

namespace monocoque::server {

/// Compressed by gzip, as it is embedded.
std::shared_ptr<const std::string> page_gzip();
/// The page itself.
std::shared_ptr<const std::string> page_text();

std::string gzip(const std::string& text, int level = 6);
std::string gunzip(const std::string& bytes);

}  // namespace monocoque::server
