/// What a person has heard. It costs as much as there are plays, however many files and albums there are.
enum HeardSQL {
  /// `file_id`, `count` and `last_at` of each recording that was heard and has a present file: the first one.
  ///
  /// - Parameter person: An expression for the id of the person.
  static func files(of person: String) -> String {
    """
    SELECT (SELECT id FROM file WHERE audio_id = heard_recording.id AND missing_since IS NULL
             ORDER BY root_id, path LIMIT 1) AS file_id, sum(count) AS count, max(last_at) AS last_at
      FROM (SELECT coalesce(
                     (SELECT id FROM audio WHERE hash = heard_hash.hash),
                     (SELECT audio.id FROM former_hash JOIN audio ON audio.hash = former_hash.current
                       WHERE former_hash.hash = heard_hash.hash ORDER BY audio.id LIMIT 1)) AS id, count, last_at
              FROM (SELECT hash, count(*) AS count, max(started_at) AS last_at
                      FROM play WHERE person_id = \(person) GROUP BY hash) AS heard_hash) AS heard_recording
     GROUP BY heard_recording.id HAVING file_id IS NOT NULL
    """
  }

  /// `album_id`, `count` and `last_at` of each album of these files.
  static func albums(of person: String) -> String {
    """
    SELECT album_id, sum(count) AS count, max(last_at) AS last_at
      FROM (\(files(of: person))) AS heard_file JOIN file ON file.id = heard_file.file_id
     WHERE album_id IS NOT NULL GROUP BY album_id
    """
  }
}
