import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getPublicKeyAsync } from '@noble/ed25519';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/platform/kernel/errors.js';
import { checkKeys } from '../../../../src/platform/signing/keys/key-check.js';
import type { KeyFileContent } from '../../../../src/platform/signing/keys/key-file.js';
import { operateKeys, readKeyOperation } from '../../../../src/platform/signing/keys/key-operations.js';
import {
  KEY_FILE,
  type KeyRing,
  type KeyRingOptions,
  openKeyRing,
} from '../../../../src/platform/signing/keys/key-ring.js';
import { createVerifier } from '../../../../src/platform/signing/verify/verify.js';
import { countingIds, temporaryFolder, turnableClock } from '../../../kit/surroundings.js';
import { ADCP, arrived, verifierOptions, webhook } from '../context.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A data folder whose keys can be opened again and again. */
function folder(change: Partial<KeyRingOptions> = {}) {
  const dataDir = temporaryFolder();
  const clock = turnableClock();
  const ids = countingIds();
  const messages: string[] = [];
  const say = (_facts: object, text: string): void => void messages.push(text);
  const log = { info: say, warn: say } as KeyRingOptions['log'];
  const file = path.join(dataDir, KEY_FILE);
  return {
    clock,
    file,
    said: messages,
    open: (more: Partial<KeyRingOptions> = {}): Promise<KeyRing> =>
      openKeyRing({ dataDir, clock, ids, log, keyUses: ADCP.keyUses, ...change, ...more }),
    read: (): KeyFileContent => JSON.parse(readFileSync(file, 'utf8')) as KeyFileContent,
    write: (content: unknown): void => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}

const states = (ring: KeyRing): readonly string[] => ring.list().map(({ kid, state }) => `${kid} ${state}`);
const published = (ring: KeyRing): readonly string[] => ring.publicJwks().keys.map(({ kid }) => kid);

describe('a fresh folder', () => {
  it('has no keys until they are wanted; then they are on disk, for the owner alone', async () => {
    const { file, open, read, said: messages } = folder();
    const ring = await open();
    expect(() => ring.signing('request-signing')).toThrow('no key for request-signing');
    expect(existsSync(file)).toBe(false);
    await ring.ensure();
    await ring.ensure();
    expect(read().keys).toHaveLength(1);
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(messages).toEqual(['a signing key was generated']);
  });

  it('publishes what a verifier needs and never the private part', async () => {
    const ring = await folder().open();
    await ring.ensure();
    expect(ring.publicJwks()).toEqual({
      keys: [
        {
          kid: 'key_000001',
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
          alg: 'EdDSA',
          use: 'sig',
          key_ops: ['verify'],
          adcp_use: 'request-signing',
          proto_use: 'request-signing',
        },
      ],
    });
    expect(JSON.stringify([ring.publicJwks(), ring.list(), ring.pins()])).not.toContain('"d"');
  });

  it.each(['ed25519', 'ecdsa-p256-sha256'] as const)(
    'makes %s keys whose signatures hold after a restart',
    async (alg) => {
      const { clock, open } = folder();
      await (await open()).generate({ alg });
      const ring = await open();
      const key = ring.signing('webhook-signing');
      const now = () => clock.now() / 1000;
      const request = arrived(webhook(), key, { nowSeconds: now() });
      expect(
        await createVerifier({ ...verifierOptions('webhook', ring.publicJwks().keys), now })(request),
      ).toMatchObject({
        ok: true,
        alg,
      });
      expect((await checkKeys(ring.rows())).every(({ ok }) => ok)).toBe(true);
    },
  );

  it('signs webhooks with the key that the settings choose', async () => {
    const ring = await folder({ webhookPurpose: 'webhook-signing' }).open();
    await ring.ensure();
    expect([ring.signing('request-signing').purpose, ring.signing('webhook-signing').purpose]).toEqual([
      'request-signing',
      'webhook-signing',
    ]);
    const usual = await folder().open();
    await usual.ensure();
    await usual.generate({ purpose: 'webhook-signing' });
    expect(usual.signing('webhook-signing').purpose).toBe('request-signing');
    expect(published(usual)).toHaveLength(2);
  });

  it('makes a key for governance contexts when one is needed, which publishers do not pin', async () => {
    const ring = await folder().open();
    await ring.ensure();
    expect(() => ring.signing('governance-signing')).toThrow('no key');
    await ring.ensure('governance-signing');
    const { kid } = ring.signing('governance-signing');
    await ring.ensure('governance-signing');
    expect(ring.signing('governance-signing').kid).toBe(kid);
    expect(published(ring)).toHaveLength(2);
    expect(ring.pins().map((pin) => pin.kid)).toEqual([ring.signing('request-signing').kid]);
  });

  it('makes the key of a seed', async () => {
    const seed = Buffer.alloc(32, 7);
    const ring = await folder().open();
    await ring.generate({ seed: seed.toString('base64url') });
    const x = Buffer.from(await getPublicKeyAsync(seed)).toString('base64url');
    expect(ring.signing('request-signing').publicJwk.x).toBe(x);
    const wrong = { code: 'INVALID_REQUEST', extras: { field: 'seed' } };
    await expect(ring.rotate({ seed: 'short' })).rejects.toMatchObject(wrong);
    await expect(ring.rotate({ seed: seed.toString('base64url'), alg: 'ecdsa-p256-sha256' })).rejects.toMatchObject(
      wrong,
    );
  });
});

describe('a rotation', () => {
  it('publishes an hour before use, and until the last signatures have expired', async () => {
    const { clock, open, read } = folder();
    const ring = await open();
    await ring.ensure();
    const first = ring.signing('request-signing');
    expect(await ring.rotate({})).toMatchObject({
      kid: 'key_000002',
      state: 'next',
      activate_at: '2030-01-01T01:00:00Z',
    });
    expect([states(ring), published(ring)]).toEqual([
      ['key_000001 active', 'key_000002 next'],
      ['key_000001', 'key_000002'],
    ]);

    clock.advance(HOUR - 1);
    expect(ring.signing('request-signing').kid).toBe(first.kid);
    clock.advance(1);
    expect(ring.signing('request-signing').kid).toBe('key_000002');
    expect([states(ring), published(ring)]).toEqual([
      ['key_000001 retiring', 'key_000002 active'],
      ['key_000001', 'key_000002'],
    ]);

    clock.advance(15 * MINUTE - 1);
    expect(published(ring)).toEqual(['key_000001', 'key_000002']);
    clock.advance(1);
    expect([states(ring), published(ring)]).toEqual([['key_000001 retired', 'key_000002 active'], ['key_000002']]);
    await ring.tick();
    expect(read().keys.map((row) => [row.state, row.d === undefined])).toEqual([
      ['retired', true],
      ['active', false],
    ]);
  });

  it('goes on where it was after a restart, also when nobody was there at its time', async () => {
    const { clock, open } = folder();
    await (await open()).ensure();
    await (await open()).rotate({});
    clock.advance(5 * HOUR);
    const ring = await open();
    expect(states(ring)).toEqual(['key_000001 retiring', 'key_000002 active']);
    expect(ring.list()[0]?.publish_until).toBe('2030-01-01T05:15:00Z');
    await ring.tick();
    clock.advance(15 * MINUTE);
    expect(states(await open())).toEqual(['key_000001 retired', 'key_000002 active']);
  });

  it('waits for the one before it, which can be taken back', async () => {
    const { open } = folder();
    const ring = await open();
    await ring.ensure();
    await ring.rotate({});
    await expect(ring.rotate({})).rejects.toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('2030-01-01T01:00:00Z'),
    });
    await ring.retire('key_000002');
    await ring.rotate({ alg: 'ecdsa-p256-sha256' });
    expect(states(ring)).toEqual(['key_000001 active', 'key_000002 retired', 'key_000004 next']);
  });

  it('in an emergency is at once: the key before it is revoked, published no more and kept as a pin for a day', async () => {
    const { clock, open, read } = folder();
    const ring = await open();
    await ring.ensure();
    expect(await ring.rotate({ now: true })).toMatchObject({ kid: 'key_000002', state: 'active' });
    expect([ring.signing('request-signing').kid, published(ring)]).toEqual(['key_000002', ['key_000002']]);
    expect(ring.list()[0]).toMatchObject({ state: 'retired', revoked_at: '2030-01-01T00:00:00Z' });
    expect(read().keys[0]).not.toHaveProperty('d');
    const pins = () => ring.pins().map(({ kid, revoked_at }) => [kid, revoked_at]);
    expect(pins()).toEqual([
      ['key_000002', undefined],
      ['key_000001', '2030-01-01T00:00:00Z'],
    ]);
    clock.advance(24 * HOUR);
    expect(pins()).toEqual([['key_000002', undefined]]);
  });

  it('in an emergency takes the key that is published already', async () => {
    const ring = await folder().open();
    await ring.ensure();
    await ring.rotate({});
    expect(await ring.rotate({ now: true })).toMatchObject({ kid: 'key_000002', state: 'active' });
    expect(states(ring)).toEqual(['key_000001 retired', 'key_000002 active']);
  });

  it('leaves the keys of another purpose alone', async () => {
    const ring = await folder({ webhookPurpose: 'webhook-signing' }).open();
    await ring.ensure();
    await ring.rotate({ purpose: 'webhook-signing', now: true });
    expect(states(ring)).toEqual(['key_000001 active', 'key_000002 retired', 'key_000003 active']);
  });

  it('does one thing after the other when two are asked for at once', async () => {
    const ring = await folder().open();
    await ring.ensure();
    const outcomes = await Promise.allSettled([ring.rotate({}), ring.rotate({}), ring.generate({})]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(states(ring)).toEqual(['key_000001 active', 'key_000002 next']);
  });
});

