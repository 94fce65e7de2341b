import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPreviewLog, type PreviewLog, writeRecord } from '../../../../src/creative/preview/store/log.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/platform/kernel/clock.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const UNTIL = NOW + DAY_MS;
let folder: string;
const opened: PreviewLog[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'preview-log-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<PreviewLog> {
  const { log } = await openPreviewLog(folder);
  opened.push(log);
  return log;
}

function record(id: string, text = `text of ${id}`, untilMs = UNTIL): ReturnType<typeof writeRecord> {
  return writeRecord({ id, untilMs, media: [], text });
}

const files = (): readonly string[] => readdirSync(folder).sort();

describe('records', () => {
  it('are read back, also by the next run, the last one of an id', async () => {
    const log = await open();
    await log.append([record('a'), record('b', 'ä\u2028😀 in "JSON"')], NOW);
    await log.append([record('a', 'newer', UNTIL + 5)], NOW);
    for (const each of [log, await open()]) {
      expect([await each.read('a'), await each.read('b'), await each.read('c')]).toEqual([
        'newer',
        'ä\u2028😀 in "JSON"',
        undefined,
      ]);
      expect([each.untilMs('a'), each.untilMs('b'), each.untilMs('c')]).toEqual([UNTIL + 5, UNTIL, undefined]);
      expect(each.stats()).toMatchObject({ records: 2 });
    }
  });

  it('tell the next run which media they need, and for how long', async () => {
    const log = await open();
    await log.append(
      [
        writeRecord({ id: 'a', untilMs: UNTIL, media: ['x.png', 'y.png'], text: 'a' }),
        writeRecord({ id: 'b', untilMs: UNTIL + 1, media: ['y.png'], text: 'b' }),
      ],
      NOW,
    );
    expect((await openPreviewLog(folder)).needed).toEqual(
      new Map([
        ['x.png', UNTIL],
        ['y.png', UNTIL + 1],
      ]),
    );
  });

  it('that come together lie in one file, whole', async () => {
    const log = await open();
    await Promise.all(Array.from({ length: 200 }, (_, at) => log.append([record(`r${at}`)], NOW)));
    expect(files()).toEqual(['00000001.log']);
    const next = await open();
    for (let at = 0; at < 200; at += 1) expect(await next.read(`r${at}`)).toBe(`text of r${at}`);
  });

  it('of an hour lie in a file of their own', async () => {
    const log = await open();
    await log.append([record('a')], NOW);
    await log.append([record('b')], NOW + HOUR_MS - 1);
    await log.append([record('c')], NOW + HOUR_MS);
    expect(files()).toEqual(['00000001.log', '00000002.log']);
    expect([await log.read('b'), await log.read('c')]).toEqual(['text of b', 'text of c']);
  });
});

describe('a crash', () => {
  it('at any byte leaves the records before it, and the next run writes on', async () => {
    const all = ['a', 'b', 'c'].map((id) => record(id));
    await (await open()).append(all, NOW);
    const file = path.join(folder, '00000001.log');
    const content = readFileSync(file);
    const ends = all.map((_, at) => all.slice(0, at + 1).reduce((sum, { bytes }) => sum + bytes.length, 0));
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length), async (length) => {
        rmSync(folder, { recursive: true });
        await (await open()).close();
        writeFileSync(file, content);
        truncateSync(file, length);
        const log = await open();
        const there = ends.filter((end) => end <= length).length;
        expect(log.stats().records).toBe(there);
        await log.append([record('d')], NOW);
        const next = await open();
        expect(next.stats().records).toBe(there + 1);
        expect(await next.read('d')).toBe('text of d');
      }),
      { numRuns: 60 },
    );
  });

  it.each(['nonsense', 'null\n\n', '{"id":"x"}\n', '{"id":"x","bytes":9e9}\nx\n', '\n\n\n', '\0\0\0\0'])(
    'that leaves %j behind harms nothing',
    async (rubbish) => {
      await (await open()).append([record('a')], NOW);
      appendFileSync(path.join(folder, '00000001.log'), rubbish);
      writeFileSync(path.join(folder, '00000002.log'), rubbish);
      writeFileSync(path.join(folder, '00000001.log.tmp'), rubbish);
      const log = await open();
      expect(log.stats().records).toBe(1);
      await log.append([record('b')], NOW);
      expect([await log.read('a'), await log.read('b')]).toEqual(['text of a', 'text of b']);
      expect(files()).toEqual(['00000001.log', '00000002.log', '00000003.log']);
    },
  );

  it('a group that the disk refuses is refused, and what follows is kept', async () => {
    const log = await open();
    await log.append([record('a')], NOW);
    rmSync(folder, { recursive: true });
    await expect(log.append([record('b')], NOW + HOUR_MS)).rejects.toThrow(/ENOENT/);
    expect(log.untilMs('b')).toBeUndefined();
    await (await open()).close();
    await log.append([record('c')], NOW + HOUR_MS);
    expect(await log.read('c')).toBe('text of c');
  });
});

describe('pruning', () => {
  it('removes texts when all of their file expired, remembers the ids for a week, then forgets them', async () => {
    const log = await open();
    await log.append([record('a'), record('b', 'secret b', UNTIL + 30 * MINUTE_MS)], NOW);
    expect(await log.prune(UNTIL)).toBe(0);
    expect(await log.read('a')).toBe('text of a');
    const gone = UNTIL + 30 * MINUTE_MS;
    expect(await log.prune(gone)).toBe(2);
    expect(await log.prune(gone)).toBe(0);
    expect(readFileSync(path.join(folder, '00000001.log'), 'utf8')).not.toContain('secret');
    for (const each of [log, await open()]) {
      expect([each.untilMs('a'), each.untilMs('b')]).toEqual([UNTIL, gone]);
      expect([await each.read('a'), await each.read('b')]).toEqual([undefined, undefined]);
    }
    await log.prune(gone + 7 * DAY_MS - 1);
    expect(log.untilMs('b')).toBe(gone);
    expect(await log.prune(gone + 7 * DAY_MS)).toBe(2);
    expect([log.untilMs('b'), files(), log.stats()]).toEqual([undefined, [], { records: 0, bytes: 0 }]);
  });

  it('leaves what was prolonged, and takes the file of what it replaced', async () => {
    const log = await open();
    await log.append([record('a', 'old')], NOW);
    await log.append([record('a', 'new', UNTIL + DAY_MS)], NOW + 13 * HOUR_MS);
    await log.prune(UNTIL);
    expect(files()).toEqual(['00000002.log']);
    expect(await log.read('a')).toBe('new');
    expect((await open()).untilMs('a')).toBe(UNTIL + DAY_MS);
  });

  it('of the file that is being written goes on in the next', async () => {
    const log = await open();
    await log.append([record('a', 'a', NOW + 1)], NOW);
    await log.prune(NOW + 1);
    await log.append([record('b')], NOW + 2);
    expect(await log.read('b')).toBe('text of b');
    expect((await open()).stats().records).toBe(2);
  });
});
