internal import Base

/// The artists whom the tags of a file name, each of them for itself.
package enum ArtistCredit {
  /// Of a file, and of an album: more values of one tag are left out.
  package static let mostNames = 1_000

  /// Each value of ARTISTS is an artist, else each value of ARTIST. One text is split into several names only if MusicBrainz has as
  /// many ids for it, or somebody listed what separates them: `Simon & Garfunkel` is one artist.
  ///
  /// - Parameters:
  ///   - artists: the values of ARTISTS.
  ///   - artist: the values of ARTIST.
  ///   - idCount: the number of values of MUSICBRAINZ_ARTISTID. As many ids as there are values say that none is to be split.
  ///   - separators: what else separates names in the values of ARTIST, see ``ArtistSeparators``.
  package static func names(
    artists: [String], artist: [String], idCount: Int, separators: [String] = []
  ) -> [String] {
    let values = (artists.isEmpty ? artist : artists).map(\.withoutBlankEnds).filter { !$0.isEmpty }
    if values.count == 1, idCount > 1 {
      // A comma can be part of a name: "Tyler, The Creator".
      let parts = [joints, joints + weakJoints].map { split(values[0], at: $0) }.first { $0.count == idCount }
      if let parts { return unique(parts) }
    }
    guard artists.isEmpty, !separators.isEmpty, idCount != values.count else { return unique(values) }
    return unique(values.flatMap { split($0, at: separators) })
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert(TextFolding.fold($0)).inserted }
  }

  /// What stands between the names of several artists.
  private static let joints = [
    " feat. ", " feat ", " ft. ", " ft ", " featuring ", " with ", " vs. ", " vs ", " versus ", " & ", " + ", " and ",
    " x ", " / ", ";",
  ]
  private static let weakJoints = [", ", "/", " und ", " et ", " y "]

  private static func split(_ text: String, at joints: [String]) -> [String] {
    var parts = [text]
    for joint in joints where !joint.isEmpty {
      parts = parts.flatMap { part -> [String] in
        var pieces: [String] = []
        var rest = part[...]
        while let place = rest.firstPlace(of: joint) {
          pieces.append(String(rest[..<place]))
          rest = rest[rest.index(place, offsetBy: joint.count)...]
        }
        return pieces + [String(rest)]
      }
    }
    return parts.map(\.withoutBlankEnds).filter { !$0.isEmpty }
  }
}

extension Substring {
  /// Where a text begins, in capitals or not.
  fileprivate func firstPlace(of text: String) -> Index? {
    let wanted = text.lowercased()
    return indices.first { index in
      let end = self.index(index, offsetBy: text.count, limitedBy: endIndex)
      return end.map { self[index..<$0].lowercased() == wanted } ?? false
    }
  }
}

/// Texts that separate the names of artists in one value of a tag, as somebody listed them for a library; none at first.
package enum ArtistSeparators {
  package static let largestCount = 16
  private static let largestLength = 20

  /// What is wrong with one; nil if it can be used. A letter or digit at an end would split words: `and` needs blanks around it.
  package static func fault(in separator: String) -> String? {
    guard let first = separator.first, let last = separator.last, !separator.withoutBlankEnds.isEmpty else {
      return "a separator cannot be blank"
    }
    if separator.count > largestLength { return "a separator can have at most \(largestLength) characters" }
    if separator.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      return "a separator cannot contain control characters"
    }
    if first.isLetter || first.isNumber || last.isLetter || last.isNumber {
      return "'\(separator)' would split words: put spaces around it"
    }
    return nil
  }

  /// As the library keeps them: a JSON list.
  package static func text(_ separators: [String]) -> String {
    JSONValue.array(separators.map { .string($0) }).text
  }

  /// Those in a text that ``text(_:)`` wrote; none in any other.
  package static func parsed(_ text: String) -> [String] {
    let values = (try? JSONValue(parsing: Array(text.utf8)))?.array ?? []
    return Array(values.compactMap(\.string).filter { fault(in: $0) == nil }.prefix(largestCount))
  }
}