describe('a key that goes', () => {
  it('goes only when nothing needs it', async () => {
    const { clock, open } = folder();
    const ring = await open();
    await ring.ensure();
    const refusal = { code: 'INVALID_STATE', extras: { field: 'kid' } };
    await expect(ring.retire('key_000001')).rejects.toMatchObject(refusal);
    await expect(ring.retire('nope')).rejects.toMatchObject({ code: 'REFERENCE_NOT_FOUND', extras: { field: 'kid' } });
    await ring.rotate({});
    clock.advance(HOUR);
    await expect(ring.retire('key_000001')).rejects.toMatchObject(refusal);
    expect(await ring.retire('key_000001', true)).toMatchObject({ state: 'retired' });
    await expect(ring.retire('key_000001', true)).rejects.toMatchObject(refusal);
    expect(published(ring)).toEqual(['key_000002']);
  });
});

describe('when a key was used', () => {
  it('is written down, now and then', async () => {
    const { clock, open, read } = folder();
    const ring = await open();
    await ring.ensure();
    clock.advance(MINUTE);
    ring.signing('request-signing');
    expect(ring.list()[0]?.last_used_at).toBe('2030-01-01T00:01:00Z');
    expect(read().keys[0]?.last_used_at).toBeUndefined();
    await ring.tick();
    expect(read().keys[0]?.last_used_at).toBe('2030-01-01T00:01:00Z');
    clock.advance(MINUTE);
    ring.signing('request-signing');
    await ring.tick();
    expect(read().keys[0]?.last_used_at).toBe('2030-01-01T00:01:00Z');
    clock.advance(10 * MINUTE);
    ring.signing('request-signing');
    await ring.tick();
    expect(read().keys[0]?.last_used_at).toBe('2030-01-01T00:12:00Z');
  });
});

