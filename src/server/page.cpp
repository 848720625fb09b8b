#include "server/page.h"

#include <zlib.h>

#include <array>

#include "core/error.h"

// Made by cmake/viewer.cmake.
extern "C" {
extern const char monocoque_page_begin[];
extern const char monocoque_page_end[];
}

namespace monocoque::server {

namespace {

constexpr int gzip_window = 15 + 16;

/// Pushes everything through deflate or inflate.
std::string pump(z_stream& z, const std::string& in, int (*step)(z_stream*, int)) {
  std::string out;
  std::array<char, 65536> piece{};
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
  z.avail_in = static_cast<uInt>(in.size());
  int status = Z_OK;
  while (status == Z_OK) {
    z.next_out = reinterpret_cast<Bytef*>(piece.data());
    z.avail_out = static_cast<uInt>(piece.size());
    status = step(&z, Z_FINISH);
    if (status == Z_BUF_ERROR && z.avail_out == 0) status = Z_OK;
    out.append(piece.data(), piece.size() - z.avail_out);
  }
  if (status != Z_STREAM_END) throw Error("gzip", "the data cannot be compressed or expanded");
  return out;
}

}  // namespace

std::string gzip(const std::string& text, int level) {
  z_stream z{};
  if (deflateInit2(&z, level, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("gzip", "there is not enough memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&z, deflateEnd);
  return pump(z, text, deflate);
}

std::string gunzip(const std::string& bytes) {
  z_stream z{};
  if (inflateInit2(&z, gzip_window) != Z_OK) throw Error("gzip", "there is not enough memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&z, inflateEnd);
  return pump(z, bytes, inflate);
}

std::shared_ptr<const std::string> page_gzip() {
  static const auto page = std::make_shared<const std::string>(monocoque_page_begin, monocoque_page_end);
  return page;
}

std::shared_ptr<const std::string> page_text() {
  static const auto page = std::make_shared<const std::string>(gunzip(*page_gzip()));
  return page;
}

Reply page_reply(const Request& request) {
  if (request.method == "PUT") return error_reply(405, "the page cannot be changed");
  Reply r;
  r.type = "text/html; charset=utf-8";
  r.cache = true;
  // The page has a policy of its own that admits its script by hash; this one cannot be taken out of it.
  r.policy =
      "default-src 'self' 'unsafe-inline' data: blob:; object-src 'none'; base-uri 'none'; form-action "
      "'none'; "
      "frame-ancestors 'none'";
  r.shared = request.accepts_gzip ? page_gzip() : page_text();
  if (request.accepts_gzip) r.encoding = "gzip";
  return r;
}

}  // namespace monocoque::server
