import Foundation
import Testing
import TestSupport

/// Random edits and interruptions by scripts, which can be pointed at any other files, too.
@Suite(.serialized)
struct CheckedWritingTests {
  private static func hasMutagen() -> Bool {
    (try? Tool.run("bash", "-c", "/usr/bin/python3 -c 'import mutagen'")) != nil && Tool.exist("ffmpeg")
  }

  /// The script's output if it found nothing.
  private func run(_ script: String, _ arguments: [String]) throws {
    let path = Corpora.projectRoot.appending(path: "scripts/\(script)").path
    let command = [path, "--deadwax", DeadwaxCommand.executable.path] + arguments
    let output = try Tool.run(
      "bash", arguments: ["-c", #"/usr/bin/python3 "$@" 2>&1 || echo "status $?""#, "-"] + command)
    let text = String(decoding: output, as: UTF8.self)
    #expect(text.contains(" 0 failures") && !text.contains("status 1"), "\(text.suffix(4000))")
  }

  @Test(.enabled(if: hasMutagen(), "python3-mutagen or ffmpeg is not installed"))
  func `random edits of all fixtures change only what they name, and are undone`() throws {
    var folders = ["audio", "damaged", "formats"].map { Corpora.fixtures.appending(path: $0).path }
    if TestSize.isSlow, let corpora = Corpora.root { folders.append(corpora.appending(path: "tags").path) }
    try run(
      "check-writing.py",
      ["--rounds", "\(TestSize.count(2, slow: 20))", "--seed", "\(TestSize.seed(2105))"] + folders)
  }

  @Test(
    .enabled(if: CallTracer.isPossible && Tool.exist("ffmpeg"), "strace may not trace here, or ffmpeg is not installed")
  )
  func `whatever interrupts the writing, each file is the old or the new one`() throws {
    let files = [
      "damaged/clean.mp3", "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac",
      "audio/星屑電機/夜の配線/01 真空管.ogg", "formats/Every Connector/01 Barrel.m4a",
    ].map { Corpora.fixtures.appending(path: $0).path }
    try run(
      "interrupt-writing.py",
      ["--count", "\(TestSize.count(6, slow: 2000))", "--seed", "\(TestSize.seed(2106))"] + files)
  }
}
