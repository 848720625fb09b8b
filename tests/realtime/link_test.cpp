// Packets, UDP on the loopback and shared memory, with the other side played by the test.

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "realtime/packet.h"
#include "realtime/shared_link.h"
#include "realtime/udp_link.h"
#include "support/complaint.h"

namespace monocoque::realtime {
namespace {

using monocoque::test::complaint;

ExchangeLayout layout_of(std::size_t inputs, std::size_t outputs) {
  ExchangeLayout layout;
  for (std::size_t i = 0; i < inputs; ++i) layout.inputs.push_back({fmt::format("in{}", i), "N", 0, -1, 1});
  for (std::size_t i = 0; i < outputs; ++i) layout.outputs.push_back({fmt::format("out{}", i), "m"});
  return layout;
}

std::vector<unsigned char> packet(std::uint64_t sequence, const std::vector<double>& values,
                                  std::uint32_t layout = 0) {
  std::vector<unsigned char> out(packet_bytes(values.size()));
  PacketHeader h;
  h.sequence = sequence;
  h.layout = layout;
  h.count = static_cast<std::uint32_t>(values.size());
  encode(h, values.data(), out.data());
  return out;
}

/// A socket of the loopback that talks to a link.
class Peer {
 public:
  explicit Peer(const UdpLink& link) : socket_(socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(link.port()));
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    EXPECT_EQ(connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~Peer() { close(socket_); }
  void send(const std::vector<unsigned char>& bytes) const {
    EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  std::vector<unsigned char> take() const {
    std::vector<unsigned char> bytes(65536);
    const ssize_t got = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }

 private:
  int socket_;
};

std::int64_t count(const ExchangeLink& link, const std::string& name) {
  for (const auto& [key, value] : link.counts())
    if (key == name) return value;
  ADD_FAILURE() << "nothing counts " << name;
  return -1;
}

TEST(Packet, HasTheDocumentedBytes) {
  const std::vector<double> values = {1.5, -2};
  PacketHeader h;
  h.kind = PacketKind::outputs;
  h.sequence = 0x0102030405060708;
  h.t_s = 0.25;
  h.layout = 0xA1B2C3D4;
  h.count = 2;
  h.flags = 2;
  std::vector<unsigned char> bytes(packet_bytes(2));
  encode(h, values.data(), bytes.data());
  // Made with Python: struct.pack('<4sHHQdIII', ...) + struct.pack('<I', crc) + struct.pack('<2d', 1.5, -2).
  const std::vector<unsigned char> expected = {'M',  'C',  'R',  'T',  1, 0, 2, 0, 8, 7, 6,    5,
                                               4,    3,    2,    1,    0, 0, 0, 0, 0, 0, 0xD0, 0x3F,
                                               0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 0, 0, 2, 0, 0,    0};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), bytes.begin()));
  EXPECT_EQ(bytes[36] | bytes[37] << 8 | bytes[38] << 16, 0xfb0519);
  EXPECT_EQ(bytes[39], 0x83);
  EXPECT_EQ(bytes[46], 0xF8);
  EXPECT_EQ(bytes[47], 0x3F);
}

TEST(Packet, ReturnsWhatWasSent) {
  const std::vector<double> values = {1, -2.5, 1e300};
  const auto bytes = packet(77, values, 5);
  PacketHeader wanted, h;
  wanted.layout = 5;
  wanted.count = 3;
  std::vector<double> got(3);
  EXPECT_EQ(decode(bytes.data(), bytes.size(), wanted, h, got.data()), PacketFault::none);
  EXPECT_EQ(h.sequence, 77U);
  EXPECT_EQ(got, values);
}

TEST(Packet, EveryDamagedBitIsNoticedAndChangesNothing) {
  const auto good = packet(3, {1, 2}, 9);
  PacketHeader wanted;
  wanted.layout = 9;
  wanted.count = 2;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    auto bytes = good;
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ (1U << bit % 8));
    PacketHeader h;
    double got[2] = {-7, -7};
    EXPECT_NE(decode(bytes.data(), bytes.size(), wanted, h, got), PacketFault::none) << bit;
    EXPECT_EQ(got[0], -7);
    EXPECT_EQ(got[1], -7);
  }
}

