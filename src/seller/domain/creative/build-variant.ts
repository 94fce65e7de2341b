import type { Direction } from '../../../creative/build/direction.js';
import type { FormatId } from '../../../creative/formats/format.js';
import type { Manifest } from '../../../creative/formats/manifest.js';
import type { TransformerConfig } from '../../../creative/transformers/transformers.js';
import { DAY_MS } from '../../../platform/kernel/clock.js';

/** How long a creative that was built can be refined, in milliseconds. */
export const REFINABLE_MS = 7 * DAY_MS;

/** A creative that was built, and all that another is refined from. */
export type BuildVariant = {
  readonly build_variant_id: string;
  readonly parent_build_variant_id?: string | undefined;
  readonly transformer_id: string;
  /** The values of the transformer's parameters that it was built with. */
  readonly config: TransformerConfig;
  /** What earlier refinements asked for. */
  readonly direction: Direction;
  /** The format that was asked for. */
  readonly target: FormatId;
  readonly message?: string | undefined;
  /** The brand as it was named. */
  readonly brand?: unknown;
  readonly macros?: Readonly<Record<string, string>> | undefined;
  /** The manifest that it was built from. */
  readonly source?: Manifest | undefined;
  /** The manifest that came of it. */
  readonly manifest: Manifest;
};
