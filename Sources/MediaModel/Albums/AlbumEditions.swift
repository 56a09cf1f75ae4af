/// What of a track on an album says to which edition of it the file belongs.
package struct EditionTrack: Hashable, Sendable {
  package var fileID: Int64
  /// Below its root.
  package var path: String
  /// A number for the folder, see ``AlbumEdition``.
  package var folder: Int64
  package var codec: String
  package var isLossless: Bool
  package var disc: Int
  package var track: Int?
  package var title: String
  package var durationInSeconds: Double

  package init(
    fileID: Int64, path: String, folder: Int64, codec: String, isLossless: Bool, disc: Int, track: Int?, title: String,
    durationInSeconds: Double
  ) {
    self.fileID = fileID
    self.path = path
    self.folder = folder
    self.codec = codec
    self.isLossless = isLossless
    self.disc = disc
    self.track = track
    self.title = title
    self.durationInSeconds = durationInSeconds
  }

  /// Where it stands; nil without a number.
  fileprivate var place: String? { track.map { "\(disc).\($0)" } }
}

/// The editions of an album: an album as FLAC and as MP3, or in two folders, is there twice.
///
/// The files of one folder and codec are of one edition. Folders and codecs that have other tracks, as those of an album whose tracks
/// lie with their artists or of one with bonus tracks as MP3, complete each other to one edition.
package enum AlbumEditions {
  /// From this share of common tracks on, two folders are two editions.
  private static let largestCommonShare = 0.3

  /// The effort must not grow with the square of the number of copies.
  private static let mostCompared = 100

  /// By which tracks of two units are found to be copies: their titles, with the number where several have one title, as the parts of a
  /// book have, and the number alone without a title.
  private static func keys(of unit: [EditionTrack]) -> Set<String> {
    let titles = unit.map { TrackTitle.key($0.title) }
    let counts = Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
    return Set(
      zip(unit, titles).map { track, title in
        let place = track.place ?? "?\(track.fileID)"
        return title.isEmpty ? "#\(place)" : counts[title] == 1 ? title : "\(title)#\(place)"
      })
  }

  /// The one with most tracks is first; of equal ones a lossless one, then the longest, then the one with the first path.
  package static func editions(of tracks: [EditionTrack]) -> [[EditionTrack]] {
    struct Unit: Hashable {
      let folder: Int64
      let codec: String
    }
    let units = Dictionary(grouping: tracks) { Unit(folder: $0.folder, codec: $0.codec) }.values.sorted {
      isBefore($0, $1)
    }
    var editions: [(tracks: [EditionTrack], keys: Set<String>, places: Set<String>)] = []
    for unit in units {
      let (keys, places) = (keys(of: unit), Set(unit.compactMap(\.place)))
      let place = editions.prefix(mostCompared).firstIndex { edition in
        // Movements of two symphonies can have the same titles, but not the same numbers.
        if places.count == unit.count, edition.places.count == edition.tracks.count,
          places.isDisjoint(with: edition.places)
        {
          return true
        }
        let common = keys.count(where: edition.keys.contains)
        return Double(common) <= largestCommonShare * Double(min(keys.count, edition.keys.count))
      }
      if let place {
        editions[place].tracks += unit
        editions[place].keys.formUnion(keys)
        editions[place].places.formUnion(places)
      } else {
        editions.append((unit, keys, places))
      }
    }
    return editions.map(\.tracks).sorted(by: isBefore)
  }

  private static func isBefore(_ left: [EditionTrack], _ right: [EditionTrack]) -> Bool {
    func rank(_ tracks: [EditionTrack]) -> (Int, Int, Double, String) {
      (
        -tracks.count, tracks.contains { !$0.isLossless } ? 1 : 0, -tracks.reduce(0) { $0 + $1.durationInSeconds },
        tracks.map(\.path).min() ?? ""
      )
    }
    return rank(left) < rank(right)
  }
}