TEST(Packet, NoiseOfAnyLengthIsRefused) {
  std::mt19937 random(3);
  PacketHeader wanted, h;
  wanted.count = 2;
  double got[2];
  for (int i = 0; i < 20000; ++i) {
    std::vector<unsigned char> bytes(random() % 80);
    for (unsigned char& b : bytes) b = static_cast<unsigned char>(random());
    if (i % 2 == 0 && bytes.size() > 8) std::memcpy(bytes.data(), "MCRT\1\0\1\0", 8);
    EXPECT_NE(decode(bytes.data(), bytes.size(), wanted, h, got), PacketFault::none);
  }
}

TEST(UdpLink, ExchangesValuesAndAnswersTheSender) {
  const ExchangeLayout layout = layout_of(2, 3);
  UdpLink link({}, layout);
  const Peer peer(link);
  const std::vector<double> out = {1, 2, 3};
  double values[2] = {-1, -1};
  EXPECT_FALSE(link.receive(values));
  link.send(0.5, out.data(), 0);  // nobody is known yet
  peer.send(packet(0, {4, 5}, layout.id()));
  ASSERT_TRUE(link.receive(values));
  EXPECT_EQ(values[0], 4);
  EXPECT_EQ(values[1], 5);
  EXPECT_FALSE(link.receive(values));
  link.send(0.75, out.data(), kInputsTimedOut);
  const auto bytes = peer.take();
  PacketHeader wanted, h;
  wanted.kind = PacketKind::outputs;
  wanted.layout = layout.id();
  wanted.count = 3;
  std::vector<double> got(3);
  ASSERT_EQ(decode(bytes.data(), bytes.size(), wanted, h, got.data()), PacketFault::none);
  EXPECT_EQ(got, out);
  EXPECT_EQ(h.t_s, 0.75);
  EXPECT_EQ(h.flags, kInputsTimedOut);
  EXPECT_EQ(count(link, "outputs sent"), 1);
}

TEST(UdpLink, TheNewestOfSeveralCounts) {
  UdpLink link({}, layout_of(1, 0));
  const Peer peer(link);
  for (const std::uint64_t k : {1, 2, 5, 4}) peer.send(packet(k, {static_cast<double>(k)}));
  double value = 0;
  EXPECT_TRUE(link.receive(&value));
  EXPECT_EQ(value, 5);
  EXPECT_EQ(count(link, "inputs accepted"), 3);
  EXPECT_EQ(count(link, "inputs lost"), 2);
  EXPECT_EQ(count(link, "inputs out of order"), 1);
}

TEST(UdpLink, HostilePacketsAreCountedAndIgnored) {
  const ExchangeLayout layout = layout_of(2, 0);
  UdpLink link({}, layout);
  const Peer peer(link);
  const auto good = packet(1, {1, 2}, layout.id());
  auto damaged = good;
  damaged[45] ^= 1;
  auto magic = good;
  magic[0] = 'X';
  auto version = good;
  version[4] = 9;
  auto shortened = good, longer = good;
  shortened.pop_back();
  longer.push_back(0);
  peer.send({});
  peer.send({'M', 'C'});
  peer.send(shortened);
  peer.send(longer);
  peer.send(std::vector<unsigned char>(60000, 'M'));
  peer.send(magic);
  peer.send(version);
  peer.send(damaged);
  peer.send(packet(1, {1, 2}, layout.id() + 1));
  peer.send(packet(1, {1, 2, 3}));
  peer.send(packet(1, {}));
  peer.send(packet(1, {1, std::nan("")}));
  peer.send(packet(1, {-std::numeric_limits<double>::infinity(), 0}));
  double values[2] = {-7, -7};
  EXPECT_FALSE(link.receive(values));
  EXPECT_EQ(values[0], -7);
  EXPECT_EQ(count(link, "refused: length"), 4);
  EXPECT_EQ(count(link, "refused: magic"), 2);
  EXPECT_EQ(count(link, "refused: version"), 1);
  EXPECT_EQ(count(link, "refused: checksum"), 1);
  EXPECT_EQ(count(link, "refused: layout"), 1);
  EXPECT_EQ(count(link, "refused: count"), 2);
  EXPECT_EQ(count(link, "refused: not finite"), 2);
  peer.send(good);
  EXPECT_TRUE(link.receive(values));
  EXPECT_EQ(values[1], 2);
}

