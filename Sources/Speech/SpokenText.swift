/// A text that one voice speaks.
package struct SpokenRun: Hashable, Sendable {
  package var text: String
  /// The name of a voice of espeak-ng: a language.
  package var voice: String

  package init(text: String, voice: String) {
    self.text = text
    self.voice = voice
  }
}

/// A text to be spoken, and what is known of its language.
package struct SpokenPiece: Hashable, Sendable {
  package var text: String
  /// Of the file that it comes from, as ISO 639-1; nil if unknown.
  package var language: String?

  package init(_ text: String, language: String? = nil) {
    self.text = text
    self.language = language
  }

  /// Whether some of it is silent, because it has Chinese characters.
  package var hasHan: Bool { text.unicodeScalars.contains { SpokenScript($0) == .han } }
}

/// Which voice speaks which part of a text.
package enum SpokenText {
  /// What is longer is cut.
  static let greatestLength = 300

  /// The runs of a text, each in one script; parts in scripts without a voice are left out.
  ///
  /// Digits and punctuation go with the letters before them, at the start with those after them. Kana beside Chinese characters
  /// are left out, too: they are endings of what is not said.
  ///
  /// - Parameter language: Of the library, for scripts of many languages.
  package static func runs(of pieces: [SpokenPiece], language: String) -> [SpokenRun] {
    var runs: [(text: String, voice: String?)] = []
    for piece in pieces {
      for part in parts(of: piece.text) {
        let voice =
          part.script.map { $0.voice(preferring: [piece.language, language]) }
          ?? SpokenScript.latin.voice(preferring: [piece.language, language])
        if part.script == nil, let last = runs.indices.last {
          runs[last].text += part.text
        } else if let last = runs.indices.last, runs[last].voice == voice {
          runs[last].text += part.text
        } else {
          runs.append((part.text, voice))
        }
      }
    }
    return shortened(
      runs.compactMap { run in
        guard let voice = run.voice else { return nil }
        let text = speakable(run.text)
        return text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
          ? SpokenRun(text: text, voice: voice) : nil
      })
  }

  private static func parts(of text: String) -> [(text: String, script: SpokenScript?)] {
    var parts: [(text: String, script: SpokenScript?)] = []
    for character in text {
      let script = character.unicodeScalars.lazy.compactMap { SpokenScript($0) }.first
      guard let last = parts.indices.last else {
        parts.append((String(character), script))
        continue
      }
      switch (parts[last].script, script) {
      case (_, nil): parts[last].text.append(character)
      case (nil, _):
        parts[last].text.append(character)
        parts[last].script = script
      case (.kana?, .han?):
        parts[last].text.append(character)
        parts[last].script = .han
      case (let old?, let new?) where old == new || old == .han && new == .kana: parts[last].text.append(character)
      default: parts.append((String(character), script))
      }
    }
    return parts
  }

  /// Without control characters, and without the brackets in which espeak-ng expects phonemes.
  private static func speakable(_ text: String) -> String {
    let plain = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    return plain.replacing("[[", with: "[ [").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func shortened(_ runs: [SpokenRun]) -> [SpokenRun] {
    var rest = greatestLength
    var result: [SpokenRun] = []
    for run in runs where rest > 0 {
      guard run.text.count > rest else {
        result.append(run)
        rest -= run.text.count
        continue
      }
      let cut = run.text.prefix(rest)
      let end = cut.lastIndex(of: " ") ?? cut.endIndex
      if end > cut.startIndex { result.append(SpokenRun(text: String(cut[..<end]), voice: run.voice)) }
      rest = 0
    }
    return result
  }
}
