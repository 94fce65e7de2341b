import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** Where new identifiers and secrets come from. Tests may count instead. */
export type Ids = {
  /** A new identifier such as `mb_0198…`: the prefix and a UUID v7, so later ones sort after earlier ones. */
  readonly next: (prefix: string) => string;
  /** 32 unguessable bytes, base64url. */
  readonly secret: () => string;
};

/** Identifiers from the system's random source. */
export const systemIds: Ids = {
  next: (prefix) => `${prefix}_${v7().replaceAll('-', '')}`,
  secret: () => randomBytes(32).toString('base64url'),
};