describe('a file that cannot be served with', () => {
  it.each([
    ['that is no JSON', '{'],
    ['that repeats a name', '{"keys":[],"keys":[]}'],
    ['of somebody else', '{"private_key":"x"}'],
    ['with a key of nothing', { keys: [{}] }],
    [
      'with a state that is none',
      {
        keys: [
          {
            kid: 'k',
            alg: 'ed25519',
            purpose: 'request-signing',
            state: 'new',
            x: 'x',
            created_at: '2030-01-01T00:00:00Z',
          },
        ],
      },
    ],
    [
      'with an algorithm that is none',
      {
        keys: [
          {
            kid: 'k',
            alg: 'rsa',
            purpose: 'request-signing',
            state: 'active',
            x: 'x',
            created_at: '2030-01-01T00:00:00Z',
          },
        ],
      },
    ],
  ])('%s is refused with what to do', async (_what, content) => {
    const { file, open, write } = folder();
    write(content);
    const error = await open().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems).toEqual([
      expect.objectContaining({ file, message: 'it holds no keys that we wrote', fix: expect.any(String) }),
    ]);
  });

  it.each([
    ['whose public key is another’s', { x: 'HvNlSKj2YRxajimED1JQ0on-BBq0daydiEBLBbBu574' }],
    ['without its private part', { d: undefined }],
    ['whose private part is none', { d: 'AAAA' }],
  ])('has a key %s', async (_what, change) => {
    const { open, read, write } = folder();
    await (await open()).ensure();
    const good = read();
    write({ keys: good.keys.map((row) => ({ ...row, ...change })) });
    await expect(open()).rejects.toThrow('the private key of "key_000001" does not belong to its public key');
    write(good);
    await expect(open()).resolves.toBeDefined();
  });

  it('that others could read is closed to them, and that is said', async () => {
    const { file, open, said: messages } = folder();
    await (await open()).ensure();
    chmodSync(file, 0o644);
    await open();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(messages).toContain('others could read the signing keys; now only the owner can');
  });

  it('that cannot be written leaves the keys as they were', async () => {
    const { file, open } = folder();
    const ring = await open();
    await ring.ensure();
    mkdirSync(`${file}.new`);
    await expect(ring.rotate({ now: true })).rejects.toThrow('EISDIR');
    expect(states(ring)).toEqual(['key_000001 active']);
  });
});

