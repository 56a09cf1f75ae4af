internal import Base
internal import DecodingService
internal import Glibc
internal import MediaModel
internal import MediaStore
internal import Synchronization

/// Opens files for clients, none but those of the library.
///
/// Users who may write to a music folder can put a link in the place of a file or of a folder, give any file the size and
/// times of another one, and a library can name any file. None of it may give away what only the server can read. So a
/// file is sent if it is the very one that a scan has read; otherwise it must really be in a folder of the library,
/// whatever links lead to it, and hold the sound that the library knows.
final class ServableFiles: Sendable {
  struct Opened {
    let descriptor: Int32
    let status: FileStatus
  }

  private struct Version: Hashable {
    let stream: ContentHash?
    let status: FileStatus
  }

  private static let mostVersions = 1000

  /// Files that were written to since the scan and hold the same sound.
  private let versions = Mutex<Set<Version>>([])

  /// Opens a file of a track; the caller closes the descriptor.
  ///
  /// - Throws: ``Problem`` if there is no such file, or if it is not one of the library; ``NeedsDecoder``.
  func open(_ known: FileDetail, of track: TrackReference, _ call: Call) throws -> Opened {
    let opened = try Self.open(known.path, followsLinks: true)
    do {
      if known.status.isSameVersion(as: opened.status) { return opened }
      try Self.requirePlace(of: opened.descriptor, in: call.service.library.reading { try $0.roots() })
      let version = Version(stream: known.streamHash, status: opened.status)
      if versions.withLock({ $0.contains(version) }) { return opened }
      guard known.streamHash != nil else { throw SegmentReadingError.changed(known.path) }
      try call.requireDecoder()
      // It hashes the stream, and fails if that is another one.
      let source = try WorkerSegmentSource(
        known.path, recording: track.hash, stream: known.streamHash, known: known.status, isDamaged: track.isDamaged)
      guard source.fileStatus.isSameVersion(as: opened.status) else { throw SegmentReadingError.changed(known.path) }
      versions.withLock { versions in
        if versions.count >= Self.mostVersions { versions.removeAll() }
        versions.insert(version)
      }
      return opened
    } catch {
      close(opened.descriptor)
      throw error
    }
  }

  /// Opens a file that is not in the library but in one of its folders, such as one beside a song.
  ///
  /// - Throws: ``Problem`` if there is no such file.
  static func open(beside path: BytePath, in roots: [Root]) throws -> Opened {
    let opened = try open(path, followsLinks: false)
    do {
      try requirePlace(of: opened.descriptor, in: roots)
      return opened
    } catch {
      close(opened.descriptor)
      throw error
    }
  }

  private static func open(_ path: BytePath, followsLinks: Bool) throws -> Opened {
    guard !path.climbs else { throw Problem(404, "the file has no proper name") }
    do {
      let folder = try FolderDescriptor(opening: path.folder)
      let (descriptor, status) = try folder.openRegularFile(path.lastComponent, followsLinks: followsLinks)
      return Opened(descriptor: descriptor, status: status)
    } catch {
      throw Problem(404, "the file cannot be read: \(error)")
    }
  }

  /// - Throws: ``Problem`` if an open file is in none of the folders of the library, whatever links led to it.
  private static func requirePlace(of descriptor: Int32, in roots: [Root]) throws {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    let place = BytePath(bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) })
    // A longer place was cut off.
    guard count > 0, count < bytes.count, roots.contains(where: { isInside($0.path, place) }) else {
      throw Problem(404, "the file is a link that leads elsewhere than when it was scanned")
    }
  }

  private static func isInside(_ root: BytePath, _ place: BytePath) -> Bool {
    guard let real = root.withCString({ realpath($0, nil) }) else { return false }
    defer { free(real) }
    return place.isBelowOrEqual(to: BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }
}

extension BytePath {
  /// Whether a component leads to the folder above.
  fileprivate var climbs: Bool { bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) } }
}
