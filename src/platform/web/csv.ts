/** What spreadsheets take for the beginning of a formula, in the writing of Latin letters and in that of Chinese and Japanese ones. */
const FORMULA = /^\s*[=+\-@＝＋－＠|]|^[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** A spreadsheet takes no more in a cell. */
const MAX_CELL_CHARS = 32_000;

/** Returns rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula is marked as text, one that is too long for a cell is cut and says so. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `${rows.map((row) => row.map((value) => cell(String(value))).join(',')).join('\r\n')}\r\n`;
}

function cell(value: string): string {
  // A terminal that shows the file obeys no cell of it.
  const text = value.replaceAll(/\p{C}/gu, (char) => ('\t\r\n'.includes(char) ? char : ' '));
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  const cut = safe.length > MAX_CELL_CHARS ? `${safe.slice(0, MAX_CELL_CHARS)} (cut: ${safe.length} characters)` : safe;
  // Some spreadsheets divide at semicolons and tabs too, and begin a cell behind them.
  return /[",;\t\r\n]/.test(cut) ? `"${cut.replaceAll('"', '""')}"` : cut;
}
