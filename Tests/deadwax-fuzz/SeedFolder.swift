#if LIBFUZZER
  internal import Foundation
  internal import Fuzzing

  /// A folder of the files that libFuzzer begins with, and its dictionary.
  struct SeedFolder {
    private let url: URL

    init(_ path: String) { url = URL(filePath: path, directoryHint: .isDirectory) }

    /// Writes `seed-…` for each seed, and `../dictionary`.
    func write(_ target: any FuzzTarget) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for (index, seed) in try target.seeds.enumerated() {
        try Data(seed).write(to: url.appending(path: "seed-\(index)"))
      }
      let words = target.dictionary.map { word in
        "\""
          + word.utf8.map { byte in
            let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "\\x" + (digits.count < 2 ? "0" : "") + digits
          }.joined() + "\"\n"
      }
      print("longest: \(target.maximumByteCount)")
      try Data(words.joined().utf8).write(to: url.deletingLastPathComponent().appending(path: "dictionary"))
    }
  }
#endif
