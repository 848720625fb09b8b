// The only file that includes Boost: its templates take most of a minute to compile.

#include "server/server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/host_name.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "core/error.h"
#include "server/host_check.h"
#include "server/lane.h"

namespace monocoque::server {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr std::size_t backlog_bytes = 256 * 1024;

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(1000 * seconds));
}

std::string text_of(boost::string_view view) {
  return {view.data(), view.size()};
}

/// Messages a second, with a burst of one second's worth.
class Allowance {
 public:
  explicit Allowance(int per_s) : per_s_(per_s), left_(per_s) {}
  bool take() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    left_ = std::min(per_s_, left_ + passed.count() * per_s_) - 1;
    return left_ >= 0;
  }

 private:
  double per_s_, left_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

struct AtomicCounters {
  std::atomic<std::uint64_t> connections{0}, refused{0}, requests{0}, errors{0}, sessions{0}, messages{0},
      states_sent{0}, states_replaced{0}, texts_sent{0}, closed_for_rate{0}, closed_for_backlog{0};
  std::atomic<int> open_connections{0}, open_sessions{0};
};

/// What all connections know.
struct Shared {
  ServerSettings settings;
  Handler& handler;
  LiveHub* hub;
  HostCheck hosts;
  AtomicCounters count;
  net::io_context& context;
  std::array<std::unique_ptr<Lane>, Handler::lanes> lanes;
};

/// Counts itself among the open connections.
class Counted {
 public:
  explicit Counted(std::atomic<int>& number) : number_(number) { ++number_; }
  ~Counted() { --number_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::atomic<int>& number_;
};

class LiveSession : public std::enable_shared_from_this<LiveSession> {
 public:
  using Registry = std::unordered_map<SessionId, std::shared_ptr<LiveSession>>;

  LiveSession(Shared& shared, Registry& registry, SessionId id, tcp::socket socket,
              std::shared_ptr<Counted> connection)
      : shared_(shared),
        registry_(registry),
        id_(id),
        socket_(std::move(socket)),
        connection_(std::move(connection)),
        counted_(shared.count.open_sessions),
        allowance_(shared.settings.messages_per_s) {}

  void start(const http::request<http::string_body>& request) {
    websocket::stream_base::timeout times{};
    times.handshake_timeout = milliseconds(shared_.settings.request_s);
    times.idle_timeout = milliseconds(shared_.settings.silence_s);
    times.keep_alive_pings = true;
    socket_.set_option(times);
    socket_.read_message_max(shared_.settings.message_bytes);
    socket_.control_callback([this](websocket::frame_type, beast::string_view) {
      if (!allowance_.take()) too_many();
    });
    socket_.async_accept(request, [self = shared_from_this()](ErrorCode e) {
      if (e) return;
      self->registry_.emplace(self->id_, self);
      ++self->shared_.count.sessions;
      self->guarded([&] { self->shared_.hub->on_open(self->id_); });
      self->read();
    });
  }

  void send_text(const Frame& text) {
    if (closing_) return;
    waiting_bytes_ += text->size();
    if (waiting_bytes_ > backlog_bytes) {
      ++shared_.count.closed_for_backlog;
      return drop();
    }
    texts_.push_back(text);
    write();
  }

  void send_state(const Frame& state) {
    if (closing_) return;
    if (state_) ++shared_.count.states_replaced;
    state_ = state;
    write();
  }

  void close(websocket::close_code code) {
    if (closing_) return;
    closing_ = true;
    texts_.clear();
    state_ = nullptr;
    if (writing_) {  // a close frame would wait for a reader that may never come
      ended();
      beast::get_lowest_layer(socket_).close();
      return;
    }
    socket_.async_close(code, [self = shared_from_this()](ErrorCode) { self->ended(); });
  }

  /// The connection is gone, or has to go.
  void drop() {
    closing_ = true;
    ended();
    beast::get_lowest_layer(socket_).close();
  }

 private:
  void guarded(const auto& call) {
    try {
      call();
    } catch (const std::exception&) {
      ++shared_.count.errors;
      close(websocket::close_code::internal_error);
    }
  }

