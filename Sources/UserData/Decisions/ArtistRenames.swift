package import LibraryDatabase
internal import MediaModel
internal import MediaStore

/// Which artists about whom something is decided are called otherwise by files than before.
///
/// A former name is followed if each file that had it has the same new one in its place.
package struct ArtistRenames {
  /// The fields that name artists.
  package static let tagNames: Set<String> = ["ARTIST", "ARTISTS", "ALBUMARTIST"]

  private let decided: Set<String>
  /// The same by ``NameKey``: spellings are one artist.
  private let decidedByKey: [String: [String]]
  private let separators: [String]
  /// Of each former name; nil stands for none, or for one that cannot be told.
  private var names: [String: Set<String?>] = [:]
  private static let mostNames = 8
  /// Of the file whose tag is noted.
  private var kept: Set<String> = []

  package init(_ db: Database) throws {
    decided = try ArtistDecisions.names(db)
    decidedByKey = Dictionary(grouping: decided.sorted(), by: NameKey.key)
    separators = try decided.isEmpty ? [] : StoredSeparators.all(db)
  }

  /// Whether nothing is decided about artists.
  package var isIdle: Bool { decided.isEmpty }

  /// Notes the names that a tag has no more.
  ///
  /// - Parameters:
  ///   - before: The values of the tag in a file.
  ///   - after: Those that replace them.
  ///   - texts: What single values became, if that is known; else their places say it.
  ///   - kept: Names that the file has in another tag still or again.
  ///   - isSaid: Whether somebody said that they do, so that several values as one text become the others, however many these are.
  package mutating func note(
    _ before: [String], became after: [String], replacing texts: [String: String]? = nil, kept: Set<String> = [],
    isSaid: Bool = false
  ) {
    guard !decided.isEmpty, !before.isEmpty, before != after else { return }
    let (former, present) = (Self.parts(of: before, separators), Self.parts(of: after, separators))
    self.kept = kept
    let name = before.count == after.count || isSaid && !after.isEmpty ? ArtistDecisions.name(after) : nil
    if former.count == 1 {
      if !present.contains(former[0]) { note(former[0], became: present.count == 1 ? present[0] : isSaid ? name : nil) }
      return
    }
    // Decisions know several values as one text, too.
    let whole = ArtistDecisions.name(before)
    if decided.contains(whole) { note(whole, became: name) }
    if let texts {
      for value in before { if let text = texts[value] { note(value, became: text) } }
    } else {
      note(each: former, became: present)
    }
  }

  /// What separators make of values.
  static func parts(of values: [String], _ separators: [String]) -> [String] {
    separators.isEmpty ? values : ArtistCredit.names(artists: [], artist: values, idCount: 0, separators: separators)
  }

  private mutating func note(each before: [String], became after: [String]) {
    for (place, former) in before.enumerated() where !after.contains(former) {
      note(former, became: before.count == after.count ? after[place] : nil)
    }
  }

  private mutating func note(_ former: String, became name: String?) {
    guard !kept.contains(former) else { return }
    let names = Set([former] + (decidedByKey[NameKey.key(former)] ?? [])).intersection(decided)
    // More than these are as good as many.
    for decided in names where decided != name && self.names[decided]?.count ?? 0 < Self.mostNames {
      self.names[decided, default: []].insert(name)
    }
  }

  /// Adds what others have noted.
  package mutating func formUnion(_ other: ArtistRenames) {
    for (former, found) in other.names { names[former, default: []].formUnion(found) }
  }

  /// Of each former name the new one, unless there are several. Other spellings of the former one are none beside another name.
  package var all: [String: String] {
    Dictionary(
      uniqueKeysWithValues: names.compactMap { former, found in
        let key = NameKey.key(former)
        let others = found.filter { $0.map(NameKey.key) != key }
        let names = others.isEmpty ? found : others
        return names.count == 1 ? names.first?.map { (former, $0) } : nil
      })
  }

  package mutating func forget(_ former: String) { names[former] = nil }
}
