#!/usr/bin/env bash
# Fuzzes the targets named in $TARGET, or all of them, for $SECONDS_EACH seconds each, and ends with a table.
#
# Corpora are kept in build/fuzz/TARGET/corpus for the next run, failing inputs in build/fuzz/TARGET/findings.
set -euo pipefail
cd "$(dirname "$0")/.."

program=${FUZZ_PROGRAM:-$PWD/.build-fuzz/release/deadwax-fuzz}
seconds=${SECONDS_EACH:-60}
folder=${FUZZ_FOLDER:-$PWD/build/fuzz}
# Otherwise an input of the corpus that always crashes would take all the time.
most_findings=10

# Targets write many small files.
if [ -w /dev/shm ]; then temporary=$(mktemp -d /dev/shm/deadwax-fuzz.XXXXXX); else temporary=$(mktemp -d); fi
trap 'rm -rf "$temporary"' EXIT
export TMPDIR=$temporary SWIFT_BACKTRACE=enable=no
# Recording a long stack for every allocation would take a quarter of the time.
export ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=64
export LSAN_OPTIONS=suppressions=$PWD/scripts/fuzz-leaks.txt:print_suppressions=0

targets=${TARGET:-$(DEADWAX_FUZZ_TARGET='' "$program" 2>&1 | sed -n 's/.* is one of //p' || true)}
mkdir -p "$folder"
table=$folder/table.tsv
printf 'target\tseconds\tcpu\texecutions\tper_second\tedges\tcorpus\tpeak_MiB\tcrashes\thangs\tleaks\n' > "$table"
status=0

count() { find "$2" -type f -name "$1-*" | wc -l; }

for target in $targets; do
  own=$folder/$target
  mkdir -p "$own/corpus" "$own/findings"
  DEADWAX_FUZZ_TARGET=$target DEADWAX_FUZZ_SEEDS=$own/corpus "$program" > "$own/seeds.log" 2>&1 \
    || { cat "$own/seeds.log" >&2; exit 1; }
  maximum=$(sed -n 's/^longest: //p' "$own/seeds.log")
  dictionary=()
  if [ -s "$own/dictionary" ]; then dictionary=(-dict="$own/dictionary"); fi
  new=$(mktemp -d -p "$temporary")
  : > "$own/log"
  start=$SECONDS executions=0 processor=0
  while :; do
    left=$((seconds - (SECONDS - start)))
    if [ "$left" -le 0 ] || [ "$(find "$new" -type f | wc -l)" -ge "$most_findings" ]; then break; fi
    # A hang (3 s of processor time) ends as a crash with a message. A limit of wall time would report busy machines.
    DEADWAX_FUZZ_TARGET=$target bash -c 'TIMEFORMAT="cpu: %U %S"; time "$@"' run "$program" "$own/corpus" \
      -max_total_time="$left" -timeout=3600 -rss_limit_mb=2048 -malloc_limit_mb=512 -max_len="$maximum" \
      "${dictionary[@]}" -artifact_prefix="$new/" -print_final_stats=1 -report_slow_units=3600 >> "$own/log" 2>&1 || true
    more=$(tail -n 40 "$own/log" | sed -n 's/^stat::number_of_executed_units: *//p' | tail -n 1)
    executions=$((executions + ${more:-0}))
    processor=$(tail -n 3 "$own/log" | awk -v sum="$processor" '/^cpu: / { sum += $2 + $3 } END { printf "%.0f", sum }')
  done
  elapsed=$((SECONDS - start))
  cp -n "$new"/* "$own/findings/" 2> /dev/null || true
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$own/log" | tail -n 1)
  peak=$(sed -n 's/^stat::peak_rss_mb: *//p' "$own/log" | sort -n | tail -n 1)
  hangs=$(grep -c 'too much processor time' "$own/log" || true)
  crashes=$(($(count crash "$new") - hangs)) leaks=$(($(count leak "$new") + $(count oom "$new")))
  printf '%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n' "$target" "$elapsed" "$processor" "$executions" \
    $((executions / (elapsed > 0 ? elapsed : 1))) "${edges:-0}" "$(find "$own/corpus" -type f | wc -l)" "${peak:-0}" \
    "$crashes" "$hangs" "$leaks" >> "$table"
  if [ "$((crashes + hangs + leaks))" -gt 0 ]; then status=1; fi
done

column -t -s $'\t' "$table"
if [ "$status" -ne 0 ]; then
  echo "fuzz: failing inputs are in $folder/TARGET/findings; to repeat one: DEADWAX_FUZZ_TARGET=TARGET $program FILE" >&2
fi
exit "$status"
