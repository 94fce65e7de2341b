/** Gives Node 20 the `URL.parse` of the URL standard, which oidc-provider calls and later versions have. */
export function supplyUrlParse(): void {
  if ('parse' in URL) return;
  Object.defineProperty(URL, 'parse', { configurable: true, writable: true, value: parseUrl });
}

function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}
