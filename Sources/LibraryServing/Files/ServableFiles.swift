package import Base
internal import DecodingService
internal import Glibc
package import HTTPServing
package import LibraryTracks
package import MediaModel
import MediaStore
internal import Synchronization

/// Opens files of the library, and no others, for clients.
///
/// Users who may write to a music folder can put a link in the place of a file or of a folder, give any file the size and
/// times of another one, and a library can name any file. None of it may give away what only the server can read. So a
/// file is sent if it is the very one that a scan has read; otherwise it must really be in a folder of the library,
/// whatever links lead to it, and hold the sound that the library knows.
package final class ServableFiles: Sendable {
  private struct Version: Hashable {
    let stream: ContentHash?
    let status: FileStatus
  }

  private static let mostVersions = 1000

  private let library: LibraryAccess
  /// Files that were written to since the scan and hold the same sound.
  private let versions = Mutex<Set<Version>>([])

  package init(_ library: LibraryAccess) { self.library = library }

  /// A file of a track, or those of its bytes that the call asks for. One that was written to since the scan is hashed first.
  ///
  /// - Throws: ``HTTPProblem`` if there is no such file, or if it is not one of the library.
  package func answer(to call: Call, _ known: FileDetail, of track: TrackReference) throws -> Answer {
    let opened = try ServableFile(known.path, followsLinks: true)
    if known.status.isSameVersion(as: opened.status) { return .reply(try opened.reply(to: call, known)) }
    try opened.requirePlace(in: library.reading { try $0.roots.all() })
    let version = Version(stream: known.streamHash, status: opened.status)
    if versions.withLock({ $0.contains(version) }) { return .reply(try opened.reply(to: call, known)) }
    guard known.streamHash != nil else { throw SegmentReadingError.changed(known.path) }
    return .decoding { [self] in
      // It hashes the stream, and fails if that is another one.
      let source = try WorkerSegmentSource(
        known.path, recording: track.hash, stream: known.streamHash, known: known.status, isDamaged: track.isDamaged)
      guard source.fileStatus.isSameVersion(as: opened.status) else { throw SegmentReadingError.changed(known.path) }
      versions.withLock { versions in
        if versions.count >= Self.mostVersions { versions.removeAll() }
        versions.insert(version)
      }
      return try opened.reply(to: call, known)
    }
  }
}

/// An open file that clients may have.
package struct ServableFile: Sendable {
  package let file: OpenFile
  fileprivate let status: FileStatus

  /// Opens a file that is not in the library but in one of its folders, such as one beside a song.
  ///
  /// - Throws: ``HTTPProblem`` if there is no such file.
  package init(beside path: BytePath, in roots: [Root]) throws {
    try self.init(path, followsLinks: false)
    try requirePlace(in: roots)
  }

  fileprivate init(_ path: BytePath, followsLinks: Bool) throws {
    guard !path.climbs else { throw HTTPProblem(404, "the file has no proper name") }
    do {
      let folder = try FolderDescriptor(opening: path.folder)
      let (descriptor, status) = try folder.openRegularFile(path.lastComponent, followsLinks: followsLinks)
      file = OpenFile(descriptor: descriptor, byteCount: status.byteCount)
      self.status = status
    } catch {
      throw HTTPProblem(404, "the file cannot be read: \(error)")
    }
  }

  fileprivate func reply(to call: Call, _ known: FileDetail) throws -> Reply {
    let tag = "\(file.byteCount)-\(status.modificationTimeInNanoseconds)-\(status.changeTimeInNanoseconds)"
    return try call.tagged(tag) {
      var reply = Reply(file, try call.range(of: file.byteCount, taggedWith: tag))
      let type = known.format.map { SoundFileType.mediaType($0.container) } ?? MediaType.bytes.rawValue
      reply.headers += [("Content-Type", type), ("Accept-Ranges", "bytes")]
      return reply
    }
  }

  /// - Throws: ``HTTPProblem`` if an open file is in none of the folders of the library, whatever links led to it.
  fileprivate func requirePlace(in roots: [Root]) throws {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(file.descriptor)", &bytes, bytes.count)
    let place = BytePath(bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) })
    // A longer place was cut off.
    guard count > 0, count < bytes.count, roots.contains(where: { Self.isInside($0.path, place) }) else {
      throw HTTPProblem(404, "the file is a link that leads elsewhere than when it was scanned")
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

/// The media types of sound files.
package enum SoundFileType {
  package static func mediaType(_ container: Container) -> String {
    switch container.rawValue {
    case "flac": "audio/flac"
    case "mpeg", "mp3": "audio/mpeg"
    case "ogg": "audio/ogg"
    case "mp4": "audio/mp4"
    case "wav", "rf64", "w64": "audio/wav"
    case "aiff", "aifc": "audio/aiff"
    case "adts", "aac": "audio/aac"
    default: MediaType.bytes.rawValue
    }
  }
}
