import { domainName, publisherDomain } from '../model/domains.js';

/** The manager of the inventory by an ads.txt. */
type Managers = {
  /** The one that counts; undefined when no line names one. */
  readonly manager?: string;
  /** Lines that name a manager and do not count, each with the reason as the end of "it …". */
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
};

const MANAGER = /^\s*managerdomain\s*=\s*([^#]*)(#.*)?$/i;
/** What a manager writes who sells no agents' business: the line is for people and exchanges. */
const NO_AGENTS = /^#\s*noagents\b/i;
const MAX_SKIPPED = 20;

/**
 * Returns the manager that an ads.txt names: `MANAGERDOMAIN=host`, the last line that counts. Lines for one country alone, with
 * `#noagents`, without a domain or naming the publisher itself do not count.
 */
export function readManagers(text: string, publisher: string): Managers {
  const skipped: { readonly line: number; readonly why: string }[] = [];
  let manager: string | undefined;
  for (const [index, row] of text.split(/\r\n|\n|\r/).entries()) {
    const match = MANAGER.exec(row);
    if (match === null) continue;
    const [named = '', country] = (match[1] ?? '').split(',').map((part) => part.trim());
    const domain = domainName(named);
    const why = reasonToSkip(domain, country, match[2] ?? '', publisher);
    if (why === undefined && domain !== undefined) manager = publisherDomain(domain);
    else if (skipped.length < MAX_SKIPPED) skipped.push({ line: index + 1, why: why ?? '' });
  }
  return { manager, skipped };
}

function reasonToSkip(
  domain: string | undefined,
  country: string | undefined,
  comment: string,
  publisher: string,
): string | undefined {
  if (NO_AGENTS.test(comment)) return 'says #noagents';
  if (domain === undefined) return 'names no domain';
  if (country !== undefined && country !== '') return 'is for one country alone';
  return publisherDomain(domain) === publisher ? 'names the publisher itself' : undefined;
}
