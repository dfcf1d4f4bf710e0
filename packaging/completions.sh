#!/bin/sh
# Writes the completions of the shells into packaging/completions, for archives and
# packages. goreleaser runs it before it builds.
set -eu
cd "$(dirname "$0")"
mkdir -p completions
binary=$(mktemp -d)
trap 'rm -rf "$binary"' EXIT
CGO_ENABLED=0 go build -o "$binary/claudewatch" ../cmd/claudewatch
for shell in bash zsh fish powershell; do
  case $shell in
    bash) file=claudewatch.bash ;;
    zsh) file=_claudewatch ;;
    fish) file=claudewatch.fish ;;
    powershell) file=claudewatch.ps1 ;;
  esac
  "$binary/claudewatch" completion "$shell" > "completions/$file"
done
