#pragma once
// One connection that asks by HTTP, one request after the other. Internal to server.cpp.

#include <optional>

#include <fmt/format.h>

#include "server/network.h"
#include "server/socket_session.h"

namespace monocoque::server::network {

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(Shared& shared, LiveSession::Registry& registry, SessionId& next_id, tcp::socket socket)
      : shared_(shared),
        registry_(registry),
        next_id_(next_id),
        stream_(std::move(socket)),
        counted_(std::make_shared<Counted>(shared.count.open_connections)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.settings.header_bytes));
    parser_->body_limit(shared_.settings.body_bytes);
    stream_.expires_after(milliseconds(shared_.settings.request_s));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](ErrorCode e, std::size_t) { self->on_read(e); });
  }

 private:
  void on_read(const ErrorCode& e) {
    if (e == http::error::end_of_stream || e == http::error::partial_message) return shut_down();
    keep_ = false;
    if (e == http::error::header_limit || e == http::error::buffer_overflow)
      return refuse(431, "the header of the request is too long");
    if (e == http::error::body_limit) return refuse(413, "the body of the request is too long");
    if (e.category() == make_error_code(http::error::end_of_stream).category())
      return refuse(400, "this is no request that HTTP knows");
    if (e) return;  // the connection is lost or too slow
    const auto& request = parser_->get();
    keep_ = request.keep_alive();
    chunks_ = request.version() >= 11;
    head_only_ = request.method() == http::verb::head;
    ++shared_.count.requests;
    const auto field = [&](http::field name) { return text_of(request[name]); };
    if (request.count(http::field::host) != 1 || !shared_.hosts.host(field(http::field::host)))
      return refuse(403, "the name in this address is not one of this server");
    const bool upgrade = websocket::is_upgrade(request);
    const bool put = request.method() == http::verb::put;
    if (!upgrade && !put && !head_only_ && request.method() != http::verb::get)
      return refuse(405, "only GET, HEAD and PUT are answered");
    if ((upgrade || put) && request.count(http::field::origin) > 0 &&
        !shared_.hosts.origin(field(http::field::origin)))
      return refuse(403, "requests from pages of other servers are not answered");
    Request r;
    const std::string target = text_of(request.target());
    const std::size_t mark = target.find('?');
    r.method = text_of(request.method_string());
    r.path = target.substr(0, mark);
    if (mark != std::string::npos) r.query = target.substr(mark + 1);
    if (r.path.empty() || r.path[0] != '/') return refuse(400, "the path must begin with /");
    if (upgrade) return open_session(r.path);
    r.body = std::move(parser_->get().body());
    r.accepts_gzip = field(http::field::accept_encoding).find("gzip") != std::string::npos;
    stream_.expires_never();  // while the answer is made
    worker_ = std::clamp(shared_.handler.worker(r), 0, Handler::workers - 1);
    worker().push([self = shared_from_this(), r = std::move(r)] {
      auto reply = std::make_shared<Reply>(self->shared_.handler.answer(r));
      net::post(self->shared_.context, [self, reply] { self->send(std::move(*reply)); });
    });
  }

  WorkerThread& worker() { return *shared_.workers[static_cast<std::size_t>(worker_)]; }

  void refuse(int status, const char* text) {
    keep_ = false;
    send(error_reply(status, text));
  }

  void open_session(const std::string& path) {
    if (shared_.hub == nullptr || path != "/live") return refuse(404, "there is no live session here");
    if (shared_.count.open_sessions >= shared_.settings.sessions)
      return refuse(503, "too many live sessions are open");
    stream_.expires_never();
    const auto session = std::make_shared<LiveSession>(shared_, registry_, next_id_++,
                                                       stream_.release_socket(), std::move(counted_));
    session->start(parser_->get());
  }

  void send(Reply reply) {
    reply_ = std::move(reply);
    if (reply_.status >= 400) ++shared_.count.errors;
    const std::size_t length = reply_.shared ? reply_.shared->size() : reply_.body.size();
    const bool streamed = static_cast<bool>(reply_.stream);
    if (streamed && !chunks_) keep_ = false;
    head_ = fmt::format("HTTP/1.1 {} {}\r\n", reply_.status,
                        text_of(http::obsolete_reason(static_cast<http::status>(reply_.status))));
    const auto put = [&](std::string_view name, std::string_view value) {
      head_.append(name).append(": ").append(value).append("\r\n");
    };
    put("Server", "monocoque");
    put("Connection", keep_ ? "keep-alive" : "close");
    if (reply_.status != 204) put("Content-Type", reply_.type);
    if (!streamed)
      put("Content-Length", std::to_string(length));
    else if (chunks_)
      put("Transfer-Encoding", "chunked");
    if (!reply_.encoding.empty()) put("Content-Encoding", reply_.encoding);
    if (!reply_.file_name.empty())
      put("Content-Disposition", fmt::format("attachment; filename=\"{}\"", reply_.file_name));
    if (reply_.status == 405) put("Allow", "GET, HEAD, PUT");
    put("Cache-Control", reply_.cache ? "no-cache" : "no-store");
    put("Vary", "Accept-Encoding");
    put("Content-Security-Policy", reply_.policy.empty()
                                       ? std::string_view("default-src 'none'; frame-ancestors 'none'")
                                       : std::string_view(reply_.policy));
    put("X-Content-Type-Options", "nosniff");
    put("X-Frame-Options", "DENY");
    put("Referrer-Policy", "no-referrer");
    put("Cross-Origin-Resource-Policy", "same-origin");
    put("Cross-Origin-Opener-Policy", "same-origin");
    head_ += "\r\n";
    if (head_only_ || streamed) {
      write({net::buffer(head_), {}, {}}, streamed && !head_only_);
    } else {
      write({net::buffer(head_), net::buffer(reply_.shared ? *reply_.shared : reply_.body), {}}, false);
    }
  }

  void write(const std::array<net::const_buffer, 3>& parts, bool more) {
    stream_.expires_after(milliseconds(shared_.settings.write_s));
    net::async_write(stream_, parts, [self = shared_from_this(), more](ErrorCode e, std::size_t) {
      if (e) return;
      if (more) return self->next_piece();
      self->reply_ = {};
      if (!self->keep_) return self->shut_down();
      self->read();
    });
  }

  void next_piece() {
    stream_.expires_never();
    worker().push([self = shared_from_this()] {
      self->reply_.body.clear();
      bool good = true;
      try {
        self->reply_.stream(self->reply_.body);
      } catch (const std::exception&) {
        good = false;  // an end without the last chunk tells the client that something is missing
      }
      net::post(self->shared_.context, [self, good] {
        if (good) return self->send_piece();
        ++self->shared_.count.errors;
        self->stream_.close();
      });
    });
  }

  void send_piece() {
    const bool last = reply_.body.empty();
    if (!chunks_) return last ? shut_down() : write({net::buffer(reply_.body), {}, {}}, true);
    head_ = last ? "0\r\n\r\n" : fmt::format("{:x}\r\n", reply_.body.size());
    if (last) return write({net::buffer(head_), {}, {}}, false);
    write({net::buffer(head_), net::buffer(reply_.body), net::buffer("\r\n", 2)}, true);
  }

  void shut_down() {
    ErrorCode ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    // What still arrives is read away, so that the answer is not lost by a reset; not for long.
    stream_.expires_after(std::chrono::seconds(1));
    drain();
  }

  void drain() {
    drained_.resize(4096);
    stream_.async_read_some(net::buffer(drained_), [self = shared_from_this()](ErrorCode e, std::size_t n) {
      self->drained_bytes_ += n;
      if (!e && self->drained_bytes_ < (std::size_t{1} << 20)) self->drain();
    });
  }

  Shared& shared_;
  LiveSession::Registry& registry_;
  SessionId& next_id_;
  beast::tcp_stream stream_;
  std::shared_ptr<Counted> counted_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  Reply reply_;
  std::string head_, drained_;
  std::size_t drained_bytes_ = 0;
  int worker_ = 0;
  bool keep_ = false, chunks_ = false, head_only_ = false;
};

}  // namespace monocoque::server::network