TEST(UdpLink, AFloodIsReadInBoundedPieces) {
  UdpLink link({}, layout_of(1, 0));
  const Peer peer(link);
  for (int k = 1; k <= 100; ++k) peer.send(packet(static_cast<std::uint64_t>(k), {1.0 * k}));
  double value = 0;
  EXPECT_TRUE(link.receive(&value));
  EXPECT_EQ(value, UdpLink::kMostPackets);
  EXPECT_EQ(count(link, "floods"), 1);
}

TEST(UdpLink, AControllerMayBeginAnewWithZeroOrAfterATimeout) {
  UdpLink link({}, layout_of(1, 0));
  const Peer peer(link);
  double value = 0;
  const auto taken = [&](std::uint64_t sequence) {
    peer.send(packet(sequence, {1}));
    return link.receive(&value);
  };
  EXPECT_TRUE(taken(1000));
  EXPECT_FALSE(taken(3));
  EXPECT_TRUE(taken(0));
  EXPECT_TRUE(taken(1));
  EXPECT_TRUE(taken(1000));
  EXPECT_FALSE(taken(3));
  link.expect_restart();
  EXPECT_TRUE(taken(3));
}

TEST(UdpLink, TakesInputsOfItsPeerOnly) {
  UdpOptions options;
  options.peer_address = "127.0.0.2";
  UdpLink link(options, layout_of(1, 0));
  const Peer peer(link);
  peer.send(packet(0, {1}));
  double value = 0;
  EXPECT_FALSE(link.receive(&value));
  EXPECT_EQ(count(link, "from strangers"), 1);
}

TEST(UdpLink, RefusesWhatIsNoEndpoint) {
  std::string address = "127.0.0.1";
  int port = 0;
  parse_endpoint("--udp", "5005", address, port);
  EXPECT_EQ(address, "127.0.0.1");
  EXPECT_EQ(port, 5005);
  parse_endpoint("--udp", "10.0.0.7:80", address, port);
  EXPECT_EQ(address, "10.0.0.7");
  EXPECT_EQ(port, 80);
  for (const char* text : {"", ":", "x", "70000", "-1", "1.2.3:5", "localhost:5", "5005x", "1.2.3.4:"})
    EXPECT_NE(complaint([&] { parse_endpoint("--udp", text, address, port); }), "") << text;
  const UdpLink first({}, layout_of(1, 0));
  UdpOptions same;
  same.port = first.port();
  EXPECT_NE(complaint([&] { UdpLink(same, layout_of(1, 0)); }).find("cannot be used"), std::string::npos);
  EXPECT_NE(complaint([&] { UdpLink({}, layout_of(1, 9000)); }).find("--outputs"), std::string::npos);
}

