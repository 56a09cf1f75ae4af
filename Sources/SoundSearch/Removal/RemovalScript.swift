package import Base

/// A shell script that removes files whose sound another file has; nothing is removed until somebody runs it.
///
/// Names are single-quoted, so no name can be anything but data. A file is removed only while it has the size and time
/// of the scan, and while the file that is kept for it is another file, no symbolic link, with the content that it had
/// when the script was written. One file that two file systems show has two devices and inodes: so a file is first
/// renamed, and removed only if the one that is kept is still there after that, unchanged.
package struct RemovalScript {
  private var lines: [[UInt8]] = []
  package private(set) var fileCount = 0
  package private(set) var byteCount: Int64 = 0

  package init() {}

  /// Adds a file that may go, for the one that is kept.
  ///
  /// - Parameter stamp: What the scan saw of the file that may go.
  package mutating func add(
    keeping kept: KeptFile, removing path: BytePath, stamp: FileStatus.Stamp, reason: String
  ) {
    let seconds = stamp.modificationTimeInNanoseconds.dividedDown(by: 1_000_000_000)
    lines.append([])
    lines.append(Array("# ".utf8) + Array(reason.filter { !$0.isNewline }.utf8))
    lines.append(
      Array("remove ".utf8) + Self.quoted(path) + Array(" for ".utf8) + Self.quoted(kept.path)
        + Array(" \(stamp.byteCount) \(seconds) \(kept.byteCount) \(kept.checksum)".utf8))
    fileCount += 1
    byteCount += stamp.byteCount
  }

  package var bytes: [UInt8] {
    let files = "\(fileCount) \(fileCount == 1 ? "file" : "files") (\(byteCount) bytes)"
    let title = "# Removes \(files) whose audio is in other files, as `deadwax duplicates`"
    let text = "#!/bin/sh\n\(title)\n\(Self.head)\n"
    return Array(text.utf8) + lines.flatMap { $0 + [0x0A] } + Array("\n\(Self.tail(of: fileCount))\n".utf8)
  }

  /// What all scripts have in common: POSIX, and `mv -n`, `stat -c` and `sha256sum` as coreutils and busybox have them.
  private static let head = #"""
    # found them. Read it before you run it; nothing has been removed so far. With --dry-run it only lists what it would remove.
    # Each kept file is read to compare its checksum, so this takes a while.

    LC_ALL=C
    export LC_ALL
    is_dry=
    if [ $# = 1 ] && [ "$1" = --dry-run ]; then
      is_dry=1
    elif [ $# -gt 0 ]; then
      printf 'nothing was removed; usage: %s [--dry-run]\n' "$0" >&2
      exit 64
    fi
    for tool in stat sha256sum; do
      if ! command -v "$tool" > /dev/null; then
        printf 'nothing was removed: %s is not installed\n' "$tool" >&2
        exit 1
      fi
    done

    count=0
    say() { printf '%s: %s\n' "$1" "$2" >&2; }

    exists() { [ -e "$1" ] || [ -L "$1" ]; }

    # The file that is renamed at the moment, and its name meanwhile; both empty if there is none.
    file=
    away=
    move_back() {
      if [ -z "$away" ] || ! exists "$away"; then
        return 0
      fi
      if ! exists "$file"; then mv -n -- "$away" "$file"; fi
      if exists "$away"; then say "cannot be renamed back to $file" "$away"; fi
    }
    stop() {
      move_back
      exit 1
    }
    trap stop HUP INT QUIT PIPE TERM

    # is_listed FILE: whether its folder has that name. A file system that lies over others, or one of another machine,
    # may remember a name that is not there any more; what it lists is read again.
    is_listed() {
      for one in "${1%/*}"/* "${1%/*}"/.*; do
        if [ "$one" = "$1" ]; then return 0; fi
      done
      return 1
    }

    # is_kept FILE SIZE SHA256: whether it is there, no link, with that content.
    is_kept() {
      is_listed "$1" && [ -f "$1" ] && [ ! -L "$1" ] && [ "$(stat -c %s "$1")" = "$2" ] &&
        [ "$(sha256sum < "$1")" = "$3  -" ] && is_listed "$1" && [ -f "$1" ]
    }

    # remove FILE for KEPT SIZE TIME KEPT-SIZE KEPT-SHA256: only while FILE has that size and time, and while KEPT is
    # another file, no link, with that size and content. Through two file systems one file may look like two: so FILE
    # is renamed first, and removed only if KEPT is still there then, and has not changed with it.
    remove() {
      away=
      file=$1
      name=${1##*/}
      if [ "${#name}" -le 120 ]; then
        new=$1.deadwax-removing
      else
        new=${1%/*}/$(printf %s "$name" | sha256sum | cut -c 1-32).deadwax-removing
      fi
      if ! exists "$1" && [ -f "$new" ] && [ ! -L "$new" ] && [ "$(stat -c '%s %Y' "$new")" = "$4 $5" ]; then
        mv -n -- "$new" "$1"
        say 'renamed back, because an earlier run was killed' "$1"
      fi
      if ! exists "$1"; then
        say 'missing, perhaps since an earlier run' "$1"
        return
      fi
      if [ ! -f "$1" ] || [ -L "$1" ] || [ "$(stat -c '%s %Y' "$1")" != "$4 $5" ]; then
        say 'kept, because it has changed' "$1"
        return
      fi
      if [ ! -f "$3" ] || [ -L "$3" ] || [ "$1" -ef "$3" ] || [ "$(stat -c %s "$3")" != "$6" ]; then
        say 'kept, because the other file has changed' "$1"
        return
      fi
      if exists "$new"; then
        say "kept, because its temporary name is taken, $new" "$1"
        return
      fi
      if [ -n "$is_dry" ]; then
        if is_kept "$3" "$6" "$7"; then
          printf 'would remove %s\n' "$1"
          count=$((count + 1))
        else
          say 'kept, because the other file has changed' "$1"
        fi
        return
      fi
      changed=$(stat -c %z "$3")
      away=$new
      if ! mv -n -- "$1" "$away" || exists "$1" || [ ! -f "$away" ]; then
        say 'kept, because it cannot be renamed' "$1"
      elif [ "$(stat -c %z "$3" 2> /dev/null)" != "$changed" ] || ! is_kept "$3" "$6" "$7"; then
        say 'kept, because the other file has changed, or is the same file' "$1"
      elif [ -L "$away" ] || [ "$(stat -c '%s %Y' "$away")" != "$4 $5" ]; then
        say 'kept, because it has changed' "$1"
      else
        rm -- "$away"
        if exists "$away"; then
          say 'kept, because it cannot be removed' "$1"
        else
          printf 'removed %s\n' "$1"
          count=$((count + 1))
        fi
      fi
      move_back
      away=
    }
    """#

  private static func tail(of fileCount: Int) -> String {
    #"""
    if [ -n "$is_dry" ]; then
      printf '%s of \#(fileCount) would be removed\n' "$count"
    else
      printf '%s of \#(fileCount) removed; the next `deadwax scan` marks them as missing, many at once with --accept-missing\n' "$count"
    fi
    """#
  }

  /// In single quotes, of which those of the name itself are written between quotes of the other kind.
  static func quoted(_ path: BytePath) -> [UInt8] {
    [0x27] + path.bytes.flatMap { $0 == 0x27 ? Array("'\"'\"'".utf8) : [$0] } + [0x27]
  }
}

extension Int64 {
  /// As `stat` gives the seconds of times before 1970.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
