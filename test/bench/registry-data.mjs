/** What the registries of the bench hold. Everything is the same in every run. */

const dist = new URL('../../dist/', import.meta.url);
const { uuidAfter } = await import(new URL('platform/kernel/ids.js', dist));

const AT = '2026-01-01T00:00:00Z';
const CHUNK = 500;

/** The publisher with everything; see `seedHuge`. */
export const HUGE = 'big.example';

/** Runs `write(tx, number)` for each number below `count`, some hundreds to a transaction. */
async function each(store, count, write) {
  for (let from = 0; from < count; from += CHUNK) {
    await store.transact(async (tx) => {
      for (let number = from; number < Math.min(count, from + CHUNK); number++) await write(tx, number);
    });
  }
}

function authorization(number, agent, domain, selection) {
  return {
    id: `a-${domain}-${number}`,
    agent_url: agent,
    agent_url_canonical: agent,
    publisher_domain: domain,
    authorized_for: 'everything',
    property_rid: null,
    property_id_slug: null,
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
    created_at: AT,
    updated_at: AT,
    ...selection,
  };
}

/** A brand, a publisher with properties of ten identifiers each, and one row that authorizes an agent for all of them. */
async function seedPublisher(tx, number, identifiers) {
  const domain = `d${number}.example`;
  await tx.brand.put({
    domain,
    canonical_id: domain,
    canonical_domain: domain,
    brand_name: `Brand ${number}`,
    source: 'community',
    brand_manifest: { name: `Brand ${number}`, colors: [{ hex: '#123456', type: 'primary' }] },
  });
  await tx.publisher.put({
    domain,
    standing: 'open',
    adagents_valid: true,
    property_count: identifiers / 10,
    agent_count: 1,
  });
  for (let at = 0; at < identifiers; at += 10) {
    await tx.property.put({
      property_rid: `${domain}#${at}`,
      publisher_domain: domain,
      property_id: `p${at}`,
      property_type: 'mobile_app',
      name: `App ${at} of ${domain}`,
      classification: 'property',
      source: 'authoritative',
      identifiers: Array.from({ length: 10 }, (_, one) => ({
        type: 'bundle_id',
        value: `com.d${number}.app${at + one}`,
      })),
      tags: ['apps'],
      status: 'active',
    });
  }
  const agent = `https://agent${number % 100}.example/mcp`;
  const all = { authorization_type: 'publisher_properties' };
  await tx.authorization.put(authorization(number, agent, domain, all));
}

/** Publishers with so many identifiers each, and so many events. */
export async function seedRegistry(store, { publishers, identifiers, events }) {
  await each(store, publishers, (tx, number) => seedPublisher(tx, number, identifiers));
  let last;
  for (let from = 0; from < events; from += CHUNK) {
    const page = Array.from({ length: Math.min(CHUNK, events - from) }, (_, index) => {
      last = uuidAfter(last, Date.now());
      const payload = {
        property_rid: `r${from + index}`,
        publisher_domain: 'd1.example',
        name: 'App',
        changed_fields: ['name'],
      };
      return {
        event_id: last,
        event_type: 'property.updated',
        entity_type: 'property',
        entity_id: payload.property_rid,
        payload,
        actor: 'pipeline:crawler',
        created_at: new Date().toISOString(),
      };
    });
    await store.transact((tx) => tx.events.append(page));
  }
}

/** Rows of authorizations of publishers that have nothing else, for the stream of all of them. */
export async function seedAuthorizations(store, count) {
  await each(store, count, (tx, number) =>
    tx.authorization.put(
      authorization(number, `https://agent${number % 100}.example/mcp`, `a${number >> 3}.example`, {
        authorization_type: 'property_ids',
        property_id_slug: `p${number}`,
      }),
    ),
  );
}

/** Agents that a member has enrolled for everybody to see, each with a profile and with what it said when it was visited. */
export async function seedAgents(store, count) {
  const org_id = 'bench-agents';
  await store.transact((tx) =>
    tx.organization.put({ org_id, slug: org_id, name: 'Agents', tier: 'api', created_at: AT }),
  );
  await each(store, count, async (tx, number) => {
    const agent_url = `https://enrolled${number}.example/mcp`;
    const type = number % 2 === 0 ? 'sales' : 'measurement';
    await tx.member_agent.put({
      agent_url,
      org_id,
      name: `Agent ${number}`,
      description: `Sells or measures what number ${number} has.`,
      type,
      protocol: 'mcp',
      visibility: 'public',
      added_date: AT,
      updated_at: AT,
    });
    await tx.agent.put({
      agent_url,
      name: `Agent ${number}`,
      type,
      channels: ['ctv', 'display'],
      property_types: ['mobile_app'],
      markets: ['US', 'DE', `m${number % 40}`],
      categories: [`c${number % 60}`],
      category_taxonomy: null,
      tags: ['apps', `t${number % 200}`],
      delivery_types: ['guaranteed'],
      format_ids: [],
      property_count: number,
      publisher_count: 1,
      has_tmp: number % 3 === 0,
      badges: [{ role: 'media-buy', verified_specialisms: ['sales-guaranteed'], verification_modes: ['spec', 'live'] }],
    });
    await tx.crawl.saveVisit({
      agent_url,
      visitedAt: Date.now(),
      // No crawl begins while requests are measured.
      dueAt: Date.now() + 86_400_000,
      failures: 0,
      readAt: Date.now(),
      reading: {
        identity: { name: `Agent ${number}`, version: '1' },
        type,
        responseMs: 10,
        tools: Array.from({ length: 20 }, (_, at) => ({
          name: `tool_${at}`,
          description: `Does one thing, number ${at}.`,
        })),
        capabilities: {
          measurement: {
            metrics: Array.from({ length: 20 }, (_, at) => ({
              metric_id: `metric_${at}_of_${number}`,
              description: 'Counts what was seen, and by whom.',
              unit: 'count',
              accreditations: [{ accrediting_body: 'MRC', certification_id: `c${at}` }],
            })),
          },
        },
      },
    });
  });
}

