#include "server/live_service.h"

#include <chrono>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace monocoque::server {

using realtime::LiveEvent;
using realtime::LiveEventKind;
using realtime::LiveFrame;
using realtime::LiveStats;

namespace {

constexpr double kPoll_s = 0.004;    ///< looking for a new frame
constexpr double kSilence_s = 1;     ///< a driver who says nothing for so long has let go
constexpr double kRollBrake = 0.25;  ///< what then slows the car down

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A number within limits; anything else leaves the old value.
double number(const nlohmann::ordered_json& message, const char* key, double least, double otherwise) {
  const auto it = message.find(key);
  if (it == message.end() || !it->is_number()) return otherwise;
  const double v = it->get<double>();
  return std::isfinite(v) ? std::clamp(v, least, 1.0) : otherwise;
}

bool flag(const nlohmann::ordered_json& message, const char* key) {
  const auto it = message.find(key);
  return it != message.end() && it->is_boolean() && it->get<bool>();
}

void append(std::string& out, const void* bytes, std::size_t size) {
  out.append(static_cast<const char*>(bytes), size);
}

void append_floats(std::string& out, const VecX& v) {
  const Eigen::VectorXf f = v.cast<float>();
  append(out, f.data(), sizeof(float) * static_cast<std::size_t>(f.size()));
}

}  // namespace

LiveService::LiveService(realtime::LiveSession& session, const LiveFacts& facts)
    : session_(session), facts_(facts) {}

void LiveService::attach(Server& server) {
  server_ = &server;
  server.every(kPoll_s, [this] { poll(); });
}

std::string LiveService::packed(const LiveFrame& f) {
  std::string out;
  const double head[4] = {f.t_s, static_cast<double>(f.sequence), f.speed_m_per_s,
                          static_cast<double>(f.flags)};
  out.reserve(sizeof head +
              4 * (static_cast<std::size_t>(f.row.size() + f.channels.size()) + f.arrows.size()));
  append(out, head, sizeof head);
  append_floats(out, f.row);
  append(out, f.arrows.data(), sizeof(float) * f.arrows.size());
  append_floats(out, f.channels);
  return out;
}

void LiveService::tell(SessionId to, const Json& message) {
  const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  server_->send_text(to, std::make_shared<const std::string>(text));
}

void LiveService::hello(SessionId to) {
  Json channels = Json::array();
  for (const Channel& c : session_.channels()) channels.push_back({{"path", c.path}, {"unit", c.unit}});
  Json message = {{"type", "hello"},
                  {"scene", Json::parse(facts_.scene.json)},
                  {"channels", std::move(channels)},
                  {"step_s", session_.step_s()},
                  {"driver", seat_.driver() == to},
                  {"rate_Hz", 1 / session_.frame_s()},
                  {"body", session_.controls().rigid() ? "rigid" : "flexible"},
                  {"can_switch", session_.can_switch()},
                  {"paused", session_.controls().paused()}};
  tell(to, message);
}

void LiveService::on_open(SessionId id) {
  seat_.join(id, seconds_now());
  hello(id);
}

void LiveService::on_close(SessionId id) {
  if (!seat_.leave(id)) return;
  let_roll();
  tell_drivers();
}

/// Nobody drives: the car slows down and stands.
void LiveService::let_roll() {
  rolls_ = true;
  pedals_ = {0, 0, kRollBrake, true};
  session_.controls().drive(pedals_);
}

void LiveService::tell_drivers() {
  for (const SessionId id : seat_.present())
    tell(id,
         {{"type", "driver"}, {"you", seat_.driver() == id}, {"free", seat_.driver() == LiveSeat::nobody}});
}

void LiveService::on_text(SessionId from, std::string_view text) {
  const Json message = Json::parse(text, nullptr, false);
  const auto type = message.is_object() ? message.find("type") : message.end();
  if (!message.is_object() || type == message.end() || !type->is_string()) {
    tell(from, {{"type", "error"}, {"text", "a message is an object with a type"}});
    return;
  }
  const auto name = type->get<std::string>();
  if (name == "input")
    input(from, message);
  else
    command(from, name, message);
}

