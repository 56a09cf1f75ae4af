import Foundation
import TestSupport
import Testing

/// `play` on a sound device: ALSA's own plugin writes what the device gets to a file.
@Suite(.enabled(if: ALSALibrary.isInstalled, "\(ALSALibrary.absence)"))
struct PlayCommandTests {
  private static let rate = 44_100
  private let music: MusicFolder
  private let deadwax: DeadwaxCommand
  /// Five tracks of different lengths, none of which ends where a block does.
  private static let tracks: [[Int16]] = {
    var noise = RepeatableRandom(seed: 5)
    return (1...5).map { number in
      (0..<2 * (rate + 4_001 * number)).map { _ in Int16.random(in: -9_000...9_000, using: &noise) }
    }
  }()

  init() async throws {
    let scanned = try await ScannedMusic.named("five tracks of noise") { music in
      for (index, samples) in Self.tracks.enumerated() {
        try music.write(WaveFile.bytes(samples, sampleRateInHz: Self.rate, channelCount: 2), to: "\(index + 1).wav")
      }
    }
    (music, deadwax) = (scanned.music, try await scanned.library())
  }

  /// What the device gets, as floats.
  private func played(_ options: [String]) async throws -> [Float] {
    let (file, configuration) = (deadwax.home.appending("device.raw"), deadwax.home.appending("asound.conf"))
    let text = "pcm.capture { type file slave.pcm { type null } file \"\(file.path)\" format \"raw\" }\n"
    try Data(text.utf8).write(to: configuration)
    let outcome = try await deadwax.run(
      ["play", "--device", "capture", "--no-screen", "--gain", "off"] + options + ["path:.wav filename+"],
      environment: ["ALSA_CONFIG_PATH": configuration.path])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
    return Self.floats(try Data(contentsOf: file))
  }

  private static func floats(_ bytes: Data) -> [Float] {
    stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { offset in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[bytes.startIndex + offset + $1]) << (8 * $1) })
    }
  }

  @Test func `five tracks reach the device without a gap, bit for bit`() async throws {
    let found = try await played([])
    #expect(found == Self.tracks.flatMap { $0.map { Float($0) / 32_768 } })
  }

  @Test func `through a preset the device gets what render writes`() async throws {
    let found = try await played(["--preset", "Telephone"])
    var rendered: [Float] = []
    for number in 1...5 {
      let file = deadwax.home.appending("\(number).wav")
      try await deadwax.must([
        "render", music.file("\(number).wav").path, "--preset", "Telephone", "--bits", "float", "-o", file.path,
      ])
      let bytes = try Data(contentsOf: file)
      let data = try #require(bytes.range(of: Data("data".utf8)))
      rendered += Self.floats(bytes[(data.upperBound + 4)...])
    }
    try #require(found.count == rendered.count)
    let worst = zip(found, rendered).map { abs($0 - $1) }.max() ?? 1
    #expect(worst <= 1e-6)
    // The preset is heard at all.
    #expect(zip(found, Self.tracks.joined()).contains { abs($0 - Float($1) / 32_768) > 0.01 })
  }

  @Test func `a device that is not there is told before anything is decoded`() async throws {
    let outcome = try await deadwax.run(["play", "--device", "nowhere", "--no-screen"])
    #expect(outcome.status == 1 && outcome.errorText.contains("nowhere"), "\(outcome)")
  }

  @Test(arguments: [
    (["title:=nothing"], "no track matches"), (["99"], "no track 99"), (["titel:x"], "did you mean title"),
    (["path:1.wav", "--preset", "nosuch"], "nosuch: no such preset; `deadwax preset ls`"),
    (["path:1.wav", "--from", "1:00"], "--from is beyond"),
  ])
  func `what was mistyped is told before a missing device`(words: [String], reason: String) async throws {
    let outcome = try await deadwax.run(["play", "--device", "nowhere", "--no-screen"] + words)
    #expect(outcome.status == 64 && outcome.errorText.contains(reason), "\(outcome)")
  }

  @Test func `a file outside the library is heard through a preset of the library`() async throws {
    let outside = try MusicFolder("damaged/clean.mp3")
    // A name may end like a file.
    for name in ["Mine", "Mine.json"] {
      try await deadwax.must(["preset", "create", name, "--band", "pk 1000 6"])
      for command in ["play", "render"] {
        let target = deadwax.home.appending("\(command).wav").path
        let outcome = try await deadwax.run(
          [command, outside.file("clean.mp3").path, "--preset", name, "-o", target, "--overwrite"]
            + (command == "render" ? [] : ["--no-screen", "--gain", "off"]))
        #expect(outcome.status == 0, "\(outcome)")
      }
    }
    let missing = try await deadwax.run(
      ["play", outside.file("clean.mp3").path, "--preset", "Other", "-o", "never.wav", "--no-screen"])
    #expect(missing.status == 64 && missing.errorText.contains("no such preset"), "\(missing)")
  }

  @Test func `a pipe that nobody reads does not keep it from ending`() async throws {
    let outcome = try await deadwax.shell(
      """
      mkfifo pipe
      sleep 30 < pipe & reader=$!
      deadwax play path:.wav -o - > pipe & player=$!
      sleep 2
      kill -TERM $player; wait $player; echo "ended with $?"
      kill $reader
      """)
    #expect(outcome.text.hasPrefix("ended with 143"), "\(outcome)")
    #expect(outcome.errorText.isEmpty)
  }

  @Test func `a beginning after the end of the first track is refused`() async throws {
    let outcome = try await deadwax.run(["play", "path:1.wav", "--from", "1:00", "-o", "never.wav"])
    #expect(outcome.status == 64 && outcome.errorText.contains("--from is beyond the end of the first track, 0:01"))
    #expect(!FileManager.default.fileExists(atPath: deadwax.home.appending("never.wav").path))
  }
}
