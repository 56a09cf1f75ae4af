package import MediaModel
package import MediaStore

/// Why a scan as a whole could not be done; a bad file is never a reason.
package enum ScanError: Error, CustomStringConvertible {
  case store(StoreError)
  case workers(WorkerPool.Failure)
  /// A folder that was named is not there or is none.
  case notAFolder(BytePath, SystemError)
  /// A folder that must not be a root.
  case refusedRoot(BytePath, reason: String)
  /// This process has run out of descriptors or memory.
  case exhausted(SystemError)

  package var description: String {
    switch self {
    case .store(let error): error.description
    case .workers(.cannotStart(let reason)): "cannot start worker processes: \(reason)"
    case .workers(.tooManyStuck(let count)): "\(count) workers hang in the kernel; is a network disk gone?"
    case .notAFolder(let path, let error): "\(path.displayString): \(error)"
    case .refusedRoot(let path, let reason): "\(path.displayString): \(reason)"
    case .exhausted(let error): "out of resources: \(error)"
    }
  }
}

/// Calls `body`, and makes the store's error one of ours.
func storing<Result>(_ body: () throws(StoreError) -> Result) throws(ScanError) -> Result {
  do throws(StoreError) { return try body() } catch { throw .store(error) }
}