void LiveService::input(SessionId from, const Json& message) {
  if (seat_.driver() != from) return;  // late messages of who has just given the wheel away
  const double now = seconds_now();
  realtime::Pedals p;
  p.steer = number(message, "steer", -1, pedals_.steer);
  p.throttle = number(message, "throttle", 0, pedals_.throttle);
  p.brake = number(message, "brake", 0, pedals_.brake);
  p.hold = flag(message, "hold");
  const bool moved = p.steer != pedals_.steer || p.throttle != pedals_.throttle || p.brake != pedals_.brake;
  if (moved) seat_.moved(now);
  heard_s_ = now;
  rolls_ = false;
  pedals_ = p;
  session_.controls().drive(p);
}

void LiveService::command(SessionId from, const std::string& type, const Json& message) {
  const double now = seconds_now();
  if (type == "take_wheel") {
    const SessionId before = seat_.driver();
    if (seat_.request(from, now) == LiveSeat::Answer::granted) {
      if (before != from) let_roll();
      tell_drivers();
    } else {
      tell(before, {{"type", "wheel_wanted"}});
      tell(from, {{"type", "event"}, {"text", "the driver was asked to give you the wheel"}});
    }
    return;
  }
  if (type == "give_wheel") {
    if (seat_.give(from, now)) {
      let_roll();
      tell_drivers();
    }
    return;
  }
  const bool known = type == "pause" || type == "reset" || type == "body";
  if (!known) {
    tell(from, {{"type", "error"}, {"text", "unknown type of message"}});
    return;
  }
  if (seat_.driver() != from) {
    tell(from, {{"type", "driver"}, {"you", false}, {"free", seat_.driver() == LiveSeat::nobody}});
    return;
  }
  seat_.moved(now);
  if (type == "pause") {
    session_.controls().pause(flag(message, "on"));
  } else if (type == "reset") {
    session_.controls().reset();
  } else {
    const auto kind = message.find("kind");
    if (kind == message.end() || (*kind != "rigid" && *kind != "flexible")) return;
    session_.controls().rigid(*kind == "rigid");
  }
}

void LiveService::tell_event(const LiveEvent& e) {
  Json message = {{"type", "event"}, {"t", e.t_s}};
  switch (e.kind) {
    case LiveEventKind::cone_touched:
    case LiveEventKind::cone_wrong_side:
      hits_.push_back({e.cone, e.t_s, e.kind == LiveEventKind::cone_wrong_side});
      message["kind"] = "cone";
      message["cone"] = e.cone;
      message["text"] =
          fmt::format("cone {} {}", e.cone + 1,
                      e.kind == LiveEventKind::cone_touched ? "touched" : "passed on the wrong side");
      break;
    case LiveEventKind::failed:
      message["kind"] = "failed";
      message["text"] =
          fmt::format("The simulation stopped: {}. Reset puts the car back to the start.", e.text.data());
      break;
    case LiveEventKind::rolled_over:
      message["kind"] = "failed";
      message["text"] = "The car has rolled over. Reset puts it back to the start.";
      break;
    case LiveEventKind::reset:
      hits_.clear();
      message["kind"] = "reset";
      message["text"] = "back to the start";
      break;
    case LiveEventKind::body:
      tell(Server::everyone, {{"type", "body"}, {"kind", e.rigid ? "rigid" : "flexible"}, {"t", e.t_s}});
      return;
    case LiveEventKind::body_refused:
      message["kind"] = "body";
      message["text"] = std::string(e.text.data());
      break;
  }
  tell(Server::everyone, message);
}

void LiveService::tell_stats(const LiveStats& s) {
  tell(Server::everyone, {{"type", "stats"},
                          {"t", s.t_s},
                          {"rt_factor", s.rt_factor},
                          {"median_us", s.median_us},
                          {"p99_us", s.p99_us},
                          {"worst_us", s.worst_us},
                          {"frame_us", s.frame_us},
                          {"overruns", s.overruns},
                          {"all_overruns", s.all_overruns},
                          {"period_us", s.period_us},
                          {"rss_kB", realtime::resident_kB()},
                          {"watchers", seat_.present().size()}});
}

void LiveService::poll() {
  if (!rolls_ && seconds_now() - heard_s_ > kSilence_s) let_roll();
  LiveEvent event;
  while (session_.events().pop(event)) tell_event(event);
  if (session_.frames().take() && !seat_.present().empty())
    server_->send_state(Server::everyone,
                        std::make_shared<const std::string>(packed(session_.frames().last())));
  if (session_.stats().take()) tell_stats(session_.stats().last());
}

}  // namespace monocoque::server
