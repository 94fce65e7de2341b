import { ALGORITHMS } from '../algorithms.js';
import { type KeyRow, PUBLISHED } from './key-life.js';
import { openKey, openPublicKey } from './key-pair.js';

/** The result of one check of a key. */
export type KeyCheck = { readonly kid: string; readonly check: string; readonly ok: boolean };

type Check = (row: KeyRow & { readonly d: string }, base: Buffer) => Promise<boolean>;

/** The checks by algorithm. ed25519 is worked out a second time by an implementation that shares nothing with the first. */
const CHECKS: Readonly<Record<KeyRow['alg'], Readonly<Record<string, Check>>>> = {
  ed25519: {
    'the public key follows from the seed': async ({ d, x }) => {
      const { getPublicKeyAsync } = await import('@noble/ed25519');
      return Buffer.from(await getPublicKeyAsync(bytes(d))).equals(bytes(x));
    },
    'our signature verifies elsewhere': async (row, base) => {
      const { verifyAsync } = await import('@noble/ed25519');
      return verifyAsync(signBase(row, base), base, bytes(row.x), { zip215: false });
    },
    'a signature made elsewhere is ours': async (row, base) => {
      const { signAsync } = await import('@noble/ed25519');
      return Buffer.from(await signAsync(base, bytes(row.d))).equals(signBase(row, base));
    },
  },
  'ecdsa-p256-sha256': {
    'our signature verifies with the public key alone': async (row, base) =>
      ALGORITHMS[row.alg].verify(base, openPublicKey(row), signBase(row, base)),
  },
};

/** Checks every key that is published; a check that cannot be carried out has failed. */
export async function checkKeys(rows: readonly KeyRow[]): Promise<readonly KeyCheck[]> {
  const done: KeyCheck[] = [];
  for (const row of rows.filter(({ state }) => PUBLISHED.has(state))) {
    const base = Buffer.from(`self-check of ${row.kid}`);
    for (const [check, run] of Object.entries(CHECKS[row.alg])) {
      const ok = await run({ ...row, d: row.d ?? '' }, base).catch(() => false);
      done.push({ kid: row.kid, check, ok });
    }
  }
  return done;
}

function signBase(row: KeyRow, base: Buffer): Buffer {
  return ALGORITHMS[row.alg].sign(base, openKey(row, []).privateKey);
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
