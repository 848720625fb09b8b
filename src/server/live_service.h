#pragma once
// The live car on the network: sessions of browsers (WebSocket /live) around a LiveSession. Runs on the
// server's thread; with the loop it shares only what live_exchange.h offers, so nothing here can delay a
// step. Messages are described in docs/driving.md.

#include <string>
#include <vector>

#include "io/files/json.h"

#include "realtime/live_session.h"
#include "results/scene.h"
#include "server/live_seat.h"
#include "server/server.h"

namespace monocoque::server {

/// What a browser is told of the model; made before the loop starts.
struct LiveFacts {
  const Model& model;
  Scene scene;
  nlohmann::ordered_json run;  ///< entry of /api/session
};

class LiveService final : public LiveHub {
 public:
  LiveService(realtime::LiveSession& session, const LiveFacts& facts);
  /// Before the server starts; it must outlive its use here.
  void attach(Server& server);

  void on_open(SessionId session) override;
  void on_text(SessionId session, std::string_view text) override;
  void on_close(SessionId session) override;

  const LiveSeat& seat() const { return seat_; }
  const std::vector<ConeHit>& hits() const { return hits_; }

  /// Frame as it goes out: f64 t, sequence, speed, flags; f32 row, arrows, channels.
  static std::string packed(const realtime::LiveFrame& frame);

 private:
  using Json = nlohmann::ordered_json;
  void poll();
  void input(SessionId from, const Json& message);
  void command(SessionId from, const std::string& type, const Json& message);
  void hello(SessionId to);
  void tell(SessionId to, const Json& message);
  void tell_drivers();
  void tell_event(const realtime::LiveEvent& event);
  void tell_stats(const realtime::LiveStats& stats);
  void let_roll();

  realtime::LiveSession& session_;
  const LiveFacts& facts_;
  Server* server_ = nullptr;
  LiveSeat seat_;
  realtime::Pedals pedals_;
  double heard_s_ = 0;  ///< last inputs of the driver
  bool rolls_ = true;   ///< nobody gives inputs
  std::vector<ConeHit> hits_;
};

}  // namespace monocoque::server
