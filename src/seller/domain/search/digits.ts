/** The zeros of digits that briefs are written with beside ASCII: Arabic, Persian, Devanagari, Thai, and the wide ones of East Asia. */
const ZEROS = '٠۰०๐０';

const FOREIGN_DIGITS = /[٠-٩۰-۹०-९๐-๙０-９]/gu;

/** Returns a text of the same length with its digits, and the Arabic marks between them, in ASCII. */
export function withAsciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGITS, asciiDigit).replaceAll('٬', ',').replaceAll('٫', '.');
}

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = [...ZEROS].map((each) => each.charCodeAt(0)).findLast((each) => each <= code && code <= each + 9);
  return zero === undefined ? digit : String(code - zero);
}
