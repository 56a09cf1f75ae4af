/** What the API answers (docs/api.md), as far as the page uses it: for the check of types, browsers never load this. */

/** Frames of a recording that a chapter or a track of a CUE sheet names; the end is not part of it. */
export interface Part {
  number: number;
  start: number;
  end: number;
  title: string;
  artist: string | null;
}

/** A row of a result: a file with its tags and measures. Which fields are there, the request says. */
export interface TrackRow {
  id: number;
  file?: number;
  title?: string | null;
  artist?: string | null;
  album?: string | null;
  filename?: string | null;
  duration?: number | null;
  rate?: number;
  codec?: string | null;
  state?: string;
  truepeak?: number | null;
  bpm?: number | null;
  key?: string | null;
  camelot?: string | null;
  /** The number of its album; null without one. */
  'album-id'?: number | null;
  /** Of its album; null of a file that could not be read. */
  edition?: number | null;
  'album-disc'?: number | null;
  discsubtitle?: string | null;
  track?: number | null;
  genre?: string | null;
  composer?: string | null;
  work?: string | null;
  conductor?: string | null;
  cutoff?: number | null;
  year?: number | null;
  path?: string;
  channels?: number | null;
  bits?: number | null;
  bitrate?: number | null;
  lufs?: number | null;
  reason?: string | null;
  clipped?: number | null;
  lossy_source?: string | null;
  silence_end?: number | null;
  /** 0…100, as text. */
  rating?: string | null;
  preset?: string | null;
  plays?: number | null;
  /** Of tracks that sound alike: 0 like any track, 1 the same. */
  likeness?: number;
  /** Of a row that stands for a part of its track. */
  part?: Part;
}

/** A row of a tab other than the tracks: an artist, an album, a folder, a list, a problem. */
export type GroupRow = Record<string, any>;

/** An album in all its editions; numbers of tracks are those of the first one. */
export interface AlbumRow {
  album: string | null;
  artist: string | null;
  year: number | null;
  files: number;
  tracks: number;
  discs: number;
  editions: number;
  problems: number;
  duration_seconds: number;
  id: number | null;
  album_id: number;
  cover: string | null;
  query: string;
  /** With `detail`. */
  loudness_lufs?: number | null;
  recordings?: { id: number; duration_seconds: number }[];
}

export interface AlbumDetail extends AlbumRow {
  artists: string[];
  loudness_lufs: number | null;
  wrong: {
    missing_discs: number[];
    missing_tracks: { disc: number; track: number }[];
    double_tracks: { disc: number; track: number }[];
    contradicting_discs: number[];
    partly_numbered: boolean;
    unplayable: boolean;
    states: Record<string, number>;
  };
}

export interface Sums {
  files: number;
  duration_seconds: number;
}

export interface Rows<Row> {
  rows: Row[];
  total: number | null;
}

export interface Problem {
  code?: string;
  reason?: string;
  position_seconds?: number | null;
}

export interface TrackFile {
  id: number;
  path?: string;
  size_bytes?: number | null;
  added_at?: string | null;
  problem?: Problem | string | null;
}

export interface Measures {
  loudness_lufs?: number | null;
  loudness_range_lu?: number | null;
  momentary_max_lufs?: number | null;
  short_term_max_lufs?: number | null;
  true_peak_dbtp?: number | null;
  replaygain_db?: number | null;
  sample_peak_dbfs?: number | null;
  rms_dbfs?: number | null;
  crest_db?: number | null;
  clipped_samples?: number | null;
  silence_start_seconds?: number | null;
  silence_end_seconds?: number | null;
  centroid_hz?: number | null;
  rolloff_hz?: number | null;
  rolloff95_hz?: number | null;
  cutoff_hz?: number | null;
}

/** What was measured, or what a tag says. */
export interface Estimate {
  source: string;
  confidence: number | null;
  strength: 'strong' | 'fair' | 'weak' | null;
}

/** Everything that is known of a track: the document of `deadwax show --json`. */
export interface TrackDetail {
  id: number;
  hash: string | null;
  state?: string;
  preset?: string | null;
  preset_from?: string | null;
  files?: TrackFile[];
  format?: {
    codec: string;
    sample_rate_hz: number;
    decoded_frames: number;
    duration_seconds?: number | null;
    channels: number;
    bits?: number | null;
    bitrate_bps?: number | null;
  } | null;
  parts?: {
    number: number;
    start_frame: number;
    end_frame: number;
    title: string | null;
    artist: string | null;
    source: string;
  }[];
  tags?: Record<string, string[]>;
  roles?: { role: string; name: string; instrument: string | null; query: string }[];
  works?: { name: string; query: string }[];
  movement?: { name: string | null; number: number | null; count: number | null } | null;
  attributes?: Record<string, any>;
  lists?: ({ name: string } | string)[];
  artwork?: unknown[];
  measures?: Measures | null;
  tempo?: (Estimate & { bpm: number }) | null;
  key?: (Estimate & { name: string; camelot: string }) | null;
  album?: Measures | null;
  lossy_source?: { verdict?: string; summary?: string; codec?: string } | string | null;
  plays?: { plays: number; last_played_at: string | null };
}

/** A band of the stored mean spectrum. */
export interface SpectrumBand {
  low_hz: number;
  high_hz: number;
  /** null in silence and above half the sample rate. */
  mean_db: number | null;
  max_db: number | null;
}

