package import Base
package import DecodingService
package import MediaStore

/// Why a scan or a reanalysis as a whole could not be done; a bad file is never a reason.
package enum ScanError: Error, CustomStringConvertible {
  case store(StoreError)
  case workers(WorkerError)
  /// A path that was named is not a folder, or not there.
  case notAFolder(BytePath, SystemError)
  /// A folder that must not be a root.
  case refusedRoot(BytePath, reason: String)
  /// A folder that would be a root contains one.
  case containsRoot(BytePath, root: BytePath)
  /// This process has run out of descriptors or memory.
  case exhausted(SystemError)

  package var description: String {
    switch self {
    case .store(let error): error.description
    case .workers(let error): error.description
    case .notAFolder(let path, let error): "\(path.displayString): \(error)"
    case .refusedRoot(let path, let reason): "\(path.displayString): \(reason)"
    case .containsRoot(let path, let root): "\(path.displayString): contains the root \(root.displayString)"
    case .exhausted(let error): "out of resources: \(error)"
    }
  }
}

/// Calls `body` and wraps the store's error.
func storing<Result>(_ body: () throws(StoreError) -> Result) throws(ScanError) -> Result {
  do throws(StoreError) { return try body() } catch { throw .store(error) }
}
