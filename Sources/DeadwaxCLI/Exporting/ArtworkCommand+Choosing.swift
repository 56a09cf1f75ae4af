internal import ArgumentParser
internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

extension ArtworkCommand.Of {
  /// Chooses the cover of the track's album, or forgets what was chosen.
  func change(in store: MediaStore) throws {
    let subject = try subject(in: store)
    guard let id = try store.albums.id(ofFile: subject.fileID), let album = try store.albums.album(id: id) else {
      throw ValidationError("\(subject.track.label) is not on an album, and covers are chosen for albums")
    }
    let name = AlbumText.name(album)
    if forget {
      let wasChosen = try store.albums.forgetCover(ofAlbum: album)
      return try output.tell(wasChosen ? "\(name): no longer chosen" : "\(name): nothing was chosen")
    }
    try store.albums.chooseCover(try chosen(of: subject, in: store), ofAlbum: album)
    try output.tell("\(name): chosen")
  }

  /// The picture by its number in --list, or in a file.
  private func chosen(of subject: Subject, in store: MediaStore) throws -> Artwork {
    let word = choose ?? ""
    guard let number = Int(word) else { return try Self.picture(in: BytePath(argument: word)) }
    let pictures = try pictures(of: subject, in: store).map(\.picture)
    guard pictures.indices.contains(number - 1) else {
      throw ValidationError(
        "--choose \(number): \(pictures.count == 1 ? "there is 1 picture" : "there are \(pictures.count) pictures"); a file of that "
          + "name is ./\(number)")
    }
    let picture = pictures[number - 1]
    guard let bytes = try store.pictures.bytes(of: picture) else {
      throw ValidationError("--choose \(number): the picture is gone or has changed since the last scan")
    }
    return try Self.checked(bytes, named: "--choose \(number)")
  }

  static func picture(in path: BytePath) throws -> Artwork {
    let name = path.displayString
    let folder = path.bytes.contains(UInt8(ascii: "/")) ? path.folder : BytePath(".")
    let file: (descriptor: Int32, status: FileStatus)
    do throws(SystemError) {
      file = try FolderDescriptor(opening: folder).openRegularFile(path.lastComponent, followsLinks: true)
    } catch {
      throw ValidationError("\(name): \(error)")
    }
    defer { close(file.descriptor) }
    guard file.status.byteCount <= Int64(CoverFile.largestByteCount) else {
      throw ValidationError("\(name): larger than \(NumberText.size(Int64(CoverFile.largestByteCount)))")
    }
    return try checked(
      try DescriptorBytes.bytes(from: file.descriptor, count: Int(file.status.byteCount)), named: name)
  }

  /// A picture that can be shown and decoded.
  private static func checked(_ bytes: [UInt8], named name: String) throws -> Artwork {
    guard let type = PictureMediaType.name(ofPictureThatBegins: bytes), PictureMediaType.isShown(type) else {
      throw ValidationError("\(name): not a supported picture (JPEG, PNG, WebP, GIF, AVIF, BMP)")
    }
    if case .unreadable(let reason) = try PictureWorkers().reduced(bytes, side: 64) {
      throw ValidationError("\(name): \(reason)")
    }
    return Artwork(pictureType: 3, mimeType: type, caption: "", hash: ContentHash(of: bytes), bytes: bytes)
  }
}
