import AudioDecoding
import Foundation
import MediaModel
import TestSupport

/// A folder with a sound that programs encode, for tests of what comes back.
struct EncodedMusic {
  static let frameCount = 314_159
  let folder: TemporaryFolder

  /// Two channels of tones and noise as `source.wav`, 16 bits at 44.1 kHz.
  init() throws {
    folder = try TemporaryFolder()
    let noise =
      "aevalsrc=0.4*sin(440*t*2*PI)+0.1*random(0)|0.3*sin(660*t*2*PI)+0.1*random(1):s=44100:d=8,atrim=end_sample="
      + "\(Self.frameCount)"
    try ffmpeg("-f lavfi -i \(noise) -c:a pcm_s16le", to: "source.wav")
  }

  /// Arguments are separated by blanks; `@name` is a file in the folder.
  @discardableResult
  func ffmpeg(_ arguments: String, to name: String) throws -> URL {
    let target = folder.appending(name)
    try Tool.run("ffmpeg", arguments: ["-v", "error", "-y"] + words(arguments) + [target.path])
    return target
  }

  @discardableResult
  func wavpack(_ arguments: String, to name: String) throws -> URL {
    let target = folder.appending(name)
    try Tool.run("wavpack", arguments: ["-q", "-y"] + words(arguments) + ["-o", target.path])
    return target
  }

  private func words(_ arguments: String) -> [String] {
    arguments.split(separator: " ").map {
      $0.hasPrefix("@") ? folder.appending(String($0.dropFirst())).path : String($0)
    }
  }

  /// What FFmpeg decodes of a file, with its options before the input.
  func floats(_ url: URL, options: String = "") throws -> [Float] {
    let arguments = ["-v", "error"] + words(options) + ["-i", url.path, "-f", "f32le", "-"]
    let raw = try Tool.run("ffmpeg", arguments: arguments)
    return raw.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// Writes changed bytes of a file, and decodes them.
  func decoded(_ bytes: [UInt8], as name: String) throws -> DecodedFile {
    try folder.write(bytes, to: name)
    return try DecodedFile(folder.appending(name))
  }

  func sampleHash(_ url: URL) throws -> ContentHash? {
    let file = try OpenFile(url)
    let decoder = try file.mediaFile().makeDecoder(hashesSamples: true)
    _ = try decoder.readAll()
    return decoder.decodedStream.sampleHash
  }
}
