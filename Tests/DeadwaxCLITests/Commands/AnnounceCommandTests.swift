import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Tool.exist("espeak-ng", "flac"), "espeak-ng or flac is not installed"))
struct AnnounceCommandTests {
  private let deadwax: DeadwaxCommand

  init() async throws { deadwax = try await ScannedMusic.of("damaged/clean.mp3").library().called }

  private func path(_ name: String) -> String { deadwax.home.appending(name).path }

  @Test func `a title becomes a sound file, or goes to standard output`() async throws {
    try await deadwax.must(["announce", "1", "-o", path("title.wav")])
    let spoken = try WaveFile(URL(filePath: path("title.wav")))
    #expect(spoken.sampleRateInHz == 22_050 && spoken.channelCount == 1)
    #expect((5000...200_000).contains(spoken.samples.count))
    let piped = try await deadwax.must(["announce", "1"]).standardOutput
    #expect(try piped == Data(contentsOf: URL(filePath: path("title.wav"))))
    try await deadwax.must(["announce", "-o", path("spoken") + "/", "--format", "flac", "--name", "{stem}"])
    #expect(FileManager.default.fileExists(atPath: path("spoken/clean.flac")))
  }

  /// Titles with the tags that help to speak them, in eight scripts.
  private static let titles: [(title: String, tags: [String])] = [
    ("Evening Tide over Stone", ["LANGUAGE=en"]), ("Überfahrt bei Nacht", ["LANGUAGE=de"]),
    ("La marée du soir", ["LANGUAGE=fr"]), ("Вечерний прилив", []), ("Παλίρροια της νύχτας", []),
    ("المد والجزر في الليل", []), ("संध्या का ज्वार", []), ("夜の潮", ["TITLESORT=よるのしお"]), ("밤의 밀물", []),
    ("גאות הלילה", []),
  ]

  /// By FFmpeg's own meter, in LUFS.
  private func loudness(_ path: String) throws -> Double {
    let text = try Tool.run("sh", "-c", "ffmpeg -nostats -i \"$0\" -map 0:a -af ebur128 -f null - 2>&1", path)
    let line = try #require(String(decoding: text, as: UTF8.self).split(separator: "\n").last { $0.contains("I:") })
    return try #require(Double(line.split(separator: " ").dropLast().last ?? ""))
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `titles in eight scripts are as loud as their tracks`() async throws {
    let titles = try MusicFolder()
    for (number, (title, tags)) in Self.titles.enumerated() {
      // 2.5 dB softer each.
      let noise = "anoisesrc=a=\(pow(10, -0.125 * Double(number))):d=6:c=pink:r=44100:seed=\(number)"
      let metadata = (["title=\(title)"] + tags).flatMap { ["-metadata", $0] }
      try Tool.run(
        "ffmpeg",
        arguments: ["-v", "error", "-f", "lavfi", "-i", noise] + metadata + [titles.file("\(number).flac").path])
    }
    try await deadwax.must(["scan", "-q", titles.path])
    try await deadwax.must([
      "announce", "path:.flac", "-o", path("spoken") + "/", "--format", "wav", "--name", "{stem}", "--text", "{title}",
    ])
    for (number, (title, _)) in Self.titles.enumerated() {
      let spoken = try loudness(path("spoken/\(number).wav"))
      let track = try loudness(titles.file("\(number).flac").path)
      #expect(abs(spoken - track) < 1, "\(title): \(spoken) LUFS, the track \(track)")
    }
  }

  @Test func `what no voice reads is an error that says what to do`() async throws {
    let outcome = try await deadwax.run(["announce", "1", "-o", path("none.wav"), "--text", "夜"])
    #expect(outcome.status == 1 && outcome.errorText.contains("TITLESORT"))
    #expect(!FileManager.default.fileExists(atPath: path("none.wav")))
  }

  @Test func `tracks become one file with announcements`() async throws {
    try await deadwax.must(["render", "1", "-o", path("alone.wav"), "-b", "16", "--no-dither"])
    try await deadwax.must(["render", "1", "-o", path("radio.wav"), "-b", "16", "--no-dither", "--announce"])
    let (alone, radio) = (
      try WaveFile(URL(filePath: path("alone.wav"))), try WaveFile(URL(filePath: path("radio.wav")))
    )
    #expect(radio.samples.count > alone.samples.count + 5000)
    #expect(Array(radio.samples.suffix(alone.samples.count)) == alone.samples)
  }

  @Test(arguments: [
    ["render", "1", "-o", "x.wav", "--crossfade", "31"], ["render", "1", "-o", "x.wav", "--text", "{title}"],
    ["render", "1", "-o", "x/", "--announce"], ["render", "1", "-o", "x.wav", "--announce", "--start", "1"],
    ["render", "1", "-o", "x.wav", "--announce", "--language", "Klingon"], ["announce", "1", "--text", "{title"],
    ["announce"],
  ])
  func `options that do not go together are refused`(arguments: [String]) async throws {
    #expect(try await deadwax.run(arguments).status == 64)
  }
}
