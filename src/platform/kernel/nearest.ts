/** Longest word that is compared: what is longer is no misspelt name. */
const MAX_WORD_CHARACTERS = 128;

/** Shortest beginning of a name that tells which one is meant. */
const MIN_STEM_CHARACTERS = 3;

/** Returns the candidate that a misspelt word most likely means, or undefined when none is close. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_WORD_CHARACTERS) return undefined;
  const wanted = plain(word);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns the name that another most likely means: a near one, else one that goes on behind it, as `status_filter` for `status`. */
export function findMeantName(name: string, names: Iterable<string>): string | undefined {
  const all = [...names];
  const near = findNearest(name, all);
  const stem = name.toLowerCase().replace(/s$/, '');
  if (near !== undefined || stem.length < MIN_STEM_CHARACTERS) return near;
  return all.find((one) => one.startsWith(`${stem}_`) || one.startsWith(`${stem}s_`));
}

/** Returns a list for a sentence, quoted and cut short after `limit` names. */
export function quoteNames(names: readonly string[], limit = 12): string {
  const shown = names.slice(0, limit).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const swap = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current[column] = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, swap);
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
