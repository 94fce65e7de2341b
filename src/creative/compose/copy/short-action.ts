import { tableOf } from './language/index.js';
import type { CopyLanguage } from './language/table.js';

/** Returns the shortest usual words for what a call to action asks for, in the language of the ad; undefined where they are not shorter. */
export function shortenAction(callToAction: string, language: CopyLanguage): string | undefined {
  const { signs, actions } = tableOf(language);
  const action = signs.find(([sign]) => sign.test(callToAction))?.[1] ?? 'learn';
  const short = actions[action].at(-1) ?? '';
  const isAlike = LATIN.test(short) === LATIN.test(callToAction);
  return isAlike && short.length < callToAction.length ? short : undefined;
}

/** Words of another writing than the button's would need another font. */
const LATIN = /\p{Script=Latin}/u;
