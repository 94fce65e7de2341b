import type { Offering } from '../brand.js';
import { findForbidden } from './brief/forbidden.js';
import type { BriefUnderstanding } from './brief/model.js';
import { understandBrief } from './brief/understanding.js';
import { type CopyOrder, chooseOffering } from './copy.js';
import { detectLanguage, tellLanguage } from './language/detect.js';
import { tableOf } from './language/index.js';
import type { LanguageTable } from './language/table.js';
import { plainText } from './text.js';

/** An order that was read: what the texts of the ad are chosen from. */
export type Material = {
  readonly order: CopyOrder;
  readonly offering: Offering | undefined;
  /** The words that the brief is read with, and those of the ad. */
  readonly reading: LanguageTable;
  readonly words: LanguageTable;
  readonly brief: BriefUnderstanding;
};

/** Returns an order as it is understood. */
export function readOrder(order: CopyOrder): Material {
  const { brand, message = '' } = order;
  const text = plainText(message);
  const offering = chooseOffering(text, brand.offerings);
  const usual =
    tellLanguage(text) === undefined ? detectLanguage([offering?.description, brand.tagline].join(' ')) : undefined;
  const brief = understandBrief(message, { brandName: brand.name, language: order.language ?? usual });
  return { order, offering, brief, reading: tableOf(brief.readIn), words: tableOf(brief.language) };
}

/** Whether a brief allows a text. */
export function isAllowed(text: string, { brief, reading }: Pick<Material, 'brief' | 'reading'>): boolean {
  return findForbidden(text, brief.forbidden, reading) === undefined;
}
