/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Returns rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula is marked as text. */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `${rows.map((row) => row.map((value) => cell(String(value))).join(',')).join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
