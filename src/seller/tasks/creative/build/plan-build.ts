import type { z } from 'zod';
import {
  type Transformer,
  type TransformerConfig,
  type TransformerParam,
  usualTransformer,
} from '../../../../creative/transformers/transformers.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { TaskError } from '../../../../protocol/errors.js';
import type { BuildVariant } from '../../../domain/creative/build-variant.js';
import type { buildInput } from './input.js';

type Input = z.output<typeof buildInput>;

/** One alternative that may be built of each format. */
type Alternative = { readonly value: unknown; readonly config: TransformerConfig };

/** How a call has creatives built. */
export type BuildPlan = {
  readonly transformer: Transformer;
  /** Whether the call names the transformer, or what it refines does. */
  readonly isNamed: boolean;
  /** In the order in which they are built. */
  readonly alternatives: readonly Alternative[];
  /** How many of them make up an answer, of each format. */
  readonly wanted: number;
  /** How many were asked for. */
  readonly asked: number;
  /** Whether each alternative was asked for by its value: none of them is passed over for being like another. */
  readonly isFixed: boolean;
  /** Whether the answer has variants. */
  readonly hasVariants: boolean;
};

/** Most variants of a creative in one answer. */
export const MAX_VARIANTS = 8;

/** The ways in which variants may differ. */
export const VARIANT_DIMENSIONS = ['theme', 'best_of_n', 'transformer_config'] as const;

/** Most items of catalogs that one call makes creatives of. */
export const MAX_CREATIVES = 20;

/** Most signal conditions that one call makes creatives for. */
export const MAX_CONDITIONS = 5;

/** How items are chosen where not all of them are built. */
export const SELECTION_STRATEGIES = ['random'] as const;

/** Reads how a call has creatives built. Throws REFERENCE_NOT_FOUND for an unknown transformer, INVALID_REQUEST and UNSUPPORTED_FEATURE for what it does not take. */
export function planBuild(args: Input, parent: BuildVariant | undefined, offered: readonly Transformer[]): BuildPlan {
  const { config = {}, max_variants: most = 1, variant_axis: axis } = args;
  const transformer = chooseTransformer(args, parent, offered);
  const isNamed = args.transformer_id !== undefined || parent !== undefined;
  checkConfig(transformer, config, isNamed);
  const base = { ...parent?.config, ...config };
  const fixed = axis?.values === undefined ? undefined : listFixed(transformer, axis, axis.values, base);
  const asked = fixed?.length ?? most;
  const themes = fixed ?? listThemes(transformer, axis, base, config);
  // A refinement is what was asked for, and not another theme where that changes nothing.
  const alternatives = fixed === undefined && parent !== undefined && asked === 1 ? themes.slice(0, 1) : themes;
  checkRequired(transformer, themes);
  return {
    transformer,
    isNamed,
    alternatives: alternatives.slice(0, fixed === undefined ? alternatives.length : MAX_VARIANTS),
    wanted: Math.min(asked, MAX_VARIANTS),
    asked,
    isFixed: fixed !== undefined,
    hasVariants: most > 1 || axis !== undefined || parent !== undefined,
  };
}

function chooseTransformer(
  args: Input,
  parent: BuildVariant | undefined,
  offered: readonly Transformer[],
): Transformer {
  const { transformer_id: id } = args;
  if (parent !== undefined && id !== undefined && id !== parent.transformer_id) {
    throw new TaskError('INVALID_REQUEST', 'What is refined was built by another transformer.', {
      field: 'transformer_id',
      suggestion: `Leave transformer_id out, or send "${parent.transformer_id}".`,
    });
  }
  const wanted = id ?? parent?.transformer_id;
  if (wanted === undefined) return usualTransformer(args.creative_id !== undefined || hasAssets(args), offered);
  const transformer = offered.find(({ transformer_id }) => transformer_id === wanted);
  if (transformer !== undefined) return transformer;
  const ids = offered.map(({ transformer_id }) => transformer_id);
  throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such transformer.', {
    field: 'transformer_id',
    suggestion: `Use one of ${ids.join(', ')}; list_transformers describes them.`,
    details: { accepted_values: ids },
  });
}

function checkRequired({ params }: Transformer, alternatives: readonly Alternative[]): void {
  const missing = params.find(
    (param) => param.required && alternatives.some(({ config }) => config[param.field] === undefined),
  );
  if (missing === undefined) return;
  throw new TaskError('INVALID_REQUEST', 'The transformer needs a value for this parameter.', {
    field: `config.${missing.field}`,
    suggestion: `Send one of ${missing.allowed_values?.join(', ')}.`,
  });
}

