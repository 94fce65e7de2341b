import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { serveAssets } from './asset-server.js';
import { temporaryFolder } from './surroundings.js';

const run = promisify(execFile);
const ESPEAK = ['/usr/bin/espeak-ng', '/usr/local/bin/espeak-ng'].find(existsSync);

/** What tests that are skipped without a voice are named behind. */
export const NEEDS_VOICE = ESPEAK !== undefined ? '' : 'SKIPPED, espeak-ng is not installed: ';

/** Voices by the writing of a text. */
const VOICES: readonly (readonly [letters: RegExp, voice: string])[] = [
  [/\p{Script=Arabic}/u, 'ar'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
];

/** An endpoint that speaks, and what it was asked to say. */
export type VoiceServer = { readonly baseUrl: string; readonly spoken: readonly string[] };

/** Starts a server that speaks texts as OpenAI's `/audio/speech` does, with espeak-ng behind it. Closed after its use. */
export async function serveVoice(): Promise<VoiceServer> {
  const spoken: string[] = [];
  const folder = temporaryFolder('seller-agent-voice-');
  const { origin } = await serveAssets({
    '/v1/audio/speech': async (request, response) => {
      const chunks = await request.toArray();
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly input: string };
      const file = path.join(folder, `${spoken.push(input)}.wav`);
      const voice = VOICES.find(([letters]) => letters.test(input))?.[1] ?? 'en-gb';
      await run(ESPEAK ?? 'espeak-ng', ['-v', voice, '-w', file, input]);
      response.setHeader('content-type', 'audio/wav').end(await readFile(file));
    },
  });
  return { baseUrl: `${origin}/v1`, spoken };
}