/** Loudness over time; null is silence. */
export interface LoudnessCourse {
  integrated_lufs: number | null;
  momentary_lufs: (number | null)[];
  short_term_lufs: (number | null)[];
}

/** Why a file of one recording is kept rather than another. */
export type ReasonCode =
  | 'undamaged' | 'longer' | 'more-channels' | 'lossless' | 'more-bits' | 'reaches-higher' | 'higher-sample-rate'
  | 'higher-bit-rate' | 'not-clipped' | 'more-of-the-sound';

export interface CopyFile {
  id: number;
  path: string;
  title: string | null;
  artist: string | null;
  reason: string | null;
  reason_code: ReasonCode | null;
  identical: boolean;
  offset_seconds: number | null;
  codec: string | null;
  sample_rate_hz: number;
  bits: number | null;
  bitrate_bps: number | null;
  duration_seconds: number;
  is_damaged: boolean;
  is_lossless: boolean;
  cutoff_hz: number | null;
  loudness_lufs: number | null;
  size_bytes: number;
}

/** Files with sound in common. */
export interface CopyGroup {
  kind: 'same-recording' | 'contained' | 'other-master' | 'shares-sample';
  offset_seconds: number;
  common_seconds: number | null;
  files: CopyFile[];
}

/** A track on the map; places are 0…1. */
export interface MapPoint extends TrackRow {
  x: number;
  y: number;
  centroid_hz: number | null;
}

/** A track in which a sound was found. */
export interface Match {
  id: number;
  title: string | null;
  artist: string | null;
  path?: string;
  offset_seconds: number;
  speed: number;
  confidence: number;
}

/** A list of tracks, or a search that was saved: then it has a query. */
export interface List {
  id: number;
  name: string;
  query: string | null;
  tracks: number;
  /** The query that finds its tracks, with its name quoted. */
  find: string;
}

/** `mine`: whether the server has started it; `reading`: the path of the file that was opened last. */
export interface ScanProgress {
  running: boolean;
  mine?: boolean;
  error?: string | null;
  found?: number | null;
  new?: number | null;
  done?: number | null;
  total?: number | null;
  decoded_files?: number | null;
  problems?: number | null;
  audio_seconds?: number | null;
  elapsed_seconds?: number | null;
  remaining_seconds?: number | null;
  reading?: string | null;
}

/** Who asks: `GET /session`. */
export interface Identity {
  /** null for the owner, who has the token, and for strangers. */
  user: string | null;
  right: 'owner' | 'listen' | 'rate' | 'manage' | null;
  can_read: boolean;
  can_change_own: boolean;
  /** Whether there are passwords. */
  can_sign_in: boolean;
}

/** Where somebody has signed in. */
export interface Session {
  id: number;
  user: string;
  for: string;
  address: string;
  /** As it names itself. */
  browser: string;
  signed_in_at: string;
  last_used_at: string;
  ends_at: string;
  /** Whether it is that of the browser that asks. */
  current: boolean;
}

export interface Status {
  can_write: boolean;
  can_write_music: boolean;
  files: number;
  recordings: number;
  audio_seconds: number;
  media_bytes: number;
  library_bytes: number;
  states: Record<string, number>;
  roots: { path: string; files: number }[];
  scan: ScanProgress | null;
}

/** A field by which tracks can be searched. */
export interface Field {
  name: string;
  kind: string;
  words: string[] | null;
}

/** Values that some files have, in their order; `cut`: there are more, or longer ones. */
export interface TagValues {
  values: string[];
  files: number;
  cut: boolean;
}

/** A field of tags in several files. `active`, `satisfied`, `conflicts`: files in which it is corrected. */
export interface TagField {
  name: string;
  kind: 'text' | 'number' | 'date' | 'tempo' | 'key' | 'flag';
  scope: 'recording' | 'file';
  value_count: number;
  active: number;
  satisfied: number;
  conflicts: number;
  /** The first fifty lists, those of most files first. */
  values: TagValues[];
  /** What files say that are corrected. */
  file_values: TagValues[];
}

export interface TagSummary {
  files: number;
  unknown_files: number;
  /** Of the files: a query may no longer find them when they are corrected. */
  ids: number[];
  fields: TagField[];
}

/** What sounds in a file: the hash of its packets. */
export interface FileSound {
  hash: string;
  bytes: number;
  frames: number | null;
}

export interface PlannedFile {
  file: number | null;
  path: string;
  written: boolean;
  refusal: { code: string; reason: string } | null;
  proof: { unchanged: boolean; before: FileSound; after: FileSound } | null;
  changes: { field: string; old: string[]; new: string[] }[];
  /** Fields for which the tags of the file have no place: they stay in the library only. */
  unwritten: { field: string; code: string; reason: string }[];
}

/** What is to be written into files, or taken back, and how far it is. */
export interface WritingPlan {
  id: number;
  state: 'planning' | 'ready' | 'writing' | 'undoing' | 'done' | 'stopped' | 'failed';
  error: string | null;
  done: number;
  total: number;
  files: number;
  changing: number;
  refused: number;
  /** Fields of files that change. */
  unwritten: number;
  written: number;
  values: number;
  bytes: number;
  change: number | null;
  rows: PlannedFile[];
}

/** Which preset applies to a track. */
export interface AppliedPreset {
  preset: { name: string; document?: import('./presets.js').Preset } | null;
  from: string | null;
  assignments: { scope: string; preset: string; on: boolean }[];
}
