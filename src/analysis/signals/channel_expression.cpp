#include "analysis/signals/channel_expression.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "results/channel_book.h"

namespace monocoque::analysis {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t a = text.find_first_not_of(' '), b = text.find_last_not_of(' ');
  return a == std::string::npos ? "" : text.substr(a, b - a + 1);
}

/// The place of " + " or " - " outside of brackets, the last one; npos: none.
std::size_t sign_outside(const std::string& text) {
  int depth = 0;
  std::size_t found = std::string::npos;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && text[i] == ' ' && text[i + 2] == ' ' && (text[i + 1] == '+' || text[i + 1] == '-'))
      found = i;
  }
  return found;
}

/// The inside of "name(...)"; nothing when the text is not of that form.
bool is_call(const std::string& text, const std::string& name, std::string& inside) {
  if (text.size() < name.size() + 2 || text.compare(0, name.size() + 1, name + "(") != 0 ||
      text.back() != ')')
    return false;
  inside = text.substr(name.size() + 1, text.size() - name.size() - 2);
  return true;
}

class SignalReader {
 public:
  explicit SignalReader(const RunData& run) : run_(run), book_(run) {}

  NamedSignal read(const std::string& raw) const {
    const std::string text = trimmed(raw);
    std::string inside;
    if (const std::size_t sign = sign_outside(text); sign != std::string::npos) {
      NamedSignal a = read(text.substr(0, sign));
      const NamedSignal b = read(text.substr(sign + 3));
      if (a.unit != b.unit)
        throw Error("signal",
                    fmt::format("'{}': the units {} and {} do not go together", text, a.unit, b.unit), "");
      const double factor = text[sign + 1] == '-' ? -1 : 1;
      for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += factor * b.values[i];
      a.name = text;
      return a;
    }
    if (is_call(text, "norm", inside)) return norm(text, trimmed(inside));
    if (is_call(text, "rate", inside)) return rate(text, read(inside));
    if (is_call(text, "integral", inside)) return integral(text, read(inside));
    if (!book_.has(text)) {
      std::vector<std::string> names;
      for (const Channel& c : run_.channels) names.push_back(c.path);
      throw Error("signal", fmt::format("there is no channel '{}'", text), suggestion(text, names));
    }
    const auto values = book_.values(text);
    return {text, book_.unit(text), {values.begin(), values.end()}};
  }

 private:
  NamedSignal norm(const std::string& text, const std::string& base) const {
    if (!book_.has_vector(base))
      throw Error("signal", fmt::format("'{}': there are no channels {}/x, y and z", text, base), "");
    const auto x = book_.values(base + "/x"), y = book_.values(base + "/y"), z = book_.values(base + "/z");
    NamedSignal out{text, book_.unit(base + "/x"), {}};
    for (Eigen::Index i = 0; i < x.size(); ++i) out.values.push_back(std::hypot(x[i], y[i], z[i]));
    return out;
  }
  NamedSignal rate(const std::string& text, const NamedSignal& s) const {
    NamedSignal out{text, s.unit == "1" ? "1/s" : s.unit + "/s", {}};
    const std::size_t n = s.values.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t a = i > 0 ? i - 1 : 0, b = i + 1 < n ? i + 1 : i;
      const double h = time(b) - time(a);
      out.values.push_back(h > 0 ? (s.values[b] - s.values[a]) / h : 0);
    }
    return out;
  }
  NamedSignal integral(const std::string& text, const NamedSignal& s) const {
    NamedSignal out{text, s.unit == "1" ? "s" : s.unit + "*s", {}};
    double sum = 0;
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      if (i > 0) sum += 0.5 * (s.values[i] + s.values[i - 1]) * (time(i) - time(i - 1));
      out.values.push_back(sum);
    }
    return out;
  }
  double time(std::size_t i) const { return run_.time[static_cast<Eigen::Index>(i)]; }

  const RunData& run_;
  ChannelBook book_;
};

}  // namespace

std::vector<NamedSignal> named_signals(const RunData& run, const std::vector<std::string>& texts) {
  const SignalReader reader(run);
  std::vector<NamedSignal> out;
  for (const std::string& text : texts) {
    if (text.find('*') == std::string::npos) {
      out.push_back(reader.read(text));
      continue;
    }
    for (const Eigen::Index k : chosen_channels(run, {text}))
      out.push_back(reader.read(run.channels[static_cast<std::size_t>(k)].path));
  }
  return out;
}

std::vector<Eigen::Index> channels_spoken_of(const std::vector<Channel>& channels,
                                             const std::vector<std::string>& texts) {
  std::vector<Eigen::Index> out;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const std::string& path = channels[k].path;
    const std::string vector = folder_of(path);
    for (const std::string& text : texts)
      if (matches(text, path) || text.find(path) != std::string::npos ||
          (!vector.empty() && text.find("norm(") != std::string::npos &&
           text.find(vector) != std::string::npos)) {
        out.push_back(static_cast<Eigen::Index>(k));
        break;
      }
  }
  return out;
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
