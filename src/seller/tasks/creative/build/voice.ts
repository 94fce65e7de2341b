import { openSpeech, type Speak } from '../../../../creative/media/speech.js';
import type { App, Call } from '../../../context.js';

/** Returns what speaks texts for a tenant, each once; undefined where it names no endpoint for speech. */
export function openVoice(app: App, { seller: { tenant } }: Call): Speak | undefined {
  const { speech, path } = tenant;
  if (speech === undefined) return undefined;
  const speak = openSpeech(speech, app.renderer().outbound.fetch);
  const spoken = new Map<string, Promise<Uint8Array>>();
  return (text) => {
    const audio =
      spoken.get(text) ??
      speak(text).catch((cause: unknown) => {
        // Its message alone: the request holds the key, the answer is a stranger's.
        const reason = cause instanceof Error ? cause.message : 'unknown';
        app.log.warn({ tenant: path, reason }, 'the speech endpoint failed; nothing was spoken');
        throw cause;
      });
    spoken.set(text, audio);
    return audio;
  };
}
