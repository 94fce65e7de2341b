import type { Payload } from '../../../protocol/envelope.js';
import type { Release } from '../../../protocol/releases.js';

/** Returns an answer of acquire_rights in the words of a release: 3.0 has `status` for `rights_status`. */
export function shapeRights(payload: Payload, release: Release): Payload {
  const { rights_status, ...rest } = payload;
  if (release !== '3.0' || rights_status === undefined) return payload;
  return { ...rest, status: rights_status };
}

/** Why rights are neither granted nor changed in 3.2: its grants are attested by credentials that nobody here issues. */
export const UNATTESTED = {
  release: '3.2-beta.5',
  because: 'A grant of this release is attested by a credential, and none is issued here.',
  instead: 'Ask for 3.1, whose grants carry no credential.',
} as const;
