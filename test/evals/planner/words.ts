/** Words that say nothing of what is meant. */
const EMPTY = new Set(
  'a an and are as at be by for from has have in into is it its no not of on one or that the their them this to was were what which why with you your'.split(
    ' ',
  ),
);

/** Returns the words of a text, without endings. */
export function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return words.filter((word) => !EMPTY.has(word)).map(stem);
}

/** Returns how many different words of a text are in another one. */
export function countShared(text: string, other: string): number {
  const there = new Set(wordsOf(other));
  return new Set(wordsOf(text).filter((word) => there.has(word))).size;
}

function stem(word: string): string {
  if (/[^s]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=.{3})(ing|ed|es|s)$/, '').replace(/(?<=.{3})e$/, '');
}
