import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteValue } from '../../documents/finding.js';
import { publisherDomain } from '../../model/domains.js';
import { objectsOf } from '../agent-card.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { type AnsweredPages, type AnsweredRead, type JsonObject, SENT_CONTEXT, type TaskAnswer } from '../evidence.js';
import { isTextProse, textFaults } from '../result-text.js';
import { shapeFaults } from '../shape.js';
import { describeExchange, errorOf, isRefused } from '../task-error.js';
import { textsOf } from '../texts.js';

/** Milliseconds after which people take a read for broken. */
const SLOW_MS = 5000;

/** What the tasks answer that read, each called once as a buyer calls it. */
export const READ_CHECKS: readonly Check[] = [
  check({
    id: 'reads.served',
    severity: 'error',
    needs: ['reads'],
    rule: 'A tool that is listed is served: it answers, or refuses by an error object of the protocol.',
    reference: REFERENCES.tools,
    fix: 'Serve the tool, or take it off tools/list; log what made it fail.',
    judge: ({ reads }) =>
      reads.flatMap(({ answer }) => describeUnserved(answer).map((seen) => `${answer.task}: ${seen}`)),
  }),
  check({
    id: 'reads.shape',
    severity: 'error',
    needs: ['reads'],
    rule: 'An answer has every member that its public schema requires, each of its type and among its words.',
    reference: REFERENCES.schemas,
    fix: 'Check every answer by the public schema of its task before it is sent.',
    judge: ({ reads }) =>
      listAnswered(reads).flatMap(({ answer, payload, read: { shape } }) =>
        firstOfEach(shapeFaults(payload, shape)).map((fault) => `${answer.task}: ${fault}`),
      ),
  }),
  check({
    id: 'reads.text',
    severity: 'error',
    needs: ['reads'],
    rule: 'The text of a result and its structured content say the same.',
    reference: REFERENCES.tools,
    fix: 'Write the payload once, and send it as text and as structuredContent.',
    judge: ({ reads }) =>
      listAnswered(reads).flatMap(({ answer }) => textFaults(answer).map((seen) => `${answer.task}: ${seen}`)),
  }),
  check({
    id: 'reads.prose',
    severity: 'warning',
    needs: ['capabilities'],
    rule: 'The first text of a result is its payload as JSON: clients that know no structured content read that.',
    reference: REFERENCES.tools,
    fix: 'Send the payload as JSON in the first text too; a sentence for people may follow in a second one.',
    judge: ({ capabilities, reads = [] }) =>
      [capabilities, ...reads.map(({ answer }) => answer)]
        .filter(isTextProse)
        .map(({ task }) => `${task}: the first text is no JSON.`),
  }),
  check({
    id: 'reads.context',
    severity: 'error',
    needs: ['reads'],
    rule: 'The context of a request comes back as it was sent, in the answer of every task.',
    reference: REFERENCES.envelope,
    fix: 'Copy "context" into every answer, unread, in one place for all tasks.',
    judge: ({ reads }) =>
      listAnswered(reads).flatMap(({ answer: { task }, payload }) =>
        faultsOf([!isDeepStrictEqual(payload.context, SENT_CONTEXT), `${task}: it is ${quoteValue(payload.context)}.`]),
      ),
  }),
  check({
    id: 'reads.replayed',
    severity: 'error',
    needs: ['reads'],
    rule: 'An answer says "replayed": true only where it was given before, under the same idempotency_key.',
    reference: REFERENCES.idempotency,
    fix: 'Set replayed where an answer comes from the store of keys, and nowhere else.',
    judge: ({ reads }) =>
      listAnswered(reads).flatMap(({ answer: { task }, payload }) =>
        faultsOf([payload.replayed === true, `${task} was asked without a key, and is "replayed".`]),
      ),
  }),
  check({
    id: 'reads.products',
    severity: 'error',
    needs: ['reads'],
    rule: 'A product_id names one product, and a pricing_option_id one price of it.',
    reference: REFERENCES.schemas,
    fix: 'Give every product and every price of a product an id of its own: orders name them by it.',
    judge: ({ reads }) => {
      const products = productsOf(reads);
      if (products.length === 0) return 'not_applicable';
      return [
        ...repeated(products, 'product_id').map((id) => `${quoteValue(id)} is the product_id of two products.`),
        ...products.flatMap(({ pricing_options, product_id }) =>
          repeated(objectsOf(pricing_options), 'pricing_option_id').map(
            (id) => `${quoteValue(product_id)} has two prices ${quoteValue(id)}.`,
          ),
        ),
      ];
    },
  }),
  check({
    id: 'reads.portfolio',
    severity: 'warning',
    needs: ['reads', 'declared'],
    rule: 'Products are of the publishers that the portfolio names: buyers ask their adagents.json whether the agent may sell them.',
    reference: REFERENCES.capabilities,
    fix: 'Add the domain to media_buy.portfolio.publisher_domains once the publisher names the agent, or leave the product out.',
    judge: ({ declared, reads }) => {
      const mediaBuy = isObject(declared.media_buy) ? declared.media_buy : {};
      const portfolio = isObject(mediaBuy.portfolio) ? mediaBuy.portfolio : {};
      const named = new Set(textsOf(portfolio.publisher_domains).map(publisherDomain));
      const products = productsOf(reads);
      if (named.size === 0 || products.length === 0) return 'not_applicable';
      const sold = products.flatMap(({ publisher_properties }) => objectsOf(publisher_properties));
      const domains = new Set(sold.flatMap(({ publisher_domain: one }) => (typeof one === 'string' ? one : [])));
      return [...domains]
        .filter((domain) => !named.has(publisherDomain(domain)))
        .map((domain) => `Products are of ${quoteValue(domain)}, which the portfolio does not name.`);
    },
  }),
  check({
    id: 'reads.pages',
    severity: 'error',
    needs: ['pages'],
    rule: 'A page has no more items than max_results, a cursor where has_more is true and none else, and the cursor leads to the items that come after it.',
    reference: REFERENCES.pagination,
    fix: 'Answer "pagination": {"has_more", "cursor"}; let the cursor say after which item the next page begins.',
    judge: ({ pages }) => pages.flatMap((one) => pageFaults(one).map((seen) => `${one.read.task}: ${seen}`)),
  }),
  check({
    id: 'speed.reads',
    severity: 'warning',
    needs: ['responses'],
    rule: 'What reads is answered within seconds, tools/list too: a buyer’s program waits, and gives up.',
    reference: REFERENCES.tools,
    fix: 'Answer from an index or a cache; what takes longer is answered as submitted, and told by webhook.',
    judge: ({ reads = [], responses }) => [
      ...responses.flatMap(({ request, tookMs }) =>
        request === 'tools/list' && tookMs > SLOW_MS ? `${request} took ${tookMs} ms.` : [],
      ),
      ...reads.flatMap(({ answer: { exchange, task } }) =>
        exchange.ok ? faultsOf([exchange.tookMs > SLOW_MS, `${task} took ${exchange.tookMs} ms.`]) : [],
      ),
    ],
  }),
];

