#!/usr/bin/env bash
# Runs a workflow with the command line, and passes its exit code on: 0 for a run that has completed, 1 for one that has failed.
set -euo pipefail

arguments=(run --ci --json)
# Lines may end as on Windows.
while IFS= read -r line; do line=${line%$'\r'}; [ -z "$line" ] || arguments+=(--input "$line"); done <<< "$INPUTS"
while IFS= read -r line; do line=${line%$'\r'}; [ -z "$line" ] || arguments+=(--set "$line"); done <<< "$SET"
[ -z "$PARALLELISM" ] || arguments+=(--parallelism "$PARALLELISM")
[ -z "$DOWNLOAD" ] || arguments+=(--download "$DOWNLOAD")
arguments+=(-- "$WORKFLOW")

result=$(mktemp)
trap 'rm -f "$result"' EXIT
code=0
npx --yes --package "$CLI" -- millrace "${arguments[@]}" > "$result" || code=$?
node -e '
  const text = require("node:fs").readFileSync(process.argv[1], "utf8");
  if (text === "") process.exit();
  const { run } = JSON.parse(text);
  console.log(`run=${run.id}\nstatus=${run.status}`);
' "$result" >> "$GITHUB_OUTPUT"
exit "$code"
