#pragma once
// Channels computed from others: the one language of the commands and of the viewer.
//   [engine/power] / 3.6e6      the arithmetic of model files with channels in brackets and the time t
//   car/acceleration/z          no brackets needed where blanks, parentheses or commas enclose the name
//   norm(FL/spring/force)       length of a vector with channels x, y, z
//   derivative(...), rate(...)  by time: difference of the neighbours over theirs in time
//   integral(...)               trapezoids from the run's start on
// All of them nest. The unit is known of a channel, of the functions above and of sums and differences of
// such terms, whose units must agree.

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/formula.h"
#include "results/recorder.h"

namespace monocoque {

struct DerivedChannel {
  enum class Kind { channel, norm, derivative, integral };
  struct Input {
    Kind kind = Kind::channel;
    std::array<std::size_t, 3> channels{};        ///< of kind channel the first, of kind norm all three
    std::shared_ptr<const DerivedChannel> inner;  ///< of the others
    std::string unit;
  };
  std::shared_ptr<const Formula> formula;
  std::vector<Input> inputs;  ///< by the numbers of the formula's variables
  std::string unit;           ///< empty: not known

  /// Numbers of all channels it is computed from, rising.
  std::vector<std::size_t> channels() const;
};

/// Throws Error that tells the column of the text, counted from 1.
std::shared_ptr<const DerivedChannel> parse_derived_channel(const std::string& text,
                                                            const std::vector<Channel>& channels);

/// Samples of a channel from a row on; at least those of one block, valid until the next block is asked for.
using ChannelSamples = std::function<const double*(std::size_t channel, std::size_t first_row)>;
/// Values at all instants, computed in blocks of rows.
std::vector<double> evaluate(const DerivedChannel& derived, std::span<const double> time,
                             std::size_t block_rows, const ChannelSamples& samples);

}  // namespace monocoque