/** Returns what a tool answers that is listed and not there. A limit or a lack of credentials is another matter. */
function describeUnserved({ exchange, payload, ...answer }: TaskAnswer): readonly string[] {
  if (!exchange.ok) return [describeExchange(exchange)];
  if ([401, 403, 429].includes(exchange.status)) return [];
  if (payload === undefined) return [describeExchange(exchange)];
  if (!isRefused({ exchange, payload, ...answer })) return [];
  const { code, message } = errorOf(payload) ?? {};
  return faultsOf(
    [code === undefined, 'It fails, and says no code.'],
    [/unknown tool/i.test(String(message)), `It is refused as ${quoteValue(message)}.`],
    [exchange.status >= 500, `It is answered ${exchange.status}.`],
  );
}

/** Returns one fault of each member, with how many items of the list have it: what is wrong in one is wrong in most. */
function firstOfEach(faults: readonly string[]): readonly string[] {
  const byMember = new Map<string, string[]>();
  for (const fault of faults) {
    const member = fault.split(' ')[0]?.replace(/\[\d+\]/g, '[]') ?? '';
    byMember.set(member, [...(byMember.get(member) ?? []), fault]);
  }
  return [...byMember.values()].map(([first = '', ...more]) =>
    more.length === 0 ? first : `${first} So it is in ${more.length} more places.`,
  );
}

type AnsweredPayload = AnsweredRead & { readonly payload: JsonObject };

/** Returns the reads that came to an answer of the task itself. */
function listAnswered(reads: readonly AnsweredRead[]): readonly AnsweredPayload[] {
  return reads.flatMap((one) => {
    const { answer } = one;
    const isLater = answer.payload?.status === 'submitted' || answer.payload?.status === 'working';
    return answer.payload === undefined || isLater || isRefused(answer) ? [] : [{ ...one, payload: answer.payload }];
  });
}

function productsOf(reads: readonly AnsweredRead[]): readonly JsonObject[] {
  return listAnswered(reads).flatMap(({ answer: { task }, payload }) =>
    task === 'get_products' ? objectsOf(payload.products) : [],
  );
}

function repeated(items: readonly JsonObject[], member: string): readonly unknown[] {
  const all = items.map((item) => item[member]).filter((id) => id !== undefined);
  return [...new Set(all.filter((id, index) => all.indexOf(id) !== index))];
}

function pageFaults({ answer, next, read }: AnsweredPages): readonly string[] {
  const { page } = read;
  if (page === undefined || answer.payload === undefined || isRefused(answer)) return [];
  const items = objectsOf(answer.payload[page.list]);
  const { pagination } = answer.payload;
  if (!isObject(pagination)) return faultsOf([items.length > 1, `max_results is 1, and ${items.length} came.`]);
  const { cursor, has_more } = pagination;
  const id = items[0]?.[page.id];
  const [second] = next === undefined ? [] : objectsOf(next.payload?.[page.list]);
  return faultsOf(
    [items.length > 1, `max_results is 1, and ${items.length} came.`],
    [typeof has_more !== 'boolean', `has_more is ${quoteValue(has_more)}.`],
    [has_more === true && typeof cursor !== 'string', `has_more is true, and cursor is ${quoteValue(cursor)}.`],
    [has_more === false && items.length === 1, 'has_more is false, and more came without max_results.'],
    [
      next?.exchange.ok === true && next.exchange.status !== 429 && isRefused(next),
      'The cursor of the first page is refused.',
    ],
    [
      second !== undefined && isDeepStrictEqual(second[page.id], id),
      `The next page begins again with ${quoteValue(id)}.`,
    ],
  );
}
