internal import Base
internal import CPosix
internal import DecodingService
internal import Glibc
internal import MediaModel
internal import TagEditing

/// A new file that never gets a name: what would be written is tried on it before anybody decides.
enum TrialFile {
  /// Makes the new file, and reads it again.
  ///
  /// - Returns: nil if the file system has no files without names, or no room.
  /// - Throws: ``WriteRefusal`` if it is not what it should be.
  static func proof(of prepared: PreparedFile, _ worker: TagWorker) throws -> SoundProof? {
    let (plan, original) = (prepared.plan, prepared.original)
    guard (try? original.requireRoom(for: plan.newByteCount)) != nil else { return nil }
    // The folder as it was opened, whatever its path leads to by now.
    let file = dw_open_nameless("/proc/self/fd/\(original.folder.rawValue)", 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    do throws(SystemError) { try NewFile.write(plan, from: original.descriptor, to: file) } catch { return nil }
    let descriptor = open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let after = try worker.reading(descriptor, byteCount: plan.newByteCount, of: prepared.file)
    if let reason = prepared.contradiction(after) { throw WriteRefusal(code: "proof", reason: reason) }
    return SoundProof(prepared.before, after)
  }
}
