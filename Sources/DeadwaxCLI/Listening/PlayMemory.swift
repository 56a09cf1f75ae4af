internal import Base
internal import Glibc
internal import MediaPlaying

/// What was played last, in `deadwax/play.json` of the user's state folder.
struct PlayMemory {
  private static let file = BytePath("play.json")
  /// nil if the library is temporary, so that nothing can go on.
  let library: BytePath?

  /// - Throws: `PlayingError.badSession`, `PlayingError.nothingToResume`.
  func session() throws -> PlaySession {
    let path = try StateFolder.path().appending(Self.file)
    let session: PlaySession
    do {
      session = try PlaySession(json: InputFile.bytes(of: path, limit: 64 << 20))
    } catch let error as InputFile.Failure {
      throw error.isAbsent ? PlayingError.nothingToResume : .badSession(reason: error.reason)
    }
    guard session.library == library?.displayString else {
      throw PlayingError.badSession(reason: "it was of the library \(session.library)")
    }
    return session
  }

  /// Remembers where a player is; forgets it if it has played everything.
  ///
  /// A failure is no reason to stop the music.
  func note(_ player: Player) {
    guard let library else { return }
    let state = player.state
    do {
      let path = try StateFolder.made().appending(Self.file)
      if state.isFinished, state.failure == nil, !state.wasStopped {
        _ = path.withCString(unlink)
        return
      }
      let session = PlaySession(
        library: library.displayString, items: player.items, place: state.place, seconds: state.positionInSeconds,
        volume: state.volume)
      try OutputFile(path).write(Array(session.document.text.utf8))
    } catch {}
  }
}
