import type { TextEndpoint } from '../../platform/net/chat.js';

/** An OpenAI-compatible endpoint that speaks a text; `baseUrl` ends before `/audio/speech`. */
export type SpeechEndpoint = {
  readonly baseUrl: string;
  readonly model: string;
  readonly voice: string;
  readonly apiKey?: string | undefined;
  /** Longest wait in milliseconds. */
  readonly timeoutMs: number;
};

/** Returns the spoken text as a file. */
export type Speak = (text: string) => Promise<Uint8Array>;

/** Two minutes of what endpoints answer, in bytes. */
const MAX_SPEECH_BYTES = 32 * 1024 ** 2;

/** Returns what has texts spoken by an endpoint: WAV is asked for, what comes is for the probe to say. It throws when the endpoint fails or is late. */
export function openSpeech({ baseUrl, model, voice, apiKey, timeoutMs }: SpeechEndpoint, ask: TextEndpoint): Speak {
  const headers = { 'content-type': 'application/json', accept: 'audio/*' };
  return async (text) => {
    const { status, bytes } = await ask(`${baseUrl.replace(/\/+$/, '')}/audio/speech`, {
      method: 'POST',
      headers: apiKey === undefined ? headers : { ...headers, authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model, voice, input: text, response_format: 'wav' }),
      maxBytes: MAX_SPEECH_BYTES,
      timeoutMs,
      // The operator wrote the address, not the buyer.
      trusted: true,
    });
    if (status !== 200) throw new Error(`The speech endpoint answered ${status}.`);
    return bytes;
  };
}
