internal import CWorker
internal import Glibc

/// One end of a socket pair that carries whole messages: `init` takes the descriptor over, `deinit` closes it.
struct WorkerChannel: ~Copyable {
  enum Failure: Error, Hashable {
    /// The other side is gone.
    case closed
    /// The other side sends what no message is.
    case malformed(String)
    case system(SystemError)
  }

  let descriptor: Int32
  private var received: [UInt8] = []
  private var readOffset = 0
  private var receivedDescriptor: Int32 = -1
  private var scratch = [UInt8](repeating: 0, count: 256 << 10)

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    if receivedDescriptor >= 0 { close(receivedDescriptor) }
    close(descriptor)
  }

  /// Sends one message, waiting for room; a file descriptor may travel with it.
  func send(_ message: [UInt8], descriptor file: Int32 = -1) throws(Failure) {
    var file = file
    var rest = message[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { dw_send(descriptor, $0.baseAddress, $0.count, file) }
      guard sent >= 0 else {
        throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(SystemError(call: "sendmsg"))
      }
      rest = rest.dropFirst(sent)
      file = -1
    }
  }

  /// The body of the next message that is complete; nil when more must be received first.
  mutating func nextBody() throws(Failure) -> [UInt8]? {
    let available = received.count - readOffset
    guard available >= 4 else { return nil }
    let length = received.withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: readOffset, as: UInt32.self)))
    }
    guard length <= WorkerProtocol.maximumMessageByteCount else { throw .malformed("a message of \(length) bytes") }
    guard available >= 4 + length else { return nil }
    let body = Array(received[(readOffset + 4)..<(readOffset + 4 + length)])
    readOffset += 4 + length
    if readOffset == received.count {
      // A buffer that once held a large product is not kept.
      received.removeAll(keepingCapacity: received.capacity <= 4 << 20)
      readOffset = 0
    }
    return body
  }

  /// Receives what is there, waiting for at least one byte.
  mutating func receive() throws(Failure) {
    var file: Int32 = -1
    let count = scratch.withUnsafeMutableBytes { dw_receive(descriptor, $0.baseAddress, $0.count, &file) }
    if file >= 0 {
      if receivedDescriptor >= 0 { close(receivedDescriptor) }
      receivedDescriptor = file
    }
    guard count >= 0 else { throw errno == ECONNRESET ? .closed : .system(SystemError(call: "recvmsg")) }
    guard count > 0 else { throw .closed }
    if readOffset > 1 << 20 {
      received.removeFirst(readOffset)
      readOffset = 0
    }
    received.append(contentsOf: scratch[..<count])
  }

  /// The body of the next message, waiting for it.
  mutating func waitForBody() throws(Failure) -> [UInt8] {
    while true {
      if let body = try nextBody() { return body }
      try receive()
    }
  }

  /// The descriptor that came with the last message; the caller closes it.
  mutating func takeDescriptor() -> Int32? {
    defer { receivedDescriptor = -1 }
    return receivedDescriptor >= 0 ? receivedDescriptor : nil
  }
}
