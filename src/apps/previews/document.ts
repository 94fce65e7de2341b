import type { Host } from '../host/host.js';

/** The address of a file in the document of a preview. */
const FILE = /https?:\/\/[^"'\s)]+\/previews\/media\/([\w.-]+)/g;

/** Most that is read through the host for one answer, in characters of base64; what comes later is looked at on its page. */
const MAX_MEDIA_CHARACTERS = 24 * 1024 * 1024;

/** Reads files of previews through the host, each once, as addresses that hold them. */
export class MediaReader {
  readonly #host: Host;
  readonly #files = new Map<string, Promise<string | undefined>>();
  #last: Promise<unknown> = Promise.resolve();
  #characters = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Returns the address that holds a file; undefined for one that does not come. */
  read(name: string): Promise<string | undefined> {
    const before = this.#files.get(name);
    if (before !== undefined) return before;
    // One after another, so that what was read bounds what is asked for.
    const read = this.#last.then(() => this.#load(name));
    this.#last = read;
    this.#files.set(name, read);
    return read;
  }

  async #load(name: string): Promise<string | undefined> {
    if (this.#characters > MAX_MEDIA_CHARACTERS) return undefined;
    const file = await this.#host.readResource(`ui://seller-agent/media/${name}`).catch(() => undefined);
    if (file?.blob === undefined) return undefined;
    this.#characters += file.blob.length;
    return `data:${file.mimeType};base64,${file.blob}`;
  }
}

/** Returns a document with its files in it; undefined where one of them does not come. */
export async function withMedia(html: string, media: MediaReader): Promise<string | undefined> {
  const files = new Map<string, string>();
  for (const [, name = ''] of html.matchAll(FILE)) {
    const address = await media.read(name);
    if (address === undefined) return undefined;
    files.set(name, address);
  }
  return html.replaceAll(FILE, (_address, name: string) => files.get(name) ?? '');
}

/** The size that a creative is shown in, px, and whether it is played. */
export type Box = { readonly width: number; readonly height: number; readonly isPlayer?: boolean };

/** Sizes of what has none of its own, by the kind that the body of its document names. */
const BOXES: Readonly<Record<string, Box>> = {
  video: { width: 640, height: 360, isPlayer: true },
  audio: { width: 400, height: 240, isPlayer: true },
};

/** Returns the size for the document of a creative that has none of its own. */
export function boxOf(html: string): Box {
  const [, kind = ''] = /<body class="(\w+)"/.exec(html) ?? [];
  return BOXES[kind] ?? { width: 300, height: 250 };
}
