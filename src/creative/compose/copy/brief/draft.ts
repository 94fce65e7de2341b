import type { Action } from '../language/table.js';
import { type Forbidden, readForbidden } from './forbidden.js';
import type { Statement } from './model.js';
import { hasQuote, listQuotes } from './quotes.js';
import type { Vocabulary } from './vocabulary.js';

/** The reading of one brief so far. */
export class Draft {
  readonly words: Vocabulary;
  headline: string | undefined;
  body: string | undefined;
  button: string | undefined;
  action: Action | undefined;
  product: string | undefined;
  /** Whether a label named the product. */
  isLabelled = false;
  isNew = false;
  hasOrder = false;
  deadline: string | undefined;
  code: string | undefined;
  slogan: string | undefined;
  readonly audience: string[] = [];
  readonly tone: string[] = [];
  readonly legal: string[] = [];
  readonly forbidden: Forbidden[] = [];
  readonly statements: Statement[] = [];
  /** What is behind the label of the product: messages come before it. */
  readonly described: Statement[] = [];

  constructor(words: Vocabulary) {
    this.words = words;
  }

  /** Takes a sentence for the ad. */
  state(sentence: string, isMust: boolean): void {
    const all = this.words.clausesOf(sentence);
    const clauses = all.filter(({ isAside }) => !isAside);
    if (clauses.length === 0) return;
    const text =
      clauses.length === all.length ? this.words.address(sentence) : clauses.map(({ whole }) => whole).join(', ');
    this.statements.push({ text, clauses, isMust });
  }

  /** Takes what a sentence bans. */
  forbid(sentence: string, isList: boolean): void {
    this.forbidden.push(
      readForbidden(this.words.plain(sentence), {
        quoted: listQuotes(sentence, this.words.quotes),
        isList,
        tables: this.words.tables,
      }),
    );
  }

  /** Takes what has to be in the ad, unless it is about the picture or the button. */
  require(text: string): void {
    if (hasQuote(text)) {
      for (const quote of listQuotes(text, this.words.quotes)) this.require(quote);
      return;
    }
    const never = this.words.findNever(text);
    if (never !== undefined) {
      this.forbid(text.slice(never), false);
      return;
    }
    const isVisual = this.words.tables.some(
      ({ mentions }) => mentions.tone?.test(text) === true || mentions.action?.test(text) === true,
    );
    if (this.words.isLegal(text)) this.legal.push(this.words.plain(text));
    else if (!isVisual) this.state(text, true);
  }
}
