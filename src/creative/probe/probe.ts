import { afterId3, looksLikeMp3, readAdts, readFlac, readMp3, readOgg, readWav } from './audio.js';
import { type ByteReader, createByteReader, hasAt } from './bytes.js';
import { type MediaReader, readGif, readJpeg, readPng, readTiff, readWebp } from './image.js';
import { readMatroska } from './matroska.js';
import { looksLikeSvg, readSvg, UnsafeSvg } from './svg/svg.js';
import { MalformedMedia, type MediaFormat, type Probed } from './types.js';
import { readAvi, readBoxes } from './video.js';

type Signature = {
  /** The format that a fault is reported under; a file that can be read names its own. */
  readonly format: MediaFormat;
  readonly matches: (file: ByteReader, head: string) => boolean;
  readonly read: MediaReader;
};

const HEAD_BYTES = 4096;

function matchText(text: string, at = 0): Signature['matches'] {
  return (file) => hasAt(file.bytes, at, text);
}

function matchRiff(kind: string): Signature['matches'] {
  return (file) => hasAt(file.bytes, 0, 'RIFF') && hasAt(file.bytes, 8, kind);
}

function isAdts(file: ByteReader): boolean {
  const at = afterId3(file);
  return at + 7 <= file.length && (file.u16(at) & 0xfff6) === 0xfff0;
}

/** How files are told apart; the first that matches reads the file. Names and declared types play no part. */
const SIGNATURES: readonly Signature[] = [
  { format: 'png', matches: matchText('\x89PNG\r\n\x1a\n'), read: readPng },
  { format: 'jpg', matches: matchText('\xff\xd8\xff'), read: readJpeg },
  { format: 'gif', matches: (file, head) => /^GIF8[79]a/.test(head) && file.length > 6, read: readGif },
  { format: 'webp', matches: matchRiff('WEBP'), read: readWebp },
  { format: 'wav', matches: matchRiff('WAVE'), read: readWav },
  { format: 'avi', matches: matchRiff('AVI '), read: readAvi },
  { format: 'tiff', matches: (_file, head) => head.startsWith('II*\0') || head.startsWith('MM\0*'), read: readTiff },
  {
    format: 'pdf',
    matches: matchText('%PDF-'),
    read: () => ({ kind: 'image', format: 'pdf', mime: 'application/pdf' }),
  },
  {
    format: 'eps',
    matches: matchText('%!PS-Adobe'),
    read: () => ({ kind: 'image', format: 'eps', mime: 'application/postscript' }),
  },
  {
    format: 'mp4',
    matches: (_file, head) => ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].includes(head.slice(4, 8)),
    read: readBoxes,
  },
  { format: 'webm', matches: matchText('\x1aE\xdf\xa3'), read: readMatroska },
  { format: 'ogg', matches: matchText('OggS'), read: readOgg },
  { format: 'flac', matches: (file) => hasAt(file.bytes, afterId3(file), 'fLaC'), read: readFlac },
  { format: 'svg', matches: (_file, head) => looksLikeSvg(head), read: (file) => readSvg(file.bytes) },
  { format: 'aac', matches: isAdts, read: readAdts },
  { format: 'mp3', matches: (file) => looksLikeMp3(file), read: readMp3 },
];

/** Archives, by their first bytes. */
const ARCHIVES: readonly (readonly [begin: string, format: string])[] = [
  ['PK\x03\x04', 'zip'],
  ['\x1f\x8b', 'gzip'],
];

/** Texts that are no media, by how they begin: named in the fault. */
const NOT_MEDIA: readonly (readonly [begin: RegExp, format: string])[] = [
  [/^\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:VAST|DAAST)\b/, 'vast'],
  [/^\s*(?:<!doctype html|<html|<head|<body)\b/i, 'html'],
  [/^\s*<(?:\?xml|!DOCTYPE|[A-Za-z])/, 'xml'],
  [/^\s*[{[]/, 'json'],
];

/**
 * Returns what a media file is by its bytes, how large and how long; `complete` false: the bytes are but its beginning. Reads headers
 * only, in linear time, and never decompresses: a picture of 40,000 x 40,000 pixels is reported, not opened. Never throws.
 */
export function probeMedia(bytes: Uint8Array, { complete = true }: { readonly complete?: boolean } = {}): Probed {
  if (bytes.length === 0) return { ok: false, reason: 'truncated', message: 'the file is empty' };
  const file = createByteReader(bytes);
  const head = file.name(0, Math.min(HEAD_BYTES, bytes.length));
  const plain = head.startsWith('\xef\xbb\xbf') ? head.slice(3) : head;
  const signature = SIGNATURES.find(({ matches }) => matches(file, plain));
  if (signature === undefined) return notMedia(plain);
  try {
    return { ok: true, media: signature.read(file, complete) };
  } catch (cause) {
    const { format } = signature;
    if (cause instanceof UnsafeSvg) return { ok: false, reason: 'unsafe', format, message: `the SVG ${cause.message}` };
    if (cause instanceof MalformedMedia) return { ok: false, reason: 'malformed', format, message: cause.message };
    if (cause instanceof RangeError) {
      return { ok: false, reason: 'truncated', format, message: 'the file ends before it is complete' };
    }
    throw cause;
  }
}

function notMedia(head: string): Probed {
  const format =
    ARCHIVES.find(([begin]) => head.startsWith(begin))?.[1] ?? NOT_MEDIA.find(([begin]) => begin.test(head))?.[1];
  return {
    ok: false,
    reason: 'unknown',
    format,
    message: 'the file is no image, video or sound that is known here',
  };
}
