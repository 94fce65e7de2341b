import {
  collectTexts,
  MAX_TRANSLATED_CHARS,
  replaceTexts,
  translateTexts,
} from '../../../../creative/compose/copy/translate.js';
import { type Manifest, readManifest } from '../../../../creative/formats/manifest.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { App, Call } from '../../../context.js';

/** Translates the texts of a manifest into a language. */
export type Translator = (source: Manifest, language: string) => Promise<Manifest>;

/**
 * Returns a translator that asks the tenant's text endpoint, once for each language. It throws VALIDATION_ERROR for a creative without
 * texts or with too many, SERVICE_UNAVAILABLE where the endpoint fails.
 */
export function openTranslator(app: App, { seller: { tenant } }: Call): Translator {
  const made = new Map<string, Promise<readonly string[]>>();
  return async (source, language) => {
    const texts = collectTexts(source.assets);
    checkTexts(texts);
    const { llm } = tenant;
    if (llm === undefined) throw new Error('a translation needs a text endpoint');
    const key = JSON.stringify([language, texts]);
    const asked =
      made.get(key) ?? translateTexts({ ...llm, ask: app.renderer().outbound.fetch }, texts, language).catch(refuse);
    made.set(key, asked);
    const rest = [...(await asked)];
    const assets = replaceTexts(source.assets, (text) => rest.shift() ?? text);
    return readManifest({ ...source, assets }, 'creative_manifest');
  };

  function refuse(cause: unknown): never {
    // Its message alone: the request holds the key, the answer is a stranger's.
    const reason = cause instanceof Error ? cause.message : 'unknown';
    app.log.warn({ tenant: tenant.path, reason }, 'the text endpoint failed; nothing was translated');
    throw new TaskError('SERVICE_UNAVAILABLE', 'The texts could not be translated now.', {
      field: 'transformer_id',
      suggestion: 'Send the request again later, under another idempotency key.',
    });
  }
}

function checkTexts(texts: readonly string[]): void {
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  if (chars > 0 && chars <= MAX_TRANSLATED_CHARS) return;
  const message =
    chars === 0 ? 'The creative has no texts.' : `The texts have more than ${MAX_TRANSLATED_CHARS} characters.`;
  throw new TaskError('VALIDATION_ERROR', message, {
    field: 'creative_manifest.assets',
    suggestion: `Send a creative with texts of at most ${MAX_TRANSLATED_CHARS} characters together.`,
  });
}
