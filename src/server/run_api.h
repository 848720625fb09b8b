#pragma once
// The answers of docs/viewer-protocol.md for opened runs: the page, and everything below /api. Names of files
// never come from a request; runs are numbered.

#include <memory>
#include <string>
#include <vector>

#include "results/run_file.h"
#include "server/http.h"
#include "server/query.h"
#include "server/series.h"

namespace monocoque::server {

struct ApiSettings {
  std::vector<std::string> runs;
  std::string mode;        ///< view, live or modes; empty: modes if the first run is a modes file
  bool read_only = false;  ///< layouts are not kept
  std::size_t memory_bytes = 512U << 20;  ///< for samples of each run
  std::size_t answer_bytes = 8U << 20;    ///< largest array of motion in one answer
};

class RunApi : public Handler {
 public:
  /// Opens all runs; throws Error when one cannot be read.
  explicit RunApi(ApiSettings settings);
  int worker(const Request& request) const override;
  Reply answer(const Request& request) noexcept override;
  bool background() noexcept override;
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    explicit Run(const std::string& path, std::size_t memory_bytes)
        : file(path, RunUse::viewing), series(file, memory_bytes) {}
    RunFile file;
    Series series;  ///< worker 1 only
    bool damaged = false;
  };

  Reply session();
  Reply of_run(Run& run, const std::vector<std::string>& path, const Request& request);
  Reply scene(const Run& run) const;
  Reply asset(const Run& run, const std::string& number) const;
  Reply motion(const Run& run, const Query& query) const;
  Reply road(const Run& run) const;
  Reply modes(const Run& run) const;
  Reply values(const Run& run, const Query& query) const;
  Reply layout(const Run& run, const Request& request) const;

  const ApiSettings settings_;
  std::vector<std::unique_ptr<Run>> runs_;
};

// Answers with curves, in curve_api.cpp. `kind`: data, at, xy, psd or csv.
Reply curve_answer(const std::string& kind, const std::string& file_name, Series& series, const Query& query);

}  // namespace monocoque::server