  void too_many() {
    ++shared_.count.closed_for_rate;
    close(websocket::close_code::policy_error);
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](ErrorCode e, std::size_t) { self->on_read(e); });
  }

  void on_read(const ErrorCode& e) {
    if (e) return ended();
    if (closing_) {  // read on for the other side's close frame
      buffer_.consume(buffer_.size());
      return read();
    }
    ++shared_.count.messages;
    if (!allowance_.take()) {
      too_many();
    } else if (!socket_.got_text()) {
      close(websocket::close_code::bad_payload);
    } else {
      const auto bytes = buffer_.data();
      const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
      guarded([&] { shared_.hub->on_text(id_, text); });
    }
    buffer_.consume(buffer_.size());
    read();
  }

  void write() {
    if (writing_ || closing_) return;
    if (!texts_.empty()) {
      sent_ = std::move(texts_.front());
      texts_.pop_front();
      waiting_bytes_ -= sent_->size();
      socket_.text(true);
      ++shared_.count.texts_sent;
    } else if (state_) {
      sent_ = std::move(state_);
      state_ = nullptr;
      socket_.binary(true);
      ++shared_.count.states_sent;
    } else {
      return;
    }
    writing_ = true;
    socket_.async_write(net::buffer(*sent_), [self = shared_from_this()](ErrorCode e, std::size_t) {
      self->writing_ = false;
      self->sent_ = nullptr;
      if (e) return self->ended();
      self->write();
    });
  }

  void ended() {
    closing_ = true;
    const auto self = shared_from_this();
    if (registry_.erase(id_) == 0) return;  // told already
    guarded([&] { shared_.hub->on_close(id_); });
  }

  Shared& shared_;
  Registry& registry_;
  const SessionId id_;
  websocket::stream<beast::tcp_stream> socket_;
  std::shared_ptr<Counted> connection_;
  Counted counted_;
  Allowance allowance_;
  beast::flat_buffer buffer_;
  std::deque<Frame> texts_;
  std::size_t waiting_bytes_ = 0;
  Frame state_, sent_;
  bool writing_ = false, closing_ = false;
};

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
    lane_ = std::clamp(shared_.handler.lane(r), 0, Handler::lanes - 1);
    lane().push([self = shared_from_this(), r = std::move(r)] {
      auto reply = std::make_shared<Reply>(self->shared_.handler.answer(r));
      net::post(self->shared_.context, [self, reply] { self->send(std::move(*reply)); });
    });
  }

  Lane& lane() { return *shared_.lanes[static_cast<std::size_t>(lane_)]; }

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
    lane().push([self = shared_from_this()] {
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
  int lane_ = 0;
  bool keep_ = false, chunks_ = false, head_only_ = false;
};

tcp::endpoint resolve(net::io_context& context, const std::string& host) {
  if (host.empty()) return {net::ip::make_address("127.0.0.1"), 0};
  ErrorCode e;
  const auto found = tcp::resolver(context).resolve(host, "", e);
  if (e || found.empty())
    throw Error("--host", fmt::format("'{}' is no address of this machine: {}", host, e.message()),
                "give a name or an address, for example 127.0.0.1");
  return found.begin()->endpoint();
}

tcp::acceptor listen(net::io_context& context, const ServerSettings& settings) {
  tcp::endpoint place = resolve(context, settings.host);
  std::vector<int> ports{settings.port};
  if (settings.next_port_when_taken && settings.port != 0) {
    for (int k = 1; k <= 20 && settings.port + k < 65536; ++k) ports.push_back(settings.port + k);
    ports.push_back(0);
  }
  ErrorCode e;
  for (const int port : ports) {
    place.port(static_cast<std::uint16_t>(port));
    tcp::acceptor acceptor(context);
    acceptor.open(place.protocol(), e);
    if (!e) acceptor.set_option(net::socket_base::reuse_address(true), e);
    if (!e) acceptor.bind(place, e);
    if (!e) acceptor.listen(128, e);
    if (!e) return acceptor;
  }
  throw Error("--port", fmt::format("port {} cannot be taken: {}", settings.port, e.message()),
              "give another one with --port, or 0 for any");
}

}  // namespace

struct Server::Impl {
  // Sessions that are still referred to by the context count themselves off when it goes: it goes first.
  std::unique_ptr<Shared> shared;
  LiveSession::Registry sessions;
  SessionId next_id = 1;
  std::function<void()> tick;
  std::chrono::microseconds period{0};
  std::thread thread;
  bool stopped = false;
  net::io_context context{1};
  std::optional<tcp::acceptor> acceptor;
  std::optional<net::steady_timer> timer, pause;
  std::string url;
  int port = 0;

  void accept() {
    acceptor->async_accept([this](ErrorCode e, tcp::socket socket) {
      if (e == net::error::operation_aborted) return;
      if (e) {  // out of file handles: wait for some to be given back
        pause->expires_after(std::chrono::milliseconds(100));
        pause->async_wait([this](ErrorCode stop) {
          if (!stop) accept();
        });
        return;
      }
      admit(std::move(socket));
      accept();
    });
  }

