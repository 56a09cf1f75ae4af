package import AudioEncoding
package import Base
internal import CALSA
package import MediaModel

/// A sound device, through ALSA.
///
/// It takes each track at the track's own rate: for another rate it is opened again after the last frame was heard, and only
/// if it refuses a rate is sound converted. Floats are preferred, which hold 24 bits exactly.
package final class DeviceSink: SoundSink {
  package static var library: SharedLibrary {
    SharedLibrary("ALSA", dw_alsa_load(), version: dw_alsa_version(), without: "nothing can be played on a device")
  }

  /// So late are changes heard; long enough for a busy machine.
  private static let bufferInMicroseconds: UInt32 = 150_000
  private static let forms = [DW_DEVICE_FLOAT32, DW_DEVICE_INT32, DW_DEVICE_INT16]

  package private(set) var format: AudioFormat?
  private let name: String
  private var device: OpaquePointer?
  private var deviceForm = DW_DEVICE_FLOAT32
  /// What was asked for when ``format`` was found.
  private var wanted: AudioFormat?

  /// Opens the device, so that a mistake is known before anything is decoded.
  ///
  /// - Parameter name: Of ALSA, such as `default` or `hw:1`.
  package init(_ name: String) throws(PlayingError) {
    self.name = name
    if let problem = dw_alsa_load() { throw .noDevices(reason: String(cString: problem)) }
    try openDevice()
  }

  deinit { closeDevice() }

  package var form: SampleForm { deviceForm == DW_DEVICE_INT16 ? .int16 : .float32 }

  package func continues(with wanted: AudioFormat) -> Bool {
    self.wanted?.sampleRateInHz == wanted.sampleRateInHz && self.wanted?.channelCount == wanted.channelCount
  }

  package func open(_ wanted: AudioFormat) throws {
    guard !continues(with: wanted) else { return }
    if format != nil {
      drain()
      closeDevice()
    }
    if device == nil { try openDevice() }
    self.wanted = wanted
    var failure: Int32 = 0
    for candidate in Self.candidates(for: wanted) {
      for form in Self.forms {
        failure = dw_device_set(
          device, form, UInt32(candidate.channelCount), UInt32(candidate.sampleRateInHz), Self.bufferInMicroseconds)
        if failure == 0 {
          (format, deviceForm) = (candidate, form)
          return
        }
        // A refused format leaves some devices in a state that refuses all.
        closeDevice()
        try openDevice()
      }
    }
    throw PlayingError.device(name, reason: "it takes no sound: \(Self.text(failure))")
  }

  /// The format itself, then others that most devices take.
  private static func candidates(for wanted: AudioFormat) -> [AudioFormat] {
    let channelCounts = wanted.channelCount == 2 ? [2] : [wanted.channelCount, 2]
    let rates = [wanted.sampleRateInHz] + [48_000, 44_100].filter { $0 != wanted.sampleRateInHz }
    return rates.flatMap { rate in
      channelCounts.map { count in
        var format = wanted
        format.sampleRateInHz = rate
        if count != wanted.channelCount {
          format.channelCount = count
          format.channelMask = nil
        }
        return format
      }
    }
  }

  package func write(_ samples: Span<Float>) throws {
    let channelCount = format?.channelCount ?? 1
    switch deviceForm {
    case DW_DEVICE_INT32:
      // The lowest bits of a float are beyond what any device resolves.
      let integers = samples.indices.map { Int32(clamping: Int64((Double(samples[$0]) * 0x1p31).rounded())) }
      try integers.withUnsafeBytes { try write($0, bytesPerFrame: 4 * channelCount) }
    case DW_DEVICE_INT16:
      let integers = samples.indices.map {
        Int16(max(-32_768, min((samples[$0] * 32_768).rounded(.toNearestOrEven), 32_767)))
      }
      try integers.withUnsafeBytes { try write($0, bytesPerFrame: 2 * channelCount) }
    default:
      try samples.withUnsafeBytes { try write($0, bytesPerFrame: 4 * channelCount) }
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, bytesPerFrame: Int) throws {
    var place = 0
    while place < bytes.count {
      let count = dw_device_write(
        device, bytes.baseAddress.map { $0 + place }, (bytes.count - place) / bytesPerFrame)
      guard count >= 0 else { throw PlayingError.deviceLost(name, reason: Self.text(Int32(clamping: count))) }
      place += count * bytesPerFrame
    }
  }

  package var delayFrameCount: Int64 { device.map { Int64(dw_device_delay($0)) } ?? 0 }

  package func pause() -> Bool {
    guard let device else { return true }
    if dw_device_pause(device, 1) >= 0 { return true }
    dw_device_drop(device)
    return false
  }

  package func resume() { if let device { _ = dw_device_pause(device, 0) } }

  package func discard() { if let device, format != nil { dw_device_drop(device) } }

  package func finish() { drain() }

  private func drain() { if let device, format != nil { dw_device_drain(device) } }

  private func openDevice() throws(PlayingError) {
    let code = dw_device_open(&device, name)
    guard code == 0 else { throw .device(name, reason: Self.text(code)) }
  }

  private func closeDevice() {
    if let device { dw_device_close(device) }
    device = nil
  }

  private static func text(_ code: Int32) -> String { String(cString: dw_alsa_text(code)) }
}
