import { existsSync } from 'node:fs';

/**
 * The folder of the package. Looked for from where this code lies: the build folds the command's files together, so that none may
 * count the steps up from its own.
 */
const ROOT = rootAbove(new URL('.', import.meta.url));

/** Returns the URL of a file or folder that comes with the package, such as `pages/preview.css`; without a path the package itself. */
export function packageFile(path = ''): URL {
  return new URL(path, ROOT);
}

function rootAbove(folder: URL): URL {
  const above = new URL('..', folder);
  if (existsSync(new URL('package.json', folder)) || above.href === folder.href) return folder;
  return rootAbove(above);
}
