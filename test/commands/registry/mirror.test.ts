import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  exportMirror,
  lookUp,
  type MirrorCommandContext,
  mirrorStats,
  syncMirror,
} from '../../../src/commands/registry/mirror.js';
import { sha256Hex } from '../../../src/platform/kernel/canonical.js';
import { isoTime, systemClock } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createLog } from '../../../src/platform/kernel/log.js';
import { TaskError } from '../../../src/protocol/errors.js';
import { appendEvent } from '../../../src/registry/server/service/feed/feed.js';
import { fold } from '../../../src/registry/store/fold.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { boot } from '../../kit/boot.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';

const AGENT = 'https://sales.example/mcp';
type Draft = Parameters<typeof appendEvent>[2];
const RID = '00000000-0000-4000-8000-000000000001';

async function contextOf(
  registry: { readonly url: string; readonly token: string } | undefined,
): Promise<MirrorCommandContext> {
  const dataDir = temporaryFolder('seller-agent-mirror-');
  const env =
    registry === undefined
      ? {}
      : { SELLER_AGENT_REGISTRY_URL: registry.url, SELLER_AGENT_REGISTRY_TOKEN: registry.token };
  const settings = await resolveSettings({ flags: { data: dataDir }, env, cwd: dataDir, packageRoot: PROJECT });
  return { settings, env, log: createLog('silent'), progress: () => undefined };
}

describe('the commands of the mirror', () => {
  let registry: BootedRegistry;
  let context: MirrorCommandContext;
  let tell: (event_type: Draft['event_type'], entity_id: string, payload: object) => Promise<void>;

  beforeAll(async () => {
    registry = await bootRegistry({ at: isoTime(systemClock.now()) });
    const { token } = await registry.member('buyer');
    const { registry: parts } = registry.server();
    tell = async (event_type, entity_id, payload) =>
      await parts.store.transact(async (tx) => {
        const draft = { event_type, entity_id, payload: { ...payload }, actor: 'test' };
        await fold(tx, await appendEvent(tx, parts.clock, draft));
      });
    const publisher_domain = 'news.example';
    await tell('publisher.adagents_discovered', publisher_domain, {
      publisher_domain,
      standing: 'open',
      adagents_valid: true,
    });
    await tell('property.created', RID, {
      property_rid: RID,
      publisher_domain,
      property_id: 'app',
      property_type: 'mobile_app',
      name: 'App',
      classification: 'property',
      identifiers: [{ type: 'ios_bundle', value: 'example.news' }],
    });
    const row = {
      id: systemIds.uuid(),
      agent_url: AGENT,
      publisher_domain,
      property_rid: RID,
      evidence: 'adagents_json',
    };
    await tell('authorization.granted', row.id, row);
    context = await contextOf({ url: registry.baseUrl, token });
  });

  it('sync reads the registry, and again only what is new', async () => {
    const first = await syncMirror(context);
    expect(first.text).toContain('state           following');
    expect(first.ok).toBe(true);
    expect(first.text).toMatch(/authorizations {2}1\b/);
    expect((await syncMirror(context)).text).toMatch(/rebuilds {8}0\b/);
  });

  it('lookup tells of domains, agents and identifiers, and of nothing that it does not know', async () => {
    expect((await lookUp(context, 'www.news.example')).text).toContain(AGENT);
    expect((await lookUp(context, AGENT)).text).toContain('news.example');
    expect((await lookUp(context, 'ios_bundle:example.news')).text).toContain('property        app');
    expect(await lookUp(context, 'other.example')).toEqual({ ok: false, text: 'Nothing is known of other.example.' });
    await expect(lookUp(context, 'shoe_size:42')).rejects.toThrow(TaskError);
  });

  it('stats asks nobody', async () => {
    const stats = await mirrorStats(context);
    expect(stats).toMatch(/properties {6}1\b/);
    expect(stats).toMatch(/synced_at {7}[\dT:-]+Z\nlag {13}\d+ s\n/);
    expect(stats).not.toMatch(/undefined|null/);
  });

  it('export writes plain JSON with its manifest, which the server serves', async () => {
    const { dataDir } = context.settings;
    const shown: string[] = [];
    await exportMirror({ ...context, progress: (text) => shown.push(text) }, dataDir);
    expect(shown).toEqual(expect.arrayContaining(['publishers: 1', 'authorizations: 1']));
    expect(shown.at(-1)).toBe('');
    const text = readFileSync(path.join(dataDir, 'registry-snapshot.json'), 'utf8');
    const { authorizations, properties, publishers, registry: of } = JSON.parse(text) as Record<string, unknown>;
    expect(of).toBe(registry.baseUrl);
    expect(publishers).toMatchObject([{ domain: 'news.example' }]);
    expect(properties).toMatchObject([{ property_rid: RID }]);
    expect(authorizations).toMatchObject([{ agent_url: AGENT }]);
    const seller = await boot({ dataDir });
    const manifest = (await (await fetch(`${seller.baseUrl}/.well-known/registry-snapshot.manifest.json`)).json()) as {
      snapshots: { sha256: string }[];
    };
    expect(manifest.snapshots[0]?.sha256).toBe(sha256Hex(text));
    const served = await fetch(`${seller.baseUrl}/.well-known/registry-snapshot.json`);
    expect(await served.text()).toBe(text);
    await seller.close();
    const other = await boot();
    expect((await fetch(`${other.baseUrl}/.well-known/registry-snapshot.json`)).status).toBe(404);
  });

  it('work on the copy of the running server while it holds the data folder, and say the same', async () => {
    const { dataDir, registry: use } = context.settings;
    const alone = await lookUp(context, AGENT);
    const seller = await boot({ dataDir, at: isoTime(systemClock.now()), ids: 'system', settings: { registry: use } });
    expect(await lookUp(context, AGENT)).toEqual(alone);
    await tell('publisher.adagents_discovered', 'late.example', {
      publisher_domain: 'late.example',
      standing: 'open',
      adagents_valid: true,
    });
    const { ok, text } = await syncMirror(context);
    expect([ok, text]).toEqual([true, expect.stringMatching(/publishers {6}2\b/)]);
    expect((await lookUp(context, 'late.example')).text).toContain('publisher       late.example');
    expect(await mirrorStats(context)).toMatch(/publishers {6}2\b/);
    expect(await exportMirror(context, temporaryFolder())).toContain('registry-snapshot.json');
    await seller.close();
    expect((await lookUp(context, 'late.example')).ok).toBe(true);
    const other = await boot({ dataDir });
    await expect(mirrorStats(context)).rejects.toThrow('No registry is configured.');
    await other.close();
  });

  it('without a registry they say what to set', async () => {
    const lonely = await contextOf(undefined);
    await expect(syncMirror(lonely)).rejects.toThrow(/No registry is configured .*export --whole/);
  });

  it('a registry that does not answer is told, and nothing else breaks', async () => {
    const { ok, text } = await syncMirror(await contextOf({ url: 'http://127.0.0.1:9', token: 'none' }));
    expect(ok).toBe(false);
    expect(text).toContain('last_error');
  });
});
