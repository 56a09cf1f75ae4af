internal import Base

/// The artists whom the tags of a file name, each of them for itself.
package enum ArtistCredit {
  /// Each value of ARTISTS is an artist, else each value of ARTIST. One text is split into several names only if MusicBrainz has as many
  /// ids for it: `Simon & Garfunkel` is one artist.
  ///
  /// - Parameters:
  ///   - artists: the values of ARTISTS.
  ///   - artist: the values of ARTIST.
  ///   - idCount: the number of values of MUSICBRAINZ_ARTISTID.
  package static func names(artists: [String], artist: [String], idCount: Int) -> [String] {
    let values = (artists.isEmpty ? artist : artists).map(\.withoutBlankEnds).filter { !$0.isEmpty }
    guard values.count == 1, idCount > 1 else { return unique(values) }
    // A comma can be part of a name: "Tyler, The Creator".
    let parts = [joints, joints + weakJoints].map { split(values[0], at: $0) }.first { $0.count == idCount }
    return unique(parts ?? values)
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
    for joint in joints {
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
