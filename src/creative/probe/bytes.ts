/** Reads of numbers and names in a file; each throws RangeError beyond its end. */
export type ByteReader = {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly u8: (at: number) => number;
  readonly u16: (at: number) => number;
  readonly u24: (at: number) => number;
  readonly u32: (at: number) => number;
  /** 64 bits as a number; exact up to 2^53. */
  readonly u64: (at: number) => number;
  readonly u16le: (at: number) => number;
  readonly u24le: (at: number) => number;
  readonly u32le: (at: number) => number;
  readonly f32: (at: number) => number;
  readonly f64: (at: number) => number;
  /** Bytes as Latin-1 text. */
  readonly name: (at: number, length: number) => string;
};

/** Returns a reader of the bytes; it copies nothing. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    bytes,
    length: bytes.length,
    u8: (at) => view.getUint8(at),
    u16: (at) => view.getUint16(at),
    u24: (at) => (view.getUint8(at) << 16) | view.getUint16(at + 1),
    u32: (at) => view.getUint32(at),
    u64: (at) => view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4),
    u16le: (at) => view.getUint16(at, true),
    u24le: (at) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16),
    u32le: (at) => view.getUint32(at, true),
    f32: (at) => view.getFloat32(at),
    f64: (at) => view.getFloat64(at),
    name: (at, length) => {
      if (at + length > bytes.length) throw new RangeError('beyond the end');
      return Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('latin1');
    },
  };
}

/** Whether the bytes at a place are this Latin-1 text; false beyond the end. */
export function hasAt(bytes: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
