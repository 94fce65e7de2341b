import { MONEY } from '../../compose/copy/brief/offer.js';
import { withoutEnd } from '../../compose/copy/text.js';

/** A price that a command names: with the words around it, its amount, and whether it is added to those that are there. */
type NamedPrice = { readonly value: string; readonly amount: string; readonly isAdded: boolean };

const ADD =
  'add|insert|put(?: in)?|include|show|display|state|give|füge?|ergänze?|zeige?|nenne?|setze?|ajoute[rz]?|affiche[rz]?|mets|mettez|indique[rz]?|añad[aei]r?|añade|agrega|agregue|pon|ponga|muestra|muestre|incluye';
const CHANGE =
  'change|set|update|replace|make|correct|ändere?|ersetze?|aktualisiere?|changez?|remplacez?|modifiez?|corrige[rz]?|cambia|cambie|actualiza|actualice|corrija';
const ARTICLE = '(?:(?:the|a|our|new|its|den|einen?|neuen|unseren|le|un|notre|nouveau|el|nuestro|nuevo)\\s+){0,2}';
const PRICE = '(?:price(?:\\s(?:line|tag))?|preis(?:zeile|angabe)?|prix|precio)';
const JOINT = '(?:\\s*[:：=]|\\s+(?:of|to|as|with|in|at|von|auf|zu|mit|de|à|par|a|en|por)(?=\\s))?';
const END = '(?:ergänzen|hinzufügen|hinzu|einfügen|zeigen|nennen|ein)';
const PATTERNS = [
  new RegExp(
    `^(?:(?:please|bitte|also|auch|por favor)\\s+)*(?:(?<add>${ADD})|(?:${CHANGE}))\\s+${ARTICLE}${PRICE}${JOINT}\\s+(?<value>\\S.{0,60})$`,
    'iu',
  ),
  new RegExp(
    `^(?<add>(?:(?:please|bitte|also|por favor)\\s+)*(?:${ADD}))\\s+(?<value>\\S.{0,40}?)\\s+(?:as|als|comme|como)\\s+${ARTICLE}${PRICE}$`,
    'iu',
  ),
  new RegExp(`^(?:bitte\\s+)?${ARTICLE}${PRICE}\\s+(?<add>${END})\\s*:?\\s+(?<value>\\S.{0,60})$`, 'iu'),
];
/** Words around an amount that are part of a price: "from", "per month". */
const AROUND = /^(?:\p{L}+\s?){0,3}$|^(?:\/|\p{L}|\.|\s){0,20}$/u;

/** Returns the price that a command adds or changes; undefined for any other. */
export function readPrice(command: string): NamedPrice | undefined {
  const text = withoutEnd(command.trim(), /[.!\s]/u);
  const match = PATTERNS.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  const value = withoutEnd(match?.value?.trim() ?? '', /["”“'’\s]/u);
  const amount = MONEY.exec(value);
  if (amount === null) return undefined;
  const [before, behind] = [value.slice(0, amount.index).trim(), value.slice(amount.index + amount[0].length).trim()];
  const isPrice =
    before.length <= MAX_AROUND_CHARS &&
    behind.length <= MAX_AROUND_CHARS &&
    AROUND.test(before) &&
    AROUND.test(behind);
  return isPrice ? { value, amount: amount[0].trim(), isAdded: match?.add !== undefined } : undefined;
}

const MAX_AROUND_CHARS = 24;

/** Returns the different amounts of money in texts. */
export function listPrices(texts: readonly string[]): readonly string[] {
  const all = new RegExp(MONEY, 'giu');
  return [...new Set(texts.flatMap((text) => (text.match(all) ?? []).map((amount) => amount.trim())))];
}
