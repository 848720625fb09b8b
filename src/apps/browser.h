#pragma once
// What commands that serve a page share.

#include <string>

namespace monocoque {

/// Where there is a display; says on stderr what to do otherwise.
void open_browser(const std::string& url);
/// The one line on stdout: the address, or with `json` {"url": ..., "port": ...}.
void print_address(const std::string& url, int port, bool json);

}  // namespace monocoque
