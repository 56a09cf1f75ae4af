package import Base
internal import Glibc
package import MediaModel

/// An index of the sound of a library: a folder beside it with segments and a manifest.
///
/// Everything in it is derived: it is made again from the landmarks in the library when it is missing, damaged or of
/// another version. An open index stays as it was, even if another process replaces its files meanwhile.
///
/// May be used from one thread at a time.
package final class SoundIndex {
  package let folder: BytePath
  package let segments: [SoundSegment]
  let manifest: IndexManifest
  /// Per segment the recordings that do not count.
  let dead: [Set<Int>]

  /// Opens an index; one that does not exist is empty.
  package static func open(at folder: BytePath) throws(SoundIndexError) -> SoundIndex {
    // A segment may be replaced between the manifest and its opening.
    for _ in 0..<3 {
      let manifest = try manifest(at: folder)
      do throws(SoundIndexError) {
        return try SoundIndex(at: folder, manifest)
      } catch {
        guard case .system(_, ENOENT) = error, try Self.manifest(at: folder) != manifest else { throw error }
      }
    }
    return try SoundIndex(at: folder, try manifest(at: folder))
  }

  init(at folder: BytePath, _ manifest: IndexManifest) throws(SoundIndexError) {
    self.folder = folder
    self.manifest = manifest
    var segments: [SoundSegment] = []
    for segment in manifest.segments {
      segments.append(try SoundSegment(at: folder.appending(IndexManifest.segmentName(segment.number))))
    }
    self.segments = segments
    dead = manifest.segments.map { segment in
      Set(manifest.dead.filter { $0.segment == segment.number }.map { Int($0.recording) })
    }
  }

  static func manifest(at folder: BytePath) throws(SoundIndexError) -> IndexManifest {
    let path = folder.appending(IndexManifest.fileName)
    let descriptor: Int32
    do throws(SoundIndexError) { descriptor = try file(at: path) } catch {
      if case .system(_, let code) = error, code == ENOENT || code == ENOTDIR { return IndexManifest() }
      throw error
    }
    defer { close(descriptor) }
    do {
      return try IndexManifest(try DescriptorBytes.bytes(from: descriptor, count: 1 << 26))
    } catch let error as ByteReader.Failure {
      throw .damaged(path, reason: error.reason)
    } catch let error as SystemError {
      throw .system(path, code: error.code)
    } catch {
      throw .damaged(path, reason: "\(error)")
    }
  }

  /// Opens a file of an index, without blocking; pipes, folders and links in its place are damage.
  static func file(at path: BytePath) throws(SoundIndexError) -> Int32 {
    do throws(SystemError) {
      return try FolderDescriptor(opening: path.folder).openRegularFile(path.lastComponent).descriptor
    } catch {
      guard [ELOOP, EINVAL, ENXIO].contains(error.code) else { throw .system(path, code: error.code) }
      throw .damaged(path, reason: "not a regular file")
    }
  }

  /// The folder of the index of a library: `music.sqlite` has `music.sound` beside it.
  package static func folder(ofLibraryAt path: BytePath) -> BytePath {
    let name = path.lastComponent.pathExtension.isEmpty ? path.lastComponent : path.lastComponent.stem
    return path.folder.appending(BytePath(name.bytes + Array(".sound".utf8)))
  }

  /// Forgets an index, so that the next update makes it again.
  package static func discard(at folder: BytePath) throws(SoundIndexError) {
    let path = folder.appending(IndexManifest.fileName)
    guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else { throw .system(path, code: errno) }
  }

  /// Whether it has all recordings of a library in this state.
  package func isCurrent(_ mark: [UInt8], recipeVersion: Int) -> Bool {
    !mark.isEmpty && manifest.mark == mark && manifest.recipeVersion == UInt32(recipeVersion)
  }

  package var recordingCount: Int { segments.indices.reduce(0) { $0 + segments[$1].recordingCount - dead[$1].count } }

  /// The size of its files.
  package var byteCount: Int64 { segments.reduce(0) { $0 + Int64($1.header.fileByteCount) } }

  package var postingCount: Int64 { segments.reduce(0) { $0 + Int64($1.header.postingCount) } }

  func counts(_ recording: Int, ofSegment segment: Int) -> Bool { !dead[segment].contains(recording) }

  /// Calls `body` with each recording that counts and its landmarks.
  package func forEachRecording(
    _ body: (IndexedRecording, Landmarks) throws -> Void
  ) throws {
    for (number, segment) in segments.enumerated() {
      for index in 0..<segment.recordingCount where counts(index, ofSegment: number) {
        try body(segment.recording(index), try segment.landmarks(index))
      }
    }
  }
}
