extension CueSheet {
  /// A file with its parts, to be written into a sheet.
  package struct WrittenFile: Hashable, Sendable {
    /// As the FILE line has it.
    package var name: String
    package var sampleRateInHz: Int
    /// Without any, the file is one track.
    package var parts: [Part]
    /// Of that one track.
    package var tags: PartTags

    package init(name: String, sampleRateInHz: Int, parts: [Part], tags: PartTags = PartTags()) {
      self.name = name
      self.sampleRateInHz = sampleRateInHz
      self.parts = parts
      self.tags = tags
    }

    /// The word for the kind of file; programs take WAVE for everything that is neither of the other two.
    fileprivate var type: String {
      switch name.split(separator: ".").last?.lowercased() {
      case "mp3": "MP3"
      case "aif", "aiff": "AIFF"
      default: "WAVE"
      }
    }
  }

  /// The text of a sheet. A gap behind a part becomes a part of it, because a sheet has only beginnings; these are rounded
  /// to 75ths of a second.
  ///
  /// - Parameter tags: what is true of all tracks; `title` is that of the album.
  package static func text(tags: PartTags, files: [WrittenFile]) -> String {
    var lines: [String] = []
    if let genre = tags.genre { lines.append("REM GENRE \(quoted(genre))") }
    if let date = tags.date { lines.append("REM DATE \(quoted(date))") }
    lines += names(tags, indentation: "")
    var number = 0
    for file in files {
      lines.append("FILE \(quoted(file.name)) \(file.type)")
      for part in file.parts.isEmpty ? [Part(frames: 0..<1, tags: file.tags)] : file.parts {
        number += 1
        lines.append("  TRACK \(padded(number)) AUDIO")
        var own = part.tags
        if own.artist == tags.artist { own.artist = nil }
        lines += names(own, indentation: "    ")
        if let isrc = own.isrc { lines.append("    ISRC \(isrc.filter { !$0.isWhitespace })") }
        lines.append("    INDEX 01 \(time(part.frames.lowerBound, file.sampleRateInHz))")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func names(_ tags: PartTags, indentation: String) -> [String] {
    [("TITLE", tags.title), ("PERFORMER", tags.artist), ("SONGWRITER", tags.songwriter)].compactMap { name, text in
      text.map { "\(indentation)\(name) \(quoted($0))" }
    }
  }

  /// In quotation marks, which cannot be in it, and without control characters, which would also end a line.
  private static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Character in
      let isControl = scalar.properties.generalCategory == .control || Character(scalar).isNewline
      return scalar == "\"" ? "'" : isControl ? " " : Character(scalar)
    }
    return "\"" + String(scalars) + "\""
  }

  private static func time(_ frame: Int64, _ rate: Int) -> String {
    let rate = Int64(max(1, rate))
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: rate)
    let count = seconds * framesPerSecond + (rest * framesPerSecond + rate / 2) / rate
    let second = count / framesPerSecond
    return "\(padded(Int(second / 60))):\(padded(Int(second % 60))):\(padded(Int(count % framesPerSecond)))"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
