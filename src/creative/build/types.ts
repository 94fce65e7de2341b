import type { Brand } from '../compose/brand.js';
import type { Copy, CopyWriter } from '../compose/copy/copy.js';
import type { ImageProcessor } from '../compose/pictures/image-processor.js';
import type { Format, GroupSlot } from '../formats/format.js';

import type { Asset, Manifest } from '../formats/manifest.js';
import type { MacroValues } from '../macros/fill.js';
import type { MediaEncoder, ReportShare } from '../media/encoder.js';
import type { Speak } from '../media/speech.js';
import type { Change, Direction } from './direction.js';

/** A picture that was made, before it has an address. */
export type BuiltFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
  readonly asset_id: string;
};

/** The way out of a build: files, addresses, words and pictures. */
type BuildPorts = {
  /** The bytes behind an asset's URL; throws a TaskError when there is nothing to have. */
  readonly assetBytes: (url: string) => Promise<Uint8Array>;
  /** Keeps a file and answers its URL; called once per file. */
  readonly publish: (file: BuiltFile) => string | Promise<string>;
  readonly copyWriter: CopyWriter;
  readonly images: ImageProcessor;
  /** What video and audio are made with; what it lacks is refused. */
  readonly media?: MediaTools;
};

/** The tools that make video and audio. */
type MediaTools = {
  readonly encoder?: MediaEncoder | undefined;
  readonly speak?: Speak | undefined;
  /** Is told how much of a spot is made. */
  readonly onShare?: ReportShare;
};

/**
 * An order to build a creative. `format` is concrete: a template has taken on the parameters of its id; `field` names the manifest in
 * errors.
 */
export type BuildOrder = BuildPorts & {
  readonly message?: string;
  readonly brand: Brand;
  readonly sourceManifest?: Manifest;
  readonly format: Format;
  /** `template.html` of a seller's format: the finished page is made with it. */
  readonly template?: string;
  readonly macros?: MacroValues;
  readonly field?: string;
  readonly direction?: Direction;
  /** The commands that the direction follows, on each of which the creative reports. */
  readonly changes?: readonly Change[];
  /** Words that were written before, and are kept but for what the direction sets. */
  readonly copy?: Copy;
  /** The language of the words as a BCP 47 tag; that of the message unless set. */
  readonly language?: string;
};

/** A finished creative: a manifest that fits the format, the files its URLs stand for, and remarks for the buyer. */
export type BuiltCreative = {
  readonly manifest: Manifest;
  readonly files: readonly BuiltFile[];
  readonly notes: readonly string[];
  /** Its words. */
  readonly copy: Copy;
  /** What became of each command, in their order. */
  readonly reports: readonly ChangeReport[];
};

/** The outcome of a command: whether it was followed, in a sentence for the buyer. */
export type ChangeReport = { readonly isDone: boolean; readonly text: string };

/** Makes the asset of a slot; undefined leaves it out. */
export type FillSlot<Session> = (slot: GroupSlot, session: Session) => Promise<Asset | undefined>;
