/** Parameters of a statement that reads by a list of names. */
export type Names = Record<`name${number}`, string>;

/** Returns the names of so many slots. */
export function nameSlots(size: number): readonly `name${number}`[] {
  return Array.from({ length: size }, (_, index) => `name${index}` as const);
}

/** Returns the parameters for so many names from a position; a part that is not full repeats its last name. */
export function partOfNames(names: readonly string[], from: number, size: number): Names {
  const part: Names = {};
  for (let index = 0; index < size; index += 1) {
    part[`name${index}`] = names[Math.min(from + index, names.length - 1)] ?? '';
  }
  return part;
}

/** Reads by a list of names, so many at a time. */
export function readInParts<Row>(
  names: readonly string[],
  size: number,
  read: (part: Names) => readonly Row[],
): readonly Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < names.length; from += size) rows.push(...read(partOfNames(names, from, size)));
  return rows;
}