/// The other side of shared memory, as a controller would write it.
class SharedPeer {
 public:
  explicit SharedPeer(const std::string& name, const ExchangeLayout& layout)
      : places_(shared_places(layout.inputs.size(), layout.outputs.size())) {
    const int file = shm_open(("/" + name).c_str(), O_RDWR, 0);
    EXPECT_GE(file, 0);
    memory_ =
        static_cast<unsigned char*>(mmap(nullptr, places_.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
  }
  ~SharedPeer() { munmap(memory_, places_.size); }
  std::uint64_t& word(std::size_t at) { return *reinterpret_cast<std::uint64_t*>(memory_ + at); }
  double& number(std::size_t at) { return *reinterpret_cast<double*>(memory_ + at); }
  std::atomic_ref<std::uint64_t> guard(std::size_t block) { return std::atomic_ref(word(block)); }
  void write(const std::vector<double>& values) {
    guard(places_.inputs).fetch_add(1);
    for (std::size_t i = 0; i < values.size(); ++i)
      std::atomic_ref(number(places_.inputs + 32 + 8 * i)).store(values[i]);
    guard(places_.inputs).fetch_add(1);
  }
  SharedPlaces places_;
  unsigned char* memory_;
};

std::string shared_name() {
  return fmt::format("monocoque_test_{}", getpid());
}

TEST(SharedLink, HasTheDocumentedHeaderAndExchangesValues) {
  const ExchangeLayout layout = layout_of(2, 3);
  const std::string name = shared_name();
  {
    SharedLink link(name, layout);
    SharedPeer peer(name, layout);
    EXPECT_EQ(std::memcmp(peer.memory_, "MCSHARED", 8), 0);
    EXPECT_EQ(peer.word(8), (std::uint64_t{layout.id()} << 32) + kSharedVersion);
    EXPECT_EQ(peer.word(16), (std::uint64_t{3} << 32) + 2);
    EXPECT_EQ(peer.word(24), 64U);
    EXPECT_EQ(peer.word(32), 128U);
    EXPECT_EQ(peer.word(40), 192U);
    EXPECT_EQ(peer.word(56), 1U);

    double values[2] = {-1, -1};
    EXPECT_FALSE(link.receive(values));
    peer.write({4, 5});
    EXPECT_TRUE(link.receive(values));
    EXPECT_EQ(values[0], 4);
    EXPECT_EQ(values[1], 5);
    EXPECT_FALSE(link.receive(values));  // nothing new
    peer.write({std::nan(""), 5});
    EXPECT_FALSE(link.receive(values));
    EXPECT_EQ(values[0], 4);
    peer.guard(64).fetch_add(1);  // a controller that died while it wrote
    EXPECT_FALSE(link.receive(values));
    EXPECT_EQ(count(link, "refused: torn"), 1);
    EXPECT_EQ(count(link, "refused: not finite"), 1);

    const double out[3] = {7, 8, 9};
    link.send(0.25, out, kLastOutputs);
    EXPECT_EQ(peer.word(128), 2U);
    EXPECT_EQ(peer.word(136), 1U);
    EXPECT_EQ(peer.number(144), 0.25);
    EXPECT_EQ(peer.word(152), kLastOutputs);
    EXPECT_EQ(peer.number(176), 9);
  }
  EXPECT_LT(shm_open(("/" + name).c_str(), O_RDWR, 0), 0);  // the name is gone
}

TEST(SharedLink, NeverGivesHalfOfOneWriteAndHalfOfAnother) {
  const ExchangeLayout layout = layout_of(16, 0);
  const std::string name = shared_name();
  SharedLink link(name, layout);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    SharedPeer peer(name, layout);
    for (int k = 1; !done.load(); ++k) {
      peer.write(std::vector<double>(16, k));
      if (k % 8 == 0) std::this_thread::yield();  // who writes all the time leaves nothing to read
    }
  });
  double values[16] = {}, last = 0;
  int taken = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (taken < 200 && std::chrono::steady_clock::now() < end) {
    if (!link.receive(values)) continue;
    ++taken;
    for (const double v : values) ASSERT_EQ(v, values[0]);
    ASSERT_GT(values[0], last);
    last = values[0];
  }
  done = true;
  writer.join();
  EXPECT_EQ(taken, 200);
}

TEST(SharedLink, ReplacesWhatADeadRunLeftButNotALivingOne) {
  const ExchangeLayout layout = layout_of(1, 1);
  const std::string name = shared_name();
  const SharedLink link(name, layout);
  EXPECT_NE(complaint([&] { SharedLink(name, layout); }).find("another run uses this name"),
            std::string::npos);
  SharedPeer(name, layout).word(48) = 0x3fffffff;  // no such process
  EXPECT_EQ(complaint([&] { SharedLink(name, layout); }), "");
  for (const char* bad : {"", "a/b"}) EXPECT_NE(complaint([&] { SharedLink(bad, layout); }), "");
}

}  // namespace
}  // namespace monocoque::realtime
