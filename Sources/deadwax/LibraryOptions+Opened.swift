internal import MediaStore

extension LibraryOptions {
  /// Calls `body` with the library for reading, and closes it whatever happens.
  ///
  /// - Parameter isTold: Whether somebody reads what is said.
  func reading<Value>(isTold: Bool = true, _ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try open(.readOnly, isTold: isTold)
    // Reading leaves nothing to be written: an error of closing can change no result.
    defer { try? store.close() }
    return try body(store)
  }
}
