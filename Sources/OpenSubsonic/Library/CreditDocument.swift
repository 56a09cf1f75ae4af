internal import Foundation
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel

/// Who did what for a song, and which work it is (`Contributor`, `Work`, `Movement`).
enum CreditDocument {
  static func add(_ song: Song, _ browseIndex: BrowseIndex, to object: inout SubsonicObject) {
    let credits = song.credits
    object.add("sortName", credits.titleSort)
    let composers = credits.contributors.filter { $0.role == .composer }.map(\.name)
    object.add("displayComposer", composers.isEmpty ? song.composer : composers.joined(separator: ", "))
    if !credits.contributors.isEmpty {
      object.add("contributors", credits.contributors.map { contributor($0, browseIndex) })
    }
    if !credits.works.isEmpty {
      object.add(
        "works",
        credits.works.indices.map { place in
          var work = SongDocument.named(credits.works[place])
          if credits.workIDs.indices.contains(place) { work.add("musicBrainzId", credits.workIDs[place]) }
          return work
        })
    }
    if let movement = credits.movement, let name = movement.name {
      var document = SongDocument.named(name)
      document.add("number", movement.number)
      document.add("count", movement.count)
      object.add("movements", [document])
    }
  }

  private static func contributor(_ contributor: Contributor, _ browseIndex: BrowseIndex) -> SubsonicObject {
    var object = SubsonicObject()
    object.add("role", contributor.role.rawValue)
    object.add("subRole", contributor.instrument)
    object.add("artist", reference(contributor.name, browseIndex))
    return object
  }

  /// An artist of the index, else a person with an id of their own, see ``PersonID``.
  static func reference(_ name: String, _ browseIndex: BrowseIndex) -> SubsonicObject {
    if let place = browseIndex.artist(named: name) { return ArtistDocument.reference(place, browseIndex) }
    var object = SubsonicObject()
    object.add("id", PersonID.id(of: name))
    object.add("name", name)
    return object
  }
}

/// The id of somebody who is no artist of the index, such as a composer: their name, so that nothing must be kept of them.
enum PersonID {
  private static let prefix = "pe-"

  static func id(of name: String) -> String {
    let text = Data(name.utf8).base64EncodedString()
    return prefix + text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The name in an id; nil for other ids.
  static func name(_ id: String) -> String? {
    guard id.hasPrefix(prefix) else { return nil }
    let text = id.dropFirst(prefix.count).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    let name = Data(base64Encoded: text + padding).flatMap { String(data: $0, encoding: .utf8) }
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }
}
