#include "program.h"
#include "support/paths.h"

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace monocoque::test {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Program::Program() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  std::string name =
      std::string(info->test_suite_name()) + "-" + info->name() + "-" + std::to_string(getpid());
  for (char& c : name)
    if (c == '/') c = '_';
  folder_ = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder_);
}

Program::~Program() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Program::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return name;
}

std::string Program::example(const std::string& name) {
  return source_dir() + "/models/examples/" + name;
}

pid_t Program::start(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words = {program()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = folder_ / "stdout", err = folder_ / "stderr";
  const pid_t child = fork();
  if (child != 0) return child;
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (chdir(folder_.c_str()) != 0 || dup2(open(out.c_str(), flags, 0600), STDOUT_FILENO) < 0 ||
      dup2(open(err.c_str(), flags, 0600), STDERR_FILENO) < 0)
    _exit(126);
  execv(program(), argv.data());
  _exit(127);
}

Outcome Program::finish(pid_t child) const {
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = read_text(folder_ / "stdout");
  outcome.err = read_text(folder_ / "stderr");
  return outcome;
}

Outcome Program::run(const std::vector<std::string>& arguments) const {
  return finish(start(arguments));
}

bool Program::wait_for_size(const std::string& name, std::uintmax_t bytes) const {
  for (int i = 0; i < 1000; ++i) {
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(folder_ / name, missing);
    if (!missing && size >= bytes) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace monocoque::test
