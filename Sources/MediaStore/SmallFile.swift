internal import Glibc

/// Files of the kernel, whose size is not known before they are read.
enum SmallFile {
  /// At most 4 MiB; nil where the file cannot be opened.
  static func text(at path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 4 << 20 {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk.prefix(count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
