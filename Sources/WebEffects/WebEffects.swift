import AudioEffects
import MediaModel

// The functions that a browser calls. Memory of the module is lent to it: numbers go through `parameters`, samples
// through `samples`. A chain is one at a time, because each page has one AudioWorklet and each worklet one module.

/// What ``dw_parameters()`` lends: a head, then eight numbers for each band.
private let parameterCount = 8 + 8 * Equalizer.maximumBandCount

nonisolated(unsafe) private let parameters = UnsafeMutablePointer<Double>.allocate(capacity: parameterCount)
nonisolated(unsafe) private var samples: UnsafeMutableBufferPointer<Float>?
nonisolated(unsafe) private var chain: LiveChain?
nonisolated(unsafe) private var speed: LiveSpeed?

/// The memory for the numbers of an equalizer: global gain in dB, 1 if compensated, the number of bands; from 8 on for
/// each band its place in `FilterShape.allCases`, frequency in hertz, gain in dB, 0 for Q or 1 for octaves, that width,
/// 0 for all channels, 1 for left, 2 for right, 1 if it is bypassed, and a zero.
@_cdecl("dw_parameters")
package func dw_parameters() -> UnsafeMutablePointer<Double> { parameters }

/// Begins a chain with the equalizer in ``dw_parameters()``.
///
/// - Returns: the memory for `LiveChain.maximumFrameCount` interleaved frames; nil for numbers out of range.
@_cdecl("dw_start")
package func dw_start(_ sampleRate: Int32, _ channelCount: Int32) -> UnsafeMutablePointer<Float>? {
  guard sampleRate > 0, (1...64).contains(channelCount), let equalizer = equalizer() else { return nil }
  let format = AudioFormat(sampleRateInHz: Int(sampleRate), channelCount: Int(channelCount))
  samples?.deallocate()
  let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: LiveChain.maximumFrameCount * Int(channelCount))
  memory.initialize(repeating: 0)
  samples = memory
  chain = LiveChain(format: format, equalizer: equalizer)
  speed = nil
  return memory.baseAddress
}

/// - Returns: by how many frames the output is late.
@_cdecl("dw_latency")
package func dw_latency() -> Int32 { Int32(chain?.latencyFrameCount ?? 0) }

/// Moves to the equalizer in ``dw_parameters()``; 0, or -1 for numbers out of range.
@_cdecl("dw_update_equalizer")
package func dw_update_equalizer() -> Int32 {
  guard let equalizer = equalizer() else { return -1 }
  chain?.update(equalizer)
  return 0
}

/// - Parameters:
///   - room: a place in `Reverberation.Room.allCases`; -1 for no reverberation.
///   - mix: in percent.
///   - rate: of what goes into the room.
/// - Returns: 0, or -1 for what is not possible.
@_cdecl("dw_update_reverberation")
package func dw_update_reverberation(_ room: Int32, _ mix: Double, _ rate: Double) -> Int32 {
  guard EffectChain.rates.contains(rate) else { return -1 }
  do {
    let rooms = Reverberation.Room.allCases
    let isRoom = rooms.indices.contains(Int(room))
    try chain?.update(isRoom ? (try? Reverberation(rooms[Int(room)], mix: mix)) : nil, ofSoundAtRate: rate)
    return isRoom || room == -1 ? 0 : -1
  } catch { return -1 }
}

/// The gain behind the equalizer, in decibels; 0, or -1 for one that is not possible.
@_cdecl("dw_update_gain")
package func dw_update_gain(_ decibels: Double) -> Int32 {
  guard decibels.isFinite, abs(decibels) <= 96 else { return -1 }
  do { try chain?.update(gainInDB: decibels) } catch { return -1 }
  return 0
}

/// Forgets the sound so far.
@_cdecl("dw_reset")
package func dw_reset() { try? chain?.reset() }

/// Processes the first frames of the memory that ``dw_start(_:_:)`` gave, in place.
@_cdecl("dw_process")
package func dw_process(_ frameCount: Int32) {
  if let memory = memory(ofFrames: frameCount) { chain?.process(memory) }
}

// Pitch and rate, before the chain: as many frames as are needed go in by `dw_speed_give`, and come out by
// `dw_speed_take`, both through the memory that `dw_start` gave.

/// Begins with another pitch or rate; with both neutral, ends it. Frames that have not been taken are forgotten.
///
/// - Parameter cents: 0 leaves the pitch to the rate until the next begin.
/// - Returns: 0, or -1 for numbers out of range.
@_cdecl("dw_speed_begin")
package func dw_speed_begin(_ cents: Double, _ rate: Double) -> Int32 {
  guard let chain, isSpeed(cents, rate) else { return -1 }
  speed = cents == 0 && rate == 1 ? nil : LiveSpeed(format: chain.format, cents: cents, rate: rate)
  return 0
}

/// Moves to another pitch and rate; 0, or -1 for numbers out of range.
@_cdecl("dw_speed_update")
package func dw_speed_update(_ cents: Double, _ rate: Double) -> Int32 {
  guard isSpeed(cents, rate) else { return -1 }
  speed?.update(cents: cents, rate: rate)
  return 0
}

