internal import Glibc

/// The three streams that every process starts with, or should.
enum StandardStreams {
  /// Where a stream is closed, the next file to be opened would take its place, and output would go into it.
  static func fillGaps() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // Opened the other way round, so that reading or writing still fails.
      let opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      if opened >= 0, opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }
}