describe('the operations of the operator', () => {
  it('are read with every fault named', () => {
    for (const [value, field] of [
      [undefined, 'operation'],
      [{ operation: 'constructor' }, 'operation'],
      [{ operation: 'rotate', purpose: 'answer-signing' }, 'purpose'],
      [{ operation: 'rotate', alg: 'rsa' }, 'alg'],
    ] as const) {
      expect(() => readKeyOperation(value)).toThrow(
        expect.objectContaining({
          code: 'INVALID_REQUEST',
          extras: expect.objectContaining({ field, suggestion: expect.stringMatching(/^Use one of: /) }),
        }),
      );
    }
  });

  it('find a key that does not fit', async () => {
    const { open } = folder();
    const ring = await open();
    await ring.ensure();
    expect(await operateKeys(ring, { operation: 'verify' })).toEqual({
      checks: [
        { kid: 'key_000001', check: 'the public key follows from the seed', ok: true },
        { kid: 'key_000001', check: 'our signature verifies elsewhere', ok: true },
        { kid: 'key_000001', check: 'a signature made elsewhere is ours', ok: true },
      ],
    });
    const [row] = ring.rows();
    if (row === undefined) throw new Error('there is no key');
    const other = (await (await folder().open()).generate({})).x;
    expect((await checkKeys([{ ...row, x: other }])).map(({ ok }) => ok)).toEqual([false, false, true]);
    const { d: _, ...bare } = row;
    expect((await checkKeys([bare])).map(({ ok }) => ok)).toEqual([false, false, false]);
  });
});
