package import Base
internal import Glibc
package import MediaModel

/// An index of the sound of a library: a folder beside it with posting files and a manifest.
///
/// Everything in it is derived: it is made again from the landmarks in the library when it is missing, damaged or of
/// another version. An open index stays as it was, even if another process replaces its files meanwhile.
///
/// May be used from one thread at a time.
package final class SoundIndex {
  package let folder: BytePath
  package let postingFiles: [PostingFile]
  let manifest: IndexManifest
  /// Per posting file the recordings that do not count.
  let dead: [Set<Int>]

  /// Opens an index; one that does not exist is empty.
  package static func open(at folder: BytePath) throws(SoundIndexError) -> SoundIndex {
    // A posting file may be replaced between the manifest and its opening.
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
    var postingFiles: [PostingFile] = []
    for postingFile in manifest.postingFiles {
      postingFiles.append(try PostingFile(at: folder.appending(IndexManifest.postingFileName(postingFile.number))))
    }
    self.postingFiles = postingFiles
    dead = manifest.postingFiles.map { postingFile in
      Set(manifest.dead.filter { $0.postingFile == postingFile.number }.map { Int($0.recording) })
    }
  }

  static func manifest(at folder: BytePath) throws(SoundIndexError) -> IndexManifest {
    let path = folder.appending(IndexManifest.fileName)
    let descriptor: Int32
    do throws(SoundIndexError) { descriptor = try IndexFile.open(at: path) } catch {
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

  package var recordingCount: Int {
    postingFiles.indices.reduce(0) { $0 + postingFiles[$1].recordingCount - dead[$1].count }
  }

  /// The size of its files.
  package var byteCount: Int64 { postingFiles.reduce(0) { $0 + Int64($1.header.fileByteCount) } }

  package var postingCount: Int64 { postingFiles.reduce(0) { $0 + Int64($1.header.postingCount) } }

  func counts(_ recording: Int, ofPostingFile postingFile: Int) -> Bool { !dead[postingFile].contains(recording) }

  /// Calls `body` with each recording that counts and its landmarks.
  package func forEachRecording(
    _ body: (IndexedRecording, Landmarks) throws -> Void
  ) throws {
    for (number, postingFile) in postingFiles.enumerated() {
      for index in 0..<postingFile.recordingCount where counts(index, ofPostingFile: number) {
        try body(postingFile.recording(index), try postingFile.landmarks(index))
      }
    }
  }
}
