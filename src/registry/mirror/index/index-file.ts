import { open, readFile, rename, unlink } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { CELLS, type CellKind } from './column.js';
import { buildTables, type Section, sectionsOf, type Tables } from './tables.js';

/** What stands at the head of an index file. */
type Head = {
  readonly format: number;
  /** Where the rows stood when it was written; it is worth nothing beside rows that stand elsewhere. */
  readonly stamp: string;
  readonly seed: number;
  readonly sections: readonly {
    readonly name: string;
    readonly kind: CellKind;
    readonly offset: number;
    readonly length: number;
    readonly count?: number;
  }[];
};

const FORMAT = 2;
/** Before the head: checksum of all that follows behind these bytes, and the length of the head. */
const PREFIX_BYTES = 8;
const CHECKSUM_BYTES = 4;
/** Every array begins at a multiple of this. */
const ALIGNMENT = 8;
const PADDING = new Uint8Array(ALIGNMENT);
/** Bytes that are written and checked at a time, so that nobody waits for more. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Reads an index file: one read, one checksum, and the arrays are views of it. Undefined for one that is not there, not whole, or stale. */
export async function readIndexFile(file: string, stamp: string): Promise<Tables | undefined> {
  const read = await readFile(file).catch(() => undefined);
  if (read === undefined || read.length < PREFIX_BYTES) return undefined;
  // Views of numbers begin at multiples of their size, which a buffer of its own does.
  const bytes = read.byteOffset % 8 === 0 ? read : Buffer.from(new Uint8Array(read).buffer);
  if (crc32(bytes.subarray(CHECKSUM_BYTES)) !== bytes.readUInt32LE(0)) return undefined;
  const headBytes = bytes.readUInt32LE(CHECKSUM_BYTES);
  const head = JSON.parse(bytes.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headBytes)) as Head;
  if (head.format !== FORMAT || head.stamp !== stamp) return undefined;
  const start = aligned(PREFIX_BYTES + headBytes);
  const sections = new Map<string, Section>(
    head.sections.map(({ name, kind, offset, length, count }) => [
      name,
      {
        name,
        kind,
        cells: new CELLS[kind](bytes.buffer as ArrayBuffer, bytes.byteOffset + start + offset, length),
        ...(count === undefined ? {} : { count }),
      },
    ]),
  );
  return buildTables(head.seed, (name) => sections.get(name));
}

/**
 * Writes an index file beside its place and moves it there. `isCurrent` is asked again and again: once the tables have moved on, what
 * was written is of two minds and is thrown away. Answers whether it was kept.
 */
export async function writeIndexFile(
  file: string,
  tables: Tables,
  stamp: string,
  isCurrent: () => boolean,
): Promise<boolean> {
  const sections = sectionsOf(tables);
  let offset = 0;
  const heads = sections.map(({ name, kind, cells, count }) => {
    const at = offset;
    offset = aligned(offset + cells.byteLength);
    return { name, kind, offset: at, length: cells.length, ...(count === undefined ? {} : { count }) };
  });
  const head = Buffer.from(
    JSON.stringify({ format: FORMAT, stamp, seed: tables.seed, sections: heads } satisfies Head),
  );
  const start = Buffer.alloc(aligned(PREFIX_BYTES + head.length) - CHECKSUM_BYTES);
  start.writeUInt32LE(head.length, 0);
  head.copy(start, PREFIX_BYTES - CHECKSUM_BYTES);
  const parts = [
    start,
    ...sections.flatMap(({ cells }) => [
      bytesOf(cells),
      PADDING.subarray(0, aligned(cells.byteLength) - cells.byteLength),
    ]),
  ];
  const beside = `${file}.new`;
  const handle = await open(beside, 'w');
  try {
    let checksum = 0;
    let at = CHECKSUM_BYTES;
    for (const chunk of chunksOf(parts)) {
      if (!isCurrent()) return false;
      checksum = crc32(chunk, checksum);
      await handle.write(chunk, 0, chunk.length, at);
      at += chunk.length;
    }
    const written = Buffer.alloc(CHECKSUM_BYTES);
    written.writeUInt32LE(checksum, 0);
    await handle.write(written, 0, CHECKSUM_BYTES, 0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (!isCurrent()) {
    await unlink(beside).catch(() => undefined);
    return false;
  }
  await rename(beside, file);
  return true;
}

function* chunksOf(parts: readonly Uint8Array[]): Iterable<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += CHUNK_BYTES) yield part.subarray(at, at + CHUNK_BYTES);
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function bytesOf(cells: Section['cells']): Uint8Array {
  return new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength);
}
