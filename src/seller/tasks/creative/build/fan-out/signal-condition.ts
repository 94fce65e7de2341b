import { z } from 'zod';

/** A reference to a signal by any of the names that the protocol has had for it. */
const reference = z.looseObject({
  signal_id: z.string().max(255).optional(),
  id: z.string().max(255).optional(),
});

/** A state of a signal that creatives are made for, under its wire names. */
export const signalCondition = z
  .looseObject({
    signal_ref: reference.optional(),
    signal_id: reference.optional(),
    value_type: z.enum(['binary', 'categorical', 'numeric']),
    value: z.boolean().optional(),
    values: z.array(z.string().max(255)).min(1).max(100).optional(),
    min_value: z.number().optional(),
    max_value: z.number().optional(),
    signal_agent_segment_id: z.string().max(500).optional(),
  })
  .refine(({ signal_ref, signal_id }) => signal_ref !== undefined || signal_id !== undefined, {
    message: 'names its signal as signal_ref',
  })
  .refine(({ value_type, value }) => value_type !== 'binary' || value !== undefined, {
    message: 'of a binary signal has a value',
  })
  .refine(({ value_type, values }) => value_type !== 'categorical' || values !== undefined, {
    message: 'of a categorical signal has values',
  });
export type SignalCondition = z.output<typeof signalCondition>;

/** Returns a condition as words of a brief, such as "weather: rain, snow". */
export function describeCondition(condition: SignalCondition): string {
  const { signal_ref, signal_id, value_type, value, values = [], min_value: least, max_value: most } = condition;
  const { signal_id: named, id } = signal_ref ?? signal_id ?? {};
  const name = (named ?? id ?? 'signal').replaceAll(/[_-]+/g, ' ');
  if (value_type === 'binary') return value === false ? `not ${name}` : name;
  if (value_type === 'categorical') return `${name}: ${values.join(', ').replaceAll(/[_-]+/g, ' ')}`;
  if (least === undefined && most === undefined) return name;
  if (least === undefined) return `${name}: up to ${most}`;
  return most === undefined ? `${name}: ${least} or more` : `${name}: ${least} to ${most}`;
}
