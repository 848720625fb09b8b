#pragma once
// One WebSocket. Internal to server.cpp.

#include <deque>
#include <optional>
#include <unordered_map>

#include "server/network.h"

namespace monocoque::server::network {

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
        watch_(shared.context),
        allowance_(shared.settings.messages_per_s) {}

  void start(const http::request<http::string_body>& request) {
    websocket::stream_base::timeout times{};
    times.handshake_timeout = milliseconds(shared_.settings.request_s);
    times.idle_timeout = milliseconds(shared_.settings.silence_s);
    times.keep_alive_pings = true;
    socket_.set_option(times);
    socket_.auto_fragment(false);
    socket_.read_message_max(shared_.settings.message_bytes);
    ErrorCode ignored;
    beast::get_lowest_layer(socket_).socket().set_option(
        net::socket_base::send_buffer_size(send_buffer_bytes), ignored);
    socket_.control_callback([this](websocket::frame_type, beast::string_view) {
      complete();
      if (!closing_ && !allowance_.take()) too_many();
    });
    socket_.async_accept(request, [self = shared_from_this(), times](ErrorCode e) mutable {
      if (e) return;
      // From here on this is the time for a close: a peer that answers none is left after it.
      times.handshake_timeout = milliseconds(self->shared_.settings.close_s);
      self->socket_.set_option(times);
      self->registry_.emplace(self->id_, self);
      ++self->shared_.count.sessions;
      self->guarded([&] { self->shared_.hub->on_open(self->id_); });
      self->complete();
      self->watch();
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
    ended();
    socket_.async_close(code, [self = shared_from_this()](ErrorCode) {});
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

  /// All that was begun has arrived: a frame was complete.
  void complete() {
    complete_at_ = std::chrono::steady_clock::now();
    complete_bytes_ = beast::get_lowest_layer(socket_).rate_policy().heard();
    begun_at_.reset();
  }

  /// Who sends a piece of a frame and no more, or nothing but such pieces, is cut off.
  void watch() {
    watch_.expires_after(milliseconds(0.25 * shared_.settings.close_s));
    watch_.async_wait([weak = weak_from_this()](ErrorCode e) {
      const auto self = weak.lock();
      if (!self || e || self->closing_) return;
      const auto now = std::chrono::steady_clock::now();
      if (beast::get_lowest_layer(self->socket_).rate_policy().heard() == self->complete_bytes_)
        self->begun_at_.reset();
      else if (!self->begun_at_)
        self->begun_at_ = now;
      const ServerSettings& limits = self->shared_.settings;
      if ((self->begun_at_ && now - *self->begun_at_ > milliseconds(limits.close_s)) ||
          now - self->complete_at_ > milliseconds(limits.silence_s)) {
        ++self->shared_.count.closed_for_silence;
        return self->drop();
      }
      self->watch();
    });
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](ErrorCode e, std::size_t) { self->on_read(e); });
  }

  void on_read(const ErrorCode& e) {
    if (e) return ended();
    if (closing_) return;  // the close reads for itself; two who read would wait for each other
    complete();
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
    if (!closing_) read();
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
  websocket::stream<CountedStream> socket_;
  std::shared_ptr<Counted> connection_;
  Counted counted_;
  net::steady_timer watch_;
  std::chrono::steady_clock::time_point complete_at_;
  std::optional<std::chrono::steady_clock::time_point> begun_at_;  ///< of a frame that is not complete
  std::uint64_t complete_bytes_ = 0;
  Allowance allowance_;
  beast::flat_buffer buffer_;
  std::deque<Frame> texts_;
  std::size_t waiting_bytes_ = 0;
  Frame state_, sent_;
  bool writing_ = false, closing_ = false;
};

}  // namespace monocoque::server::network
