// The only file that includes Boost: its templates take long to compile.

#include "server/server.h"

#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "core/error_kinds.h"
#include "server/http_session.h"
#include "server/network.h"
#include "server/socket_session.h"

namespace monocoque::server {

using namespace network;

namespace {

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
  throw SystemError("--port", fmt::format("port {} cannot be taken: {}", settings.port, e.message()),
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
  d.shared->workers[0] = std::make_unique<WorkerThread>();
  d.shared->workers[1] = std::make_unique<WorkerThread>([&d] { return d.shared->handler.background(); });
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
  for (auto& worker : d.shared->workers) worker.reset();
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
  return {c.connections,      c.refused,         c.requests,           c.errors,
          c.sessions,         c.messages,        c.states_sent,        c.states_replaced,
          c.texts_sent,       c.closed_for_rate, c.closed_for_backlog, c.closed_for_silence,
          c.open_connections, c.open_sessions};
}

}  // namespace monocoque::server