  void admit(tcp::socket socket) {
    ErrorCode ignored;
    ++shared->count.connections;
    if (shared->count.open_connections >= shared->settings.connections) {
      ++shared->count.refused;
      static constexpr std::string_view busy =
          "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: "
          "1\r\n\r\n";
      socket.non_blocking(true, ignored);
      socket.write_some(net::buffer(busy.data(), busy.size()), ignored);
      socket.shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<HttpSession>(*shared, sessions, next_id, std::move(socket))->read();
  }

  void next_tick() {
    timer->expires_at(timer->expiry() + period);
    // After a pause of the machine the ticks that were missed are left out.
    if (timer->expiry() < std::chrono::steady_clock::now()) timer->expires_after(period);
    timer->async_wait([this](ErrorCode e) {
      if (e) return;
      tick();
      next_tick();
    });
  }

  void each(SessionId to, const auto& call) {
    if (to != everyone) {
      const auto at = sessions.find(to);
      if (at != sessions.end()) call(*std::shared_ptr<LiveSession>(at->second));
      return;
    }
    std::vector<std::shared_ptr<LiveSession>> all;  // a call may remove itself from the registry
    for (const auto& [id, session] : sessions) all.push_back(session);
    for (const auto& session : all) call(*session);
  }

  void run() {
    for (;;) {
      try {
        context.run();
        return;
      } catch (const std::exception&) {
        ++shared->count.errors;  // of one handler; the others go on
      }
    }
  }
};

Server::Server(const ServerSettings& settings, Handler& handler, LiveHub* hub)
    : impl_(std::make_shared<Impl>()) {
  Impl& d = *impl_;
  d.acceptor.emplace(listen(d.context, settings));
  const tcp::endpoint place = d.acceptor->local_endpoint();
  d.port = place.port();
  const bool any = place.address().is_unspecified();
  HostCheck hosts(d.port, any);
  if (!settings.host.empty()) hosts.allow(settings.host);
  if (!any) hosts.allow(place.address().to_string());
  if (any) hosts.allow(net::ip::host_name());
  const std::string shown = any || settings.host.empty() ? "127.0.0.1" : settings.host;
  d.url =
      fmt::format("http://{}:{}/", shown.find(':') == std::string::npos ? shown : "[" + shown + "]", d.port);
  d.shared.reset(new Shared{settings, handler, hub, std::move(hosts), {}, d.context, {}});
  d.timer.emplace(d.context);
  d.pause.emplace(d.context);
}

Server::~Server() {
  stop();
}

void Server::start() {
  Impl& d = *impl_;
  d.shared->lanes[0] = std::make_unique<Lane>();
  d.shared->lanes[1] = std::make_unique<Lane>([&d] { return d.shared->handler.background(); });
  d.accept();
  d.thread = std::thread([&d] { d.run(); });
}

void Server::stop() {
  Impl& d = *impl_;
  if (std::exchange(d.stopped, true)) return;
  const auto end = [&d] {
    d.each(everyone, [](LiveSession& s) { s.drop(); });
    ErrorCode ignored;
    d.acceptor->close(ignored);
    d.context.stop();
  };
  if (d.thread.joinable()) {
    net::post(d.context, end);
    d.thread.join();
  }
  for (auto& lane : d.shared->lanes) lane.reset();
}

int Server::port() const {
  return impl_->port;
}

std::string Server::url() const {
  return impl_->url;
}

void Server::send_text(SessionId to, Frame text) {
  net::dispatch(impl_->context, [d = impl_.get(), to, text = std::move(text)] {
    d->each(to, [&](LiveSession& s) { s.send_text(text); });
  });
}

void Server::send_state(SessionId to, Frame state) {
  net::dispatch(impl_->context, [d = impl_.get(), to, state = std::move(state)] {
    d->each(to, [&](LiveSession& s) { s.send_state(state); });
  });
}

void Server::close(SessionId session) {
  net::post(impl_->context, [d = impl_.get(), session] {
    d->each(session, [](LiveSession& s) { s.close(websocket::close_code::normal); });
  });
}

void Server::post(std::function<void()> work) {
  net::post(impl_->context, std::move(work));
}

void Server::every(double period_s, std::function<void()> work) {
  net::post(impl_->context, [d = impl_.get(), period_s, work = std::move(work)] {
    d->tick = work;
    d->period = std::chrono::microseconds(std::max(1000L, static_cast<long>(1e6 * period_s)));
    d->timer->expires_after(std::chrono::seconds(0));
    d->next_tick();
  });
}

ServerCounters Server::counters() const {
  const AtomicCounters& c = impl_->shared->count;
  return {c.connections,        c.refused,          c.requests,        c.errors,     c.sessions,
          c.messages,           c.states_sent,      c.states_replaced, c.texts_sent, c.closed_for_rate,
          c.closed_for_backlog, c.open_connections, c.open_sessions};
}

}  // namespace monocoque::server
