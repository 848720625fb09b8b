# shellcheck shell=bash
# Shared by the shell scripts: the root of the project, messages, elapsed time. Source it, do not run it.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
# JOBS=1 scripts/build keeps a small machine responsive.
JOBS="${JOBS:-$(nproc)}"
export ROOT JOBS

say() { printf '== %s\n' "$*" >&2; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# A wrong call is told apart from failed work by status 2.
usage_error() {
  printf '%s: %s; see %s --help\n' "$(basename "$0")" "$*" "$(basename "$0")" >&2
  exit 2
}

# The comment block at the head of a script is its help text.
print_help() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"; }

# elapsed SINCE: seconds since then as "3 min 07 s"; SINCE is a value of $SECONDS.
elapsed() {
  local s=$((SECONDS - $1))
  if ((s >= 60)); then printf '%d min %02d s' $((s / 60)) $((s % 60)); else printf '%d s' "$s"; fi
}
