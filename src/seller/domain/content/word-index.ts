import { startPace } from '../../../platform/kernel/event-loop.js';
import { splitWords } from './artifact.js';

/** So many words are matched between two looks at the clock. */
const WORDS_A_LOOK = 256;

type Node = { readonly next: Map<string, Node>; readonly entries: Set<string> };

/** Words and phrases, each in the name of something, found in texts in one pass however many there are. */
export class WordIndex {
  readonly #root: Node = makeNode();

  /** Adds a word or phrase in the name of `owner`. */
  add(owner: string, phrase: string): void {
    const words = splitWords(phrase);
    if (words.length === 0) return;
    let node = this.#root;
    for (const word of words) {
      const next = node.next.get(word) ?? makeNode();
      node.next.set(word, next);
      node = next;
    }
    node.entries.add(owner);
  }

  /** Returns the phrases that occur in the texts, by owner; a plural in "s" counts as its word. Gives way to the event loop. */
  async find(texts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const matches = new Map<string, Set<string>>();
    const pace = startPace();
    for (const text of texts) {
      const words = splitWords(text);
      for (let from = 0; from < words.length; from += 1) {
        this.#matchAt(words, from, matches);
        if (from % WORDS_A_LOOK === 0 && pace.isDue()) await pace.rest();
      }
    }
    return new Map([...matches].map(([owner, phrases]) => [owner, [...phrases]]));
  }

  #matchAt(words: readonly string[], from: number, found: Map<string, Set<string>>): void {
    let node: Node | undefined = this.#root;
    for (let at = from; node !== undefined && at < words.length; at += 1) {
      const word: string = words[at] ?? '';
      const singular = word.endsWith('s') ? word.slice(0, -1) : word;
      node = node.next.get(word) ?? node.next.get(singular);
      for (const owner of node?.entries ?? []) {
        const phrases = found.get(owner) ?? new Set();
        found.set(owner, phrases.add(words.slice(from, at + 1).join(' ')));
      }
    }
  }
}

function makeNode(): Node {
  return { next: new Map(), entries: new Set() };
}
