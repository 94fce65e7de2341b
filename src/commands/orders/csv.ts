/** A line of a CSV file that cannot be read; its number counts from 1. */
class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A record of a CSV file, and the line that it begins on. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] };

/** The most characters of one record. */
const MAX_RECORD_CHARS = 16_384;

/**
 * Reads the records of a CSV text (RFC 4180) as it comes in; empty lines are left out. Throws CsvError for a record that is too long,
 * and for a quote that does not end.
 */
export async function* readCsv(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader();
  for await (const chunk of chunks) yield* reader.push(chunk);
  yield* reader.end();
}

class CsvReader {
  #line = 1;
  #startLine = 1;
  #fields: string[] = [];
  #field = '';
  #chars = 0;
  #isQuoted = false;
  /** A quote within quotes was read: it ends them unless another one follows. */
  #isAfterQuote = false;
  #isFirst = true;

  *push(chunk: string): Generator<CsvRecord> {
    for (const char of this.#isFirst && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk) {
      const record = this.#read(char);
      if (record !== undefined) yield record;
    }
    this.#isFirst &&= chunk === '';
  }

  *end(): Generator<CsvRecord> {
    if (this.#isQuoted && !this.#isAfterQuote) throw new CsvError(this.#startLine, 'a quote does not end');
    const record = this.#endRecord();
    if (record !== undefined) yield record;
  }

  #read(char: string): CsvRecord | undefined {
    this.#chars += 1;
    if (this.#chars > MAX_RECORD_CHARS)
      throw new CsvError(this.#startLine, `it is longer than ${MAX_RECORD_CHARS} characters`);
    if (this.#isQuoted) return this.#readQuoted(char);
    if (char === '"' && this.#field === '') {
      this.#isQuoted = true;
      return undefined;
    }
    return this.#readPlain(char);
  }

  #readQuoted(char: string): CsvRecord | undefined {
    if (char === '"') {
      if (this.#isAfterQuote) this.#field += '"';
      this.#isAfterQuote = !this.#isAfterQuote;
      return undefined;
    }
    if (!this.#isAfterQuote) {
      if (char === '\n') this.#line += 1;
      this.#field += char;
      return undefined;
    }
    this.#isQuoted = false;
    this.#isAfterQuote = false;
    return this.#readPlain(char);
  }

  #readPlain(char: string): CsvRecord | undefined {
    if (char === '\n') {
      this.#line += 1;
      return this.#endRecord();
    }
    if (char === ',') {
      this.#fields.push(this.#field.trim());
      this.#field = '';
    } else if (char !== '\r') this.#field += char;
    return undefined;
  }

  #endRecord(): CsvRecord | undefined {
    const fields = [...this.#fields, this.#field.trim()];
    const record = fields.length === 1 && fields[0] === '' ? undefined : { line: this.#startLine, fields };
    this.#fields = [];
    this.#field = '';
    this.#chars = 0;
    this.#isQuoted = false;
    this.#isAfterQuote = false;
    this.#startLine = this.#line;
    return record;
  }
}
