const BUTTON =
  '(?:button|cta|call[- ]to[- ]action|knopf|bouton|botón|bottone|pulsante|botão|knop|przycisk|кнопк\\p{L}+)';
const SAYS =
  '(?:(?:text |copy )?(?:should|must|has to|needs to) (?:say|read|be)|says|reads|saying|reading|labelled|soll (?:heißen|lauten)|doit (?:dire|afficher)|debe decir|que diga|ponga|diga|lleve|con (?:el texto|la scritta)|deve (?:dire|dizer)|com o texto)';
const EXISTS =
  '(?:(?:there )?(?:should|must) be|it needs|add|use|mit (?:dem|einem)|avec (?:le|un)|con (?:el|un|il)|deve esserci|ci (?:vuole|deve essere)|debe haber|com o)';
const WORDS = '(?<words>\\p{Lu}[^.!?\\n"“”«»:,]{1,30})';
const PATTERNS = [
  new RegExp(`^${BUTTON}\\s+(?:[-–—]\\s+)?${WORDS}[.!]?$`, 'iu'),
  new RegExp(`(?<!\\p{L})${BUTTON}\\s+${SAYS}\\s*:?\\s+${WORDS}[.!]?$`, 'iu'),
  new RegExp(`^${EXISTS}\\s+(?:(?:an?|the|un|il|el|ein|einen|le|o)\\s+)?${BUTTON}\\s+${WORDS}[.!]?$`, 'iu'),
];

/** Returns the words that a sentence gives a button without quotation marks, which begin with a capital letter; undefined where it gives none. */
export function readButtonWords(sentence: string): string | undefined {
  const words = PATTERNS.map((pattern) => pattern.exec(sentence.trim())?.groups?.words).find(
    (one) => one !== undefined && /^\p{Lu}/u.test(one),
  );
  return words?.trim();
}
