/** Rows as JSON lists in pieces: they go from one thread to another, and to disk, without either of them standing still over all of them. */
export type PackedRows<Row> = {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** Carries the type only. */
  readonly row?: Row;
};

/** Characters of a piece: what is read of it at a time takes about a millisecond. */
const PIECE = 64 * 1024;

/** Takes rows one by one, as JSON. */
export type Packer<Row> = { readonly add: (text: string) => void; readonly packed: () => PackedRows<Row> };

/** Opens a packer. */
export function openPacker<Row>(): Packer<Row> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let texts: string[] = [];
  let length = 0;
  const close = (): void => {
    if (texts.length > 0) pieces.push(encoder.encode(`[${texts.join(',')}]`));
    [texts, length] = [[], 0];
  };
  return {
    add: (text) => {
      if (length + text.length > PIECE) close();
      texts.push(text);
      length += text.length;
    },
    packed: () => {
      close();
      return { pieces };
    },
  };
}

/** Packs rows of plain JSON. */
export function packRows<Row>(rows: readonly Row[]): PackedRows<Row> {
  const packer = openPacker<Row>();
  for (const row of rows) packer.add(JSON.stringify(row));
  return packer.packed();
}

/** Reads the rows that were packed, piece by piece. */
export function* unpackPieces<Row>({ pieces }: PackedRows<Row>): Generator<readonly Row[]> {
  const decoder = new TextDecoder();
  // Packed here, and nowhere else.
  for (const piece of pieces) yield JSON.parse(decoder.decode(piece)) as Row[];
}

/** Returns the rows that were packed. */
export function unpackRows<Row>(packed: PackedRows<Row>): readonly Row[] {
  const rows: Row[] = [];
  for (const piece of unpackPieces(packed)) for (const row of piece) rows.push(row);
  return rows;
}

/** Returns the memory of all packed rows in a message: it is handed over, not copied. */
export function packedMemory(message: unknown): readonly ArrayBuffer[] {
  if (typeof message !== 'object' || message === null || message instanceof Uint8Array || Array.isArray(message))
    return [];
  if ('pieces' in message) return (message as PackedRows<unknown>).pieces.map(({ buffer }) => buffer);
  return Object.values(message).flatMap(packedMemory);
}

/** Bytes of packed rows. */
export function packedBytes(message: unknown): number {
  return packedMemory(message).reduce((sum, { byteLength }) => sum + byteLength, 0);
}