@_cdecl("dw_speed_give")
package func dw_speed_give(_ frameCount: Int32) {
  if let memory = memory(ofFrames: frameCount) { speed?.give(UnsafeBufferPointer(memory)) }
}

/// How many frames can be taken.
@_cdecl("dw_speed_ready")
package func dw_speed_ready() -> Int32 { Int32(speed?.readyFrameCount ?? 0) }

/// Only as many as are ready.
@_cdecl("dw_speed_take")
package func dw_speed_take(_ frameCount: Int32) {
  if let memory = memory(ofFrames: min(frameCount, dw_speed_ready())) { speed?.take(into: memory) }
}

/// How many of the frames that were given have not been taken.
@_cdecl("dw_speed_delay")
package func dw_speed_delay() -> Double { speed?.delayFrameCount ?? 0 }

private func isSpeed(_ cents: Double, _ rate: Double) -> Bool {
  EffectChain.pitches.contains(cents) && EffectChain.rates.contains(rate)
}

/// The first frames of what `dw_start` gave.
private func memory(ofFrames frameCount: Int32) -> UnsafeMutableBufferPointer<Float>? {
  guard let chain, let samples else { return nil }
  let count = Int(max(0, min(frameCount, Int32(LiveChain.maximumFrameCount)))) * chain.format.channelCount
  return UnsafeMutableBufferPointer(rebasing: samples[..<count])
}

/// The curve of the equalizer in ``dw_parameters()``.
///
/// - Parameters:
///   - values: frequencies in hertz, which decibels replace.
///   - band: one band alone, without the global gain; -1 for the total.
///   - channel: 0 is left, 1 is right.
/// - Returns: 0, or -1 for numbers out of range.
@_cdecl("dw_response")
package func dw_response(
  _ values: UnsafeMutablePointer<Double>, _ count: Int32, _ sampleRate: Double, _ band: Int32, _ channel: Int32
) -> Int32 {
  guard let equalizer = equalizer(), sampleRate > 0, count >= 0 else { return -1 }
  let values = UnsafeMutableBufferPointer(start: values, count: Int(count))
  if band < 0 {
    let response = equalizer.response(at: Array(values), sampleRate: sampleRate, channel: Int(channel))
    for index in values.indices { values[index] = response[index] }
    return 0
  }
  guard let filter = filter(Int(band), of: equalizer, sampleRate: sampleRate, channel: Int(channel)) else {
    for index in values.indices { values[index] = 0 }
    return 0
  }
  for index in values.indices { values[index] = filter.decibels(at: values[index], sampleRate: sampleRate) }
  return 0
}

/// The global gain at which the equalizer in ``dw_parameters()`` does not exceed full scale, in decibels.
///
/// - Parameter truePeak: of the recording, in dBTP.
@_cdecl("dw_automatic_gain")
package func dw_automatic_gain(_ sampleRate: Double, _ truePeak: Double) -> Double {
  equalizer()?.automaticGain(sampleRate: sampleRate, truePeak: truePeak) ?? 0
}

@_cdecl("dw_allocate")
package func dw_allocate(_ byteCount: Int32) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer.allocate(byteCount: Int(max(1, byteCount)), alignment: 16)
}

/// Of one band, counted as in ``dw_parameters()``; nil if it has no effect.
private func filter(
  _ number: Int, of equalizer: Equalizer, sampleRate: Double, channel: Int
) -> BiquadCoefficients? {
  guard number < equalizer.bands.count, let wanted = band(number),
    let place = equalizer.bands.firstIndex(of: wanted), wanted.isAudible, wanted.channels.contains(channel)
  else { return nil }
  let gain = equalizer.filterGains(sampleRate: sampleRate)[place]
  return BiquadCoefficients(wanted, sampleRate: sampleRate, gain: gain)
}

/// nil for numbers out of range.
private func equalizer() -> Equalizer? {
  guard let count = Int(exactly: parameters[2]), (0...Equalizer.maximumBandCount).contains(count) else { return nil }
  var bands: [EqualizerBand] = []
  for number in 0..<count {
    guard let band = band(number) else { return nil }
    bands.append(band)
  }
  return try? Equalizer(bands: bands, gain: parameters[0], isCompensated: parameters[1] == 1)
}

private func band(_ number: Int) -> EqualizerBand? {
  let numbers = parameters + 8 + 8 * number
  guard let shape = Int(exactly: numbers[0]), FilterShape.allCases.indices.contains(shape) else { return nil }
  let channels: BandChannels = numbers[5] == 1 ? .left : numbers[5] == 2 ? .right : .all
  return try? EqualizerBand(
    FilterShape.allCases[shape], frequency: numbers[1], gain: numbers[2],
    width: numbers[3] == 1 ? .octaves(numbers[4]) : .quality(numbers[4]), channels: channels,
    isBypassed: numbers[6] == 1)
}
