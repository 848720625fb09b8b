#include "analysis/signals/channel_expression.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/error.h"
#include "results/channel_book.h"
#include "results/derived_channel.h"

namespace monocoque::analysis {

namespace {

/// With * and nothing that belongs to an expression: a pattern of channel names.
bool is_pattern(const std::string& text) {
  return text.find('*') != std::string::npos && text.find_first_of(" ()[]") == std::string::npos;
}

}  // namespace

std::vector<NamedSignal> named_signals(const RunData& run, const std::vector<std::string>& texts) {
  const std::span<const double> time(run.time.data(), static_cast<std::size_t>(run.time.size()));
  const ChannelSamples samples = [&](std::size_t channel, std::size_t first) {
    return run.data.col(static_cast<Eigen::Index>(channel)).data() + first;
  };
  std::vector<NamedSignal> out;
  const auto add = [&](const std::string& text) {
    const auto derived = parse_derived_channel(text, run.channels);
    out.push_back({text, derived->unit.empty() ? "?" : derived->unit,
                   evaluate(*derived, time, std::max<std::size_t>(1, time.size()), samples)});
  };
  for (const std::string& text : texts) {
    if (is_pattern(text))
      for (const Eigen::Index k : chosen_channels(run, {text}))
        add(run.channels[static_cast<std::size_t>(k)].path);
    else
      add(text);
  }
  return out;
}

std::vector<Eigen::Index> channels_used(const std::vector<Channel>& channels,
                                        const std::vector<std::string>& texts) {
  std::set<Eigen::Index> out;
  for (const std::string& text : texts) {
    if (!is_pattern(text)) {
      for (const std::size_t k : parse_derived_channel(text, channels)->channels())
        out.insert(static_cast<Eigen::Index>(k));
      continue;
    }
    for (std::size_t k = 0; k < channels.size(); ++k)
      if (matches(text, channels[k].path)) out.insert(static_cast<Eigen::Index>(k));
  }
  return {out.begin(), out.end()};
}

SpanRows rows_within(const VecX& time, const TimeSpan& span) {
  SpanRows out;
  for (Eigen::Index i = 0; i < time.size(); ++i) {
    const double slack = 1e-9 * (1 + std::abs(time[i]));
    if (time[i] < span.from_s - slack || time[i] > span.to_s + slack) continue;
    if (out.count == 0) out.first = i;
    ++out.count;
  }
  if (out.count < 2)
    throw Error(
        "signal",
        fmt::format("{} instants lie within the time asked for; the run goes from {} s to {} s", out.count,
                    time.size() > 0 ? time[0] : 0.0, time.size() > 0 ? time[time.size() - 1] : 0.0),
        "change --from and --to");
  return out;
}

}  // namespace monocoque::analysis
