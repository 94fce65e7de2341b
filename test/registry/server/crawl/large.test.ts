import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../../src/platform/kernel/clock.js';
import { readAdagents } from '../../../../src/registry/adagents/adagents.js';
import type { RegistryEvent } from '../../../../src/registry/model/records.js';
import { projectAdagents } from '../../../../src/registry/server/crawl/apply/projection.js';
import { type CrawlContext, crawlPublisher } from '../../../../src/registry/server/crawl/publisher.js';
import { RegistryProblem } from '../../../../src/registry/server/service/problem.js';
import { openServiceContext, type ServiceContext } from '../context.js';

const DOMAIN = 'news.example';
const OWN = `https://${DOMAIN}/.well-known/adagents.json`;

/** A file of so many properties and agents by tag; `turn` says which properties are there and how they are named. */
const fileOf = (count: number, agents: number, turn = 0) => ({
  properties: Array.from({ length: count }, (_, index) => index)
    .filter((index) => turn === 0 || index % 7 !== turn)
    .map((index) => ({
      property_id: `site_${index}`,
      property_type: 'website',
      name: index % 5 === turn ? `Site ${index} of turn ${turn}` : `Site ${index}`,
      identifiers: [{ type: 'subdomain', value: `site-${index}.${DOMAIN}` }],
      tags: [`t${index % 10}`],
    })),
  authorized_agents: Array.from({ length: agents }, (_, index) => ({
    url: `https://agent${index + turn}.example/mcp`,
    authorized_for: 'everything',
    authorization_type: 'property_tags',
    property_tags: [`t${index % 10}`, `t${(index + turn) % 10}`],
  })),
});

/** What is held of the publisher, without what the registry adds: in one order, so that it can be compared. */
async function heldOf({ store }: Pick<ServiceContext, 'store'>) {
  const rows = await store.read.authorization.ofPublisher(DOMAIN, '', 20_000);
  const properties = await store.read.property.ofPublisher(DOMAIN, '', 20_000);
  const active = properties.filter(({ status }) => status === 'active');
  return {
    properties: active
      .map(({ identifiers, name, property_id, tags }) => [property_id, name, identifiers, tags])
      .sort(byText),
    rows: rows.map(({ agent_url, selectors }) => [agent_url, selectors]).sort(byText),
    agents: (await store.read.agent.page('', 20_000))
      .map(({ agent_url, property_count, publisher_count, tags }) => [agent_url, property_count, publisher_count, tags])
      .sort(byText),
  };
}

const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

/** Returns the records that a file must come to, by the plain rule. */
function wantedOf(file: object) {
  const { content } = readAdagents(JSON.stringify(file), { file: OWN, domain: DOMAIN, nowMs: 0 });
  if (content?.kind !== 'file') throw new Error('the file was not read');
  const projection = projectAdagents({ publisherDomain: DOMAIN, method: 'direct', url: OWN, file: content.file });
  const tagsOf = (url: string) =>
    new Set(
      projection.authorizations
        .filter(({ agent_url }) => agent_url === url)
        .flatMap(({ selectors = [] }) => selectors)
        .flatMap((selector) => (selector.selection_type === 'by_tag' ? selector.property_tags : [])),
    );
  const agents = [...new Set(projection.authorizations.map(({ agent_url }) => agent_url))].map((url) => {
    const tags = tagsOf(url);
    const covered = projection.properties.filter((property) => property.tags.some((tag) => tags.has(tag)));
    return [url, covered.length, 1, [...new Set(covered.flatMap((property) => property.tags))].sort()];
  });
  return {
    properties: projection.properties
      .map(({ identifiers, name, property_id, tags }) => [property_id, name, identifiers, tags])
      .sort(byText),
    rows: projection.authorizations.map(({ agent_url, selectors }) => [agent_url, selectors]).sort(byText),
    agents: agents.sort(byText),
  };
}

/** A service whose store fails for good behind so many transactions. */
function dying(service: ServiceContext, after: number): CrawlContext {
  let left = after;
  const transact: typeof service.store.transact = (action) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('killed')) : service.store.transact(action);
  };
  return { ...service, store: { ...service.store, transact } };
}

const inShort = ({ entity_id, event_type, payload }: RegistryEvent): string =>
  `${event_type} ${entity_id} ${payload.name} ${payload.status}`;

