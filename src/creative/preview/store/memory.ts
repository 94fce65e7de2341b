import { Written } from '../../../platform/kernel/json/json.js';
import type { Catalog } from '../../formats/files/load-catalog.js';

/** An answer and until when (ms) the same question has it. */
export type Remembered = { readonly answer: Written; readonly untilMs: number };

/** Answers a question from memory, or by `answer`, which is then remembered. What `answer` throws is thrown, and not remembered. */
export type PreviewMemory = (
  question: string,
  nowMs: number,
  answer: () => Promise<Remembered>,
) => Promise<Remembered['answer']>;

/** How much the answers about one catalog may take together. */
const MAX_BYTES = 16 * 1024 ** 2;

/** Bytes, not texts: what is held for hours would otherwise be copied about by the garbage collection. */
type Held = { readonly text: Buffer; readonly untilMs: number };

const memories = new WeakMap<Catalog, PreviewMemory>();

/** The memory of previews of these formats; an edit of the formats makes a new catalog, of which nothing is remembered. */
export function memoryOf(catalog: Catalog): PreviewMemory {
  const known = memories.get(catalog);
  if (known !== undefined) return known;
  const memory = createPreviewMemory();
  memories.set(catalog, memory);
  return memory;
}

/** A memory of at most so many bytes; the answer asked for longest ago goes first, and one that fills half of it is not held. */
export function createPreviewMemory(maxBytes = MAX_BYTES): PreviewMemory {
  const kept = new Map<string, Held>();
  let bytes = 0;

  function drop(question: string): Held | undefined {
    const dropped = kept.get(question);
    kept.delete(question);
    bytes -= dropped === undefined ? 0 : sizeOf(question, dropped);
    return dropped;
  }

  function hold(question: string, held: Held): void {
    drop(question);
    if (sizeOf(question, held) > maxBytes / 2) return;
    kept.set(question, held);
    bytes += sizeOf(question, held);
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      drop(oldest);
    }
  }

  return async (question, nowMs, make) => {
    const known = drop(question);
    if (known !== undefined && nowMs < known.untilMs) {
      hold(question, known);
      return new Written(known.text.toString());
    }
    const { answer, untilMs } = await make();
    if (nowMs < untilMs) hold(question, { text: Buffer.from(answer.plain), untilMs });
    return answer;
  };
}

function sizeOf(question: string, { text }: Held): number {
  return question.length * 2 + text.length;
}
