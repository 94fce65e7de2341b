/** Returns text of a buyer's as one line that a terminal shows and does not obey. */
export function plain(line: string): string {
  return line.replaceAll(/\p{C}+/gu, ' ');
}

/** Returns a text of several lines, each made plain. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}
