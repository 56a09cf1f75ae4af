-- Five questions for DuckDB about what `python -m deadwax.parquet LIBRARY OUT` has written; run it inside OUT. Above each is
-- the command that gives the same answer.

-- Where each file and what was measured of it stand together, as in `deadwax ls`.
CREATE VIEW track AS
  SELECT f.*, r.* EXCLUDE (hash, decoded_frames, duration_seconds, state, problem_code, problem_reason, added_at, generation)
    FROM read_parquet('file/*/*/*.parquet', hive_partitioning = true) AS f
    LEFT JOIN read_parquet('recording/*/*/*.parquet', hive_partitioning = true) AS r USING (hash, generation);

-- How many files of each codec are there, and how large are they?
-- deadwax ls --group-by codec --count --sum size --jsonl
SELECT codec, count(*) AS count, sum(size_bytes) AS size FROM track GROUP BY codec ORDER BY codec;

-- Which files are quieter than -18 LUFS and longer than ten seconds?
-- deadwax ls lufs:<-18 duration:>10 --fields path,lufs --sort lufs+,path+ --jsonl
SELECT root || '/' || path AS path, loudness_lufs AS lufs
  FROM track WHERE loudness_lufs < -18 AND duration_seconds > 10 ORDER BY lufs, path;

-- Which file names have "ou" in them, whatever the case and accents?
-- deadwax ls filename:ou --fields path --sort path+ --jsonl
-- The stroke of an ø is no accent for DuckDB.
SELECT root || '/' || path AS path
  FROM track WHERE contains(strip_accents(replace(lower(filename), 'ø', 'o')), 'ou') ORDER BY path;

-- How loud are the albums of each album artist on average?
-- deadwax ls --group-by albumartist --count --avg lufs --jsonl
SELECT albumartist, count(*) AS count, avg(loudness_lufs) AS avg_lufs
  FROM track GROUP BY albumartist ORDER BY albumartist;

-- Which recordings are in several files, and what does the tag COMPOSER of each file say?
-- deadwax ls is:duplicate-file --fields path,hash,composer --sort path+ --jsonl
SELECT root || '/' || path AS path, lower(hex(hash)) AS hash, array_to_string(tags['COMPOSER'], '; ') AS composer
  FROM track WHERE file_count > 1 ORDER BY path;