/** A brand.json of at least so many bytes: a house of brands that delegate properties and name agents. */
export function hugeBrandJson(domain, bytes) {
  const brands = [];
  for (let size = 0; size < bytes; size += JSON.stringify(brands.at(-1)).length + 1) {
    const at = brands.length;
    brands.push({
      id: `brand${at}`,
      names: [{ en: `Brand ${at}` }],
      properties: Array.from({ length: 20 }, (_, one) => ({
        type: 'website',
        identifier: `s${at}-${one}.example`,
        relationship: 'delegated',
      })),
      agents: [{ type: 'sales', id: `a${at}`, url: `https://a${at}.${domain}/mcp` }],
    });
  }
  return { house: { domain, name: 'Big' }, brands };
}

/**
 * One publisher that has as much of everything as its files may hold: properties of six identifiers, of which one is the same for all;
 * rows by tag for a hundred agents; a brand.json of the largest size; and revisions of entries of the size of a body.
 */
export async function seedHuge(store, { properties, rows, brandBytes, revisions, revisionBytes }) {
  const brand_json = hugeBrandJson(HUGE, brandBytes);
  const brand = {
    canonical_id: HUGE,
    canonical_domain: HUGE,
    brand_name: 'Big',
    source: 'brand_json',
    brand_manifest: { name: 'Big' },
  };
  await store.transact(async (tx) => {
    await tx.brand.put({ domain: HUGE, ...brand, brand_json });
    await tx.brand_copy.put({
      domain: HUGE,
      url: `https://${HUGE}/.well-known/brand.json`,
      variant: 'house_portfolio',
      brand: { ...brand, names: [{ en: 'Big' }] },
      data: brand_json,
      warnings: [],
      fetched_at: new Date().toISOString(),
    });
    await tx.publisher.put({
      domain: HUGE,
      standing: 'open',
      adagents_valid: true,
      property_count: properties,
      agent_count: 100,
    });
  });
  await each(store, properties, (tx, number) =>
    tx.property.put({
      property_rid: `big#${number}`,
      publisher_domain: HUGE,
      property_id: `p${number}`,
      property_type: 'mobile_app',
      name: `App ${number}`,
      classification: 'property',
      source: 'authoritative',
      identifiers: [
        ...Array.from({ length: 5 }, (_, one) => ({ type: 'bundle_id', value: `com.big.app${number}.${one}` })),
        { type: 'domain', value: HUGE },
      ],
      tags: [`t${number % 50}`, 'all'],
      status: 'active',
    }),
  );
  await each(store, rows, (tx, number) =>
    tx.authorization.put(
      authorization(number, `https://a${number % 100}.${HUGE}/mcp`, HUGE, {
        authorization_type: 'property_tags',
        property_tags: [`t${number % 50}`, 'all'],
      }),
    ),
  );
  const common = {
    editor_name: 'bench',
    edit_summary: 'again',
    source: 'community',
    is_rollback: false,
    created_at: AT,
  };
  const text = 'x'.repeat(1000);
  const properties_ = Array.from({ length: Math.ceil(revisionBytes / 1100) }, (_, at) => ({
    type: 'website',
    name: `Site ${at}`,
    identifiers: [{ type: 'domain', value: text }],
  }));
  for (const [kind, content] of [
    ['property', { authorized_agents: [], properties: properties_ }],
    [
      'brand',
      { brand_name: 'Big', brand_manifest: { name: 'Big', notes: text.repeat(Math.min(60, revisionBytes / 1000)) } },
    ],
  ]) {
    for (let number = 1; number <= revisions; number++) {
      await store.transact((tx) =>
        tx.revision.put({ kind, domain: HUGE, revision_number: number, ...common, content }),
      );
    }
  }
}

/** Brands whose brand.json has the largest size, so that a page of them is long. */
export async function seedHeavyBrands(store, count, bytes) {
  for (let number = 0; number < count; number++) {
    const domain = `heavy${number}.example`;
    await store.transact((tx) =>
      tx.brand.put({
        domain,
        canonical_id: domain,
        canonical_domain: domain,
        brand_name: `Heavy ${number}`,
        source: 'brand_json',
        brand_json: hugeBrandJson(domain, bytes),
      }),
    );
  }
}
