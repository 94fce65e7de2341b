import { it } from 'vitest';
import { readBrandJson } from '../../src/registry/brand-json.js';
import { schemaJudge } from '../kit/schemas.js';
import { examples, read, short } from './desk.js';

const paths = (v: unknown, at: (string | number)[] = []): (string | number)[][] => [
  at,
  ...(typeof v === 'object' && v !== null
    ? Object.entries(v).flatMap(([k, x]) => paths(x, [...at, Array.isArray(v) ? Number(k) : k]))
    : []),
];
const put = (v: any, p: (string | number)[], x: unknown): unknown => {
  const c = structuredClone(v);
  if (p.length === 0) return x;
  let o = c;
  for (const k of p.slice(0, -1)) o = o[k];
  const k = p.at(-1)!;
  if (x === undefined) {
    if (Array.isArray(o)) o.splice(Number(k), 1);
    else delete o[k];
  } else o[k] = x;
  return c;
};
it('x', () => {
  for (const kind of ['adagents', 'brand'] as const)
    for (const r of ['3.0', '3.1'] as const) {
      const judge = schemaJudge(r);
      const miss = new Map<string, string>();
      let n = 0;
      const over = new Map<string, string>();
      for (const e of examples(r, kind))
        for (const p of paths(e))
          for (const x of [undefined, null, 7, '', 'A b!', [], {}, true, ['x y'], [{}], 'https://x.example']) {
            if (p.length === 0) continue;
            const m = put(e, p, x);
            n++;
            const rejects = judge(kind, m).length > 0;
            const f = kind === 'adagents' ? read(m).findings : readBrandJson(JSON.stringify(m), { file: 'b' }).findings;
            const key = p.map((k) => (typeof k === 'number' ? '#' : k)).join('/') + ' <- ' + JSON.stringify(x);
            if (rejects && f.length === 0) miss.set(key, judge(kind, m)[0]!);
            if (!rejects && f.some((o) => o.severity === 'error')) over.set(key, short(f).join(';').slice(0, 150));
          }
      console.log(kind, r, n, 'MISS', miss.size, [...miss].slice(0, 60).join('\n'));
      console.log(kind, r, 'OVER', over.size, [...over].slice(0, 40).join('\n'));
    }
});
