package import Base
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
package import MediaStore

/// Covers as files, for programs of the desktop that show what plays.
package struct DesktopCover: Sendable {
  /// Of one that is engraved, in pixels.
  private static let side = 512

  private let folder: CacheFolder?

  /// - Parameter folder: where pictures are put that are no files; nil if there can be none.
  package init(_ folder: CacheFolder?) { self.folder = folder }

  /// The file of a track's cover; nil if it has none, or if it cannot be written.
  package func file(ofRecording id: Int64, in store: MediaStore) -> BytePath? {
    switch try? Cover(ofRecording: id, in: store) {
    case .picture(let picture):
      if let path = picture.path {
        // It may have been changed since, or be a link now.
        return (try? store.pictures.bytes(of: picture)) == nil ? nil : path
      }
      let name = "\(picture.hash).\(picture.mimeType.drop { $0 != "/" }.dropFirst())"
      return file(name) { try? store.pictures.bytes(of: picture) }
    case .engraved(let engraving):
      return file("\(engraving.identity)-\(Self.side)-dark.png") {
        guard let (cover, isComplete) = try? engraving.cover(side: Self.side, ground: .dark, in: store), isComplete
        else {
          return nil
        }
        return try? cover.bytes(as: .png, compression: EngravedCover.compression)
      }
    case nil: return nil
    }
  }

  private func file(_ name: String, _ bytes: () -> [UInt8]?) -> BytePath? {
    if let known = folder?.path(of: name) { return known }
    guard let bytes = bytes() else { return nil }
    folder?.keep(bytes, as: name)
    return folder?.path(of: name)
  }
}