describe('a large file', () => {
  it('is read, compared and written so that the loop turns all the while, and its records are what it says', async () => {
    const service = openServiceContext();
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    for (const [file, least] of [
      [fileOf(3000, 120), 100],
      [fileOf(3000, 120, 2), 100],
    ] as const) {
      service.publish(DOMAIN, file);
      service.clock.advance(HOUR_MS);
      turns = 0;
      expect((await crawlPublisher(service, DOMAIN)).verdict).toBe('adopted');
      // Without slices there would be about one turn for each of a handful of transactions.
      expect(turns).toBeGreaterThan(least);
      expect(await heldOf(service)).toEqual(wantedOf(file));
    }
    isDone = true;
  });

  it('that says what it said is not compared with what is held, but once a day', async () => {
    const service = openServiceContext();
    service.publish(DOMAIN, fileOf(600, 20));
    await crawlPublisher(service, DOMAIN);
    let pages = 0;
    const textsOfPublisher: typeof service.store.read.property.textsOfPublisher = (...range) => {
      pages += 1;
      return service.store.read.property.textsOfPublisher(...range);
    };
    const { read } = service.store;
    const store = { ...service.store, read: { ...read, property: { ...read.property, textsOfPublisher } } };
    const watched: CrawlContext = { ...service, store };
    service.clock.advance(HOUR_MS);
    expect(await crawlPublisher(watched, DOMAIN)).toMatchObject({ verdict: 'adopted', events: 0 });
    expect(pages).toBe(0);
    service.clock.advance(DAY_MS);
    expect(await crawlPublisher(watched, DOMAIN)).toMatchObject({ verdict: 'adopted', events: 0 });
    expect(pages).toBeGreaterThan(0);
  });

  it.each([1, 2, 3, 5, 8, 13])(
    'a crash after transaction %i of a change is made good, also when the servers say that nothing has changed',
    async (after) => {
      const service = openServiceContext();
      service.serve(OWN, fileOf(800, 60), { etag: '"one"' });
      await crawlPublisher(service, DOMAIN);
      await service.news();
      const file = fileOf(800, 60, 2);
      service.serve(OWN, file, { etag: '"two"' });
      service.clock.advance(HOUR_MS);
      await crawlPublisher(dying(service, after), DOMAIN).catch((error: Error) => expect(error.message).toBe('killed'));
      await crawlPublisher(service, DOMAIN);
      expect(await heldOf(service)).toEqual(wantedOf(file));
      const news = await service.news();
      expect(news.map(({ event_id }) => event_id)).toEqual(news.map(({ event_id }) => event_id).toSorted());
      expect(new Set(news.map(inShort)).size).toBe(news.length);
      expect(news.filter(({ event_type }) => event_type === 'publisher.adagents_changed')).toHaveLength(1);
      service.clock.advance(HOUR_MS);
      expect(await crawlPublisher(service, DOMAIN)).toMatchObject({ verdict: 'unchanged', events: 0 });
    },
  );

  it('that returns to what it was after a crash leaves nothing of what it was between', async () => {
    const service = openServiceContext();
    const file = fileOf(800, 60);
    service.publish(DOMAIN, file);
    await crawlPublisher(service, DOMAIN);
    service.publish(DOMAIN, fileOf(800, 60, 3));
    await crawlPublisher(dying(service, 2), DOMAIN).catch((error: Error) => expect(error.message).toBe('killed'));
    expect(await heldOf(service)).not.toEqual(wantedOf(file));
    service.publish(DOMAIN, file);
    await crawlPublisher(service, DOMAIN);
    expect(await heldOf(service)).toEqual(wantedOf(file));
  });

  it.each(['crawl', 'changes'])(
    'that the thread dies of (%s) is tried again later each time, and takes nothing away',
    async (kind) => {
      const service = openServiceContext();
      const file = fileOf(40, 3);
      service.publish(DOMAIN, file);
      await crawlPublisher(service, DOMAIN);
      const run: CrawlContext['files']['run'] = (job, ...rest) =>
        job.kind === kind
          ? Promise.reject(new RegistryProblem('unavailable', 'no', { suggestion: 'later' }))
          : service.files.run(job, ...rest);
      service.publish(DOMAIN, fileOf(40, 3, 2));
      for (const minutes of [5, 10]) {
        const { state, verdict } = await crawlPublisher({ ...service, files: { run } }, DOMAIN);
        expect([verdict, state.dueAt - state.attemptedAt]).toEqual(['kept', minutes * 60_000]);
        expect(await heldOf(service)).toEqual(wantedOf(file));
      }
      await crawlPublisher(service, DOMAIN);
      expect(await heldOf(service)).toEqual(wantedOf(fileOf(40, 3, 2)));
    },
  );
});
