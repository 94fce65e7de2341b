const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9=-]+)*?(;base64)?,/i;

/** Whether an address carries its file in itself. */
export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

/** Returns the file that a data URL carries; undefined for one that cannot be read. */
export function dataBytes(url: string): Uint8Array | undefined {
  const match = DATA_URL.exec(url);
  if (match === null) return undefined;
  const text = url.slice(match[0].length);
  if (match[2] !== undefined) return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
