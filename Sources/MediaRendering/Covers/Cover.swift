package import LibraryTracks
internal import MediaModel
package import MediaStore

/// What is shown as the cover of a track or an album (docs/albums.md): a picture, or if there is none what is engraved from its
/// sound.
package enum Cover: Sendable {
  case picture(StoredPicture)
  case engraved(AlbumEngraving)

  /// nil if there is no such album, or none of its files.
  ///
  /// - Throws: ``StoreError``.
  package init?(ofAlbum id: Int64, in store: MediaStore) throws {
    if let picture = try store.pictures.cover(ofAlbum: id)?.asShown(in: store) {
      self = .picture(picture)
    } else if let engraving = try AlbumEngraving(ofAlbum: id, in: store) {
      self = .engraved(engraving)
    } else {
      return nil
    }
  }

  /// That of the first present file of a recording, see ``init(ofFile:recording:in:)``.
  ///
  /// - Throws: ``StoreError``.
  package init?(ofRecording id: Int64, in store: MediaStore) throws {
    if let file = try store.files.all(ofRecording: id).first {
      try self.init(ofFile: file.id, recording: id, in: store)
    } else if let engraving = try AlbumEngraving(ofRecording: id, in: store) {
      self = .engraved(engraving)
    } else {
      return nil
    }
  }

  /// What is engraved for a file is that of its album; one without an album has a ring of its own. nil if there is no such recording.
  ///
  /// - Throws: ``StoreError``.
  package init?(ofFile file: Int64, recording id: Int64, in store: MediaStore) throws {
    if let picture = try store.pictures.cover(ofFile: file)?.asShown(in: store) {
      self = .picture(picture)
    } else if let album = try store.albums.id(ofFile: file) {
      try self.init(ofAlbum: album, in: store)
    } else if let engraving = try AlbumEngraving(ofRecording: id, in: store) {
      self = .engraved(engraving)
    } else {
      return nil
    }
  }
}

extension StoredPicture {
  /// The picture with the type that its bytes have, whatever its tag says; nil if that is none that is shown.
  ///
  /// - Throws: ``StoreError``.
  package func asShown(in store: MediaStore) throws -> StoredPicture? {
    // A scan has looked at the bytes of files.
    guard place == .tags else { return self }
    let head = try store.pictures.bytes(inTags: hash, 0..<PictureMediaType.headByteCount)
    guard let type = PictureMediaType.name(ofPictureThatBegins: head), PictureMediaType.isShown(type) else {
      return nil
    }
    var picture = self
    picture.mimeType = type
    return picture
  }
}
