/** Copies the fonts that ads are drawn with from their packages into `dist/fonts`, each family with its license. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { COPIED_FONTS, findFontFile } from '../dist/creative/compose/fonts/packaged-fonts.js';
import { BASE_FONT, DISPLAY_FONTS, FONT_WEIGHTS, SCRIPT_FONTS } from '../dist/creative/compose/fonts/scripts.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, COPIED_FONTS);
mkdirSync(folder, { recursive: true });

/** Those of writings with thousands of letters stay packages of their own, which whoever needs one installs. */
const isLarge = ({ package: name }) => /noto-sans-(hk|jp|kr|sc|tc)$/.test(name);

for (const font of [BASE_FONT, ...Object.values(DISPLAY_FONTS), ...SCRIPT_FONTS].filter((one) => !isLarge(one))) {
  for (const weight of FONT_WEIGHTS) {
    const file = findFontFile(font, weight);
    if (file === undefined) throw new Error(`${font.package} has no weight ${weight}`);
    if (path.dirname(file) !== folder) copyFileSync(file, path.join(folder, path.basename(file)));
  }
  const license = path.join(root, 'node_modules', font.package, 'LICENSE_FONT');
  if (!existsSync(license)) throw new Error(`${font.package} has no LICENSE_FONT`);
  copyFileSync(license, path.join(folder, `${font.family}-LICENSE.txt`));
}
