// Measures the built-in writer on the developed briefs, after a build: node scripts/measure-briefs.mjs
import { readFileSync } from 'node:fs';
import { writeCopy } from '../dist/creative/compose/copy/built-in-writer.js';

const briefs = JSON.parse(
  readFileSync(new URL('../test/creative/compose/copy/briefs/developed.json', import.meta.url)),
);
const n = (s) => (s ?? '').toLowerCase().replace(/\s+/g, ' ');
let facts = 0,
  held = 0,
  whole = 0,
  heads = 0,
  reps = 0;
for (const b of briefs) {
  let c;
  try {
    c = writeCopy({ message: b.message, brand: { name: b.brand, offerings: [] } });
  } catch (e) {
    console.log(b.id, 'THROWS', e.message);
    continue;
  }
  const all = n([c.headline, c.body, c.callToAction, c.eyebrow, c.legal].join('\n'));
  const miss = b.must.filter((g) => !g.some((t) => all.includes(n(t)))).map((g) => '-' + g[0]);
  const leak = b.mustNot.filter((t) => all.includes(n(t))).map((t) => '+' + t);
  const h = n(c.headline);
  const ok = b.headline ? h === n(b.headline) : [...b.product, ...b.offer].some((t) => h.includes(n(t)));
  const lang = c.language === b.language,
    cta = b.cta ? n(c.callToAction) === n(b.cta) : true;
  const legal = b.legal ? n(c.legal).includes(n(b.legal)) : true;
  const noted = (b.left_out ?? []).every((t) => c.leftOut?.includes(t));
  const rep = c.body && (n(c.body).includes(h) || h.includes(n(c.body)));
  const parts = [ok, lang, cta, legal, noted, !rep];
  facts += b.must.length + b.mustNot.length + parts.length;
  held += b.must.length - miss.length + b.mustNot.length - leak.length + parts.filter(Boolean).length;
  heads += ok;
  reps += !!rep;
  const good = !miss.length && !leak.length && parts.every(Boolean);
  whole += good;
  if (!good)
    console.log(
      b.id,
      JSON.stringify([c.headline, c.body, c.callToAction, c.legal]),
      miss.join(' '),
      leak.join(' '),
      parts.map(Number).join(''),
    );
}
console.log({ briefs: briefs.length, wholly: whole, facts, held, share: held / facts, heads, reps });