/** Whether a manifest brings more than an offer to make an ad of. */
function hasAssets({ creative_manifest: manifest }: Input): boolean {
  const { assets } = manifest ?? {};
  return isObject(assets) && Object.keys(assets).some((key) => key !== 'promoted_offerings');
}

function checkConfig({ params }: Transformer, config: TransformerConfig, isNamed: boolean): void {
  const entries = Object.entries(config);
  if (entries.length > 0 && !isNamed) {
    throw new TaskError('INVALID_REQUEST', 'A config is for the transformer that the call names.', {
      field: 'config',
      suggestion: 'Add transformer_id, or leave config out.',
    });
  }
  for (const [name, value] of entries) checkValue(params, name, value, `config.${name}`);
}

function checkValue(params: readonly TransformerParam[], name: string, value: unknown, field: string): void {
  const param = params.find((one) => one.field === name);
  if (param === undefined) {
    throw new TaskError('INVALID_REQUEST', 'The transformer has no such parameter.', {
      field,
      suggestion: `Its parameters are ${params.map((one) => one.field).join(', ')}.`,
    });
  }
  const { allowed_values: allowed, minimum = 0, maximum = 0 } = param;
  const isInRange = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  if (allowed === undefined ? isInRange : allowed.some((one) => one === value)) return;
  const right = allowed === undefined ? `a whole number from ${minimum} to ${maximum}` : `one of ${allowed.join(', ')}`;
  throw new TaskError('INVALID_REQUEST', 'The parameter does not take this value.', {
    field,
    suggestion: `Send ${right}.`,
    details: allowed === undefined ? { minimum, maximum } : { accepted_values: allowed },
  });
}

type Axis = NonNullable<Input['variant_axis']>;

/** Returns the parameter that an axis goes along; undefined where it goes along themes. */
function readAxis({ params, transformer_id }: Transformer, { dimension, field }: Axis): TransformerParam | undefined {
  if (!VARIANT_DIMENSIONS.some((one) => one === dimension)) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'Variants do not differ in this dimension here.', {
      field: 'variant_axis.dimension',
      suggestion: `Use one of ${VARIANT_DIMENSIONS.join(', ')}.`,
      details: { accepted_values: VARIANT_DIMENSIONS },
    });
  }
  if (dimension !== 'transformer_config') return undefined;
  const param = params.find((one) => one.field === field);
  if (param !== undefined) return param;
  throw new TaskError('INVALID_REQUEST', 'The axis names no parameter of the transformer.', {
    field: 'variant_axis.field',
    suggestion: `Send one of ${params.map((one) => one.field).join(', ')}, the parameters of ${transformer_id}.`,
  });
}

function listFixed(
  transformer: Transformer,
  axis: Axis,
  values: readonly unknown[],
  base: TransformerConfig,
): readonly Alternative[] {
  const param = readAxis(transformer, axis);
  return values.map((value, index) => {
    const field = `variant_axis.values[${index}]`;
    if (param !== undefined) {
      checkValue([param], param.field, value, field);
      return { value, config: { ...base, [param.field]: value } };
    }
    const theme = transformer.themes.find(({ name }) => name === value);
    if (theme !== undefined) return { value, config: { ...base, ...theme.config } };
    throw new TaskError('INVALID_REQUEST', 'The transformer has no such theme.', {
      field,
      suggestion: `Use some of ${transformer.themes.map(({ name }) => name).join(', ')}, or leave values out.`,
    });
  });
}

/** Returns what is chosen here: the usual creative first, then others, none against a parameter that the call sets. */
function listThemes(
  transformer: Transformer,
  axis: Axis | undefined,
  base: TransformerConfig,
  config: TransformerConfig,
): readonly Alternative[] {
  const param = axis && readAxis(transformer, axis);
  const others = param === undefined ? transformer.themes : sweepRange(param);
  const usual = { value: param === undefined ? others[0]?.name : (base[param.field] ?? param.default), config: base };
  return [
    usual,
    ...others.map((theme) => ({
      value: param === undefined ? theme.name : theme.config[param.field],
      config: { ...base, ...theme.config, ...config },
    })),
  ];
}

function sweepRange({
  field,
  allowed_values: allowed,
  minimum = 0,
  maximum = 0,
}: TransformerParam): Transformer['themes'] {
  const steps = Array.from({ length: MAX_VARIANTS }, (_, index) =>
    Math.round(maximum - (index * (maximum - minimum)) / (MAX_VARIANTS - 1)),
  );
  return (allowed ?? steps).map((value) => ({ name: String(value), config: { [field]: value } }));
}
