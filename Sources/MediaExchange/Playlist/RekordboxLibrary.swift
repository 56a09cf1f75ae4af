package import Base

/// A collection with one playlist, in the XML that rekordbox imports.
package struct RekordboxLibrary {
  package struct Track {
    /// Absolute.
    package var path: BytePath
    /// Known attributes, with rekordbox's names.
    package var attributes: [(name: String, value: String)]

    package init(path: BytePath, attributes: [(name: String, value: String)]) {
      self.path = path
      self.attributes = attributes
    }
  }

  package var name: String
  /// The tracks of the playlist, in order. The collection lists a file once, even if it is in the playlist several
  /// times.
  package var tracks: [Track]

  package init(name: String, tracks: [Track]) {
    self.name = name
    self.tracks = tracks
  }

  package var text: String {
    var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    text += #"<DJ_PLAYLISTS Version="1.0.0">"# + "\n"
    text += #"  <PRODUCT Name="deadwax" Version="1.0" Company=""/>"# + "\n"
    var numbers: [BytePath: Int] = [:]
    for track in tracks where numbers[track.path] == nil { numbers[track.path] = numbers.count + 1 }
    text += "  <COLLECTION Entries=\"\(numbers.count)\">\n"
    var isWritten: Set<BytePath> = []
    for track in tracks where isWritten.insert(track.path).inserted {
      let attributes =
        [("TrackID", String(numbers[track.path] ?? 0))] + track.attributes.map { ($0.name, $0.value) }
        + [("Location", "file://localhost" + PlaylistPath.percentEncoded(track.path))]
      text += "    <TRACK \(attributes.map { "\($0.0)=\"\(XMLText.escaped($0.1))\"" }.joined(separator: " "))/>\n"
    }
    text += "  </COLLECTION>\n  <PLAYLISTS>\n    <NODE Type=\"0\" Name=\"ROOT\" Count=\"1\">\n"
    text += "      <NODE Type=\"1\" Name=\"\(XMLText.escaped(name))\" Entries=\"\(tracks.count)\" KeyType=\"0\">\n"
    for track in tracks { text += "        <TRACK Key=\"\(numbers[track.path] ?? 0)\"/>\n" }
    return text + "      </NODE>\n    </NODE>\n  </PLAYLISTS>\n</DJ_PLAYLISTS>\n"
  }
}
