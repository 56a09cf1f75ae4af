#!/usr/bin/env bash
# Compiles the effects to WebAssembly, for the page: the same sources from which `render` is compiled.
#
#   scripts/wasm.sh          writes effects.wasm, and in WebEffects the hash of the sources from which it was made
#   scripts/wasm.sh --check  tells whether that hash is still right
#
# Swift's own compiler has Embedded Swift for wasm32; the C library is Debian's wasi-libc (docs/decisions/0044).
set -euo pipefail
cd "$(dirname "$0")/../Sources"

output=${WASM_OUTPUT:-../web/effects.wasm}
sources=WebEffects/effects.wasm.sources
base=(Base/Numerics/*.swift Base/Text/DecimalText.swift)
signal=(SignalProcessing/*.swift)
model=(MediaModel/Equalizer/{BiquadCoefficients,EffectChain,Equalizer,EqualizerBand,GraphicEqualizer}.swift
  MediaModel/Formats/AudioFormat.swift)
effects=(AudioEffects/{BiquadCascade,ChannelPair,CoefficientRamp,EqualizerProcessor,EqualizerSection}.swift
  AudioEffects/{FeedbackDelayNetwork,Gain,LiveChain,LiveSpeed,OverlapLimiter,ReverberationProcessor,SoundEffect}.swift
  AudioEffects/{TimeStretcher,TruePeakLimiter,VariableResampler}.swift)
web=(WebEffects/*.swift)

hash=$(cat "${base[@]}" "${signal[@]}" "${model[@]}" "${effects[@]}" "${web[@]}" WebEffects/Glibc/* ../scripts/wasm.sh | sha256sum | cut -d ' ' -f 1)
if [ "${1:-}" = --check ]; then
  if [ "$(cat "$sources")" = "$hash" ]; then exit 0; fi
  echo "$output is older than its sources: run make wasm" >&2
  exit 1
fi

libc=/usr/lib/wasm32-wasi
swift=$(dirname "$(readlink -f "$(command -v swiftc)")")
embedded=$swift/../lib/swift/embedded/wasm32-unknown-none-wasm
builtins=$(find /usr/lib/llvm-*/lib/clang -name libclang_rt.builtins-wasm32.a 2> /dev/null | sort | tail -n 1)
for file in "$libc/libc.a" "${builtins:-libclang_rt.builtins-wasm32.a}" "$embedded/libswiftUnicodeDataTables.a"; do
  if [ ! -f "$file" ]; then
    echo "missing: $file; apt-get install wasi-libc libclang-rt-14-dev-wasm32, and a Swift toolchain with Embedded Swift" >&2
    exit 4
  fi
done

objects=../build/wasm
mkdir -p "$objects"
flags=(-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -disable-stack-protector -wmo -O
  -parse-as-library -swift-version 6 -package-name deadwax -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -Xcc -msimd128 -Xcc -I/usr/include/wasm32-wasi -I WebEffects/Glibc -I "$objects"
  -file-prefix-map "$PWD=Sources")

# compile MODULE FILES…
compile() {
  local module=$1
  shift
  swiftc "${flags[@]}" -module-name "$module" -emit-module -emit-module-path "$objects/$module.swiftmodule" \
    -c -o "$objects/$module.o" "$@"
}
compile Base "${base[@]}"
compile SignalProcessing "${signal[@]}"
compile MediaModel "${model[@]}"
compile AudioEffects "${effects[@]}"
compile WebEffects "${web[@]}"

mapfile -t exports < <(sed -n 's/^@_cdecl("\(.*\)")$/--export=\1/p' "${web[@]}")
"$swift/wasm-ld" --no-entry --gc-sections --strip-all "${exports[@]}" -o "$objects/effects.wasm" \
  "$objects"/{Base,SignalProcessing,MediaModel,AudioEffects,WebEffects}.o -L"$libc" -lc -lm "$builtins" "$embedded/libswiftUnicodeDataTables.a"
mkdir -p "$(dirname "$output")"
mv "$objects/effects.wasm" "$output"
echo "$hash" > "$sources"
