import { isObject } from '../../../platform/kernel/json/json.js';
import { sumOf } from '../../../platform/kernel/numbers.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Shares } from './shares.js';

/** The ways of the protocol to verify how old somebody is. */
export const AGE_VERIFICATIONS = [
  'facial_age_estimation',
  'id_document',
  'digital_id',
  'credit_card',
  'world_id',
] as const;
type AgeVerification = (typeof AGE_VERIFICATIONS)[number];

/** A product's audience by age: parts of its supply, 0 to 1, by the age that people have at least. */
export type AgeOffer = {
  readonly known: Shares;
  /** Of these it is verified, by method. */
  readonly verified?: Readonly<Partial<Record<AgeVerification, Shares>>>;
};

/** Ages that the protocol can ask for, in years. */
const MIN_AGE = 13;
const MAX_AGE = 99;

/** Refuses a restriction that a product cannot keep. Throws UNSUPPORTED_FEATURE or VALIDATION_ERROR with the field. */
export function checkAges(value: unknown, offer: AgeOffer | undefined, field: string): void {
  if (value === undefined || offer === undefined) return;
  const { min, accepted_methods: accepted, verification_required: required } = isObject(value) ? value : {};
  const isAge = typeof min === 'number' && Number.isInteger(min) && min >= MIN_AGE && min <= MAX_AGE;
  const form = 'The restriction has the wrong form.';
  if (!isAge) throw refusal(form, `${field}.min`, `Send a whole number of years from ${MIN_AGE} to ${MAX_AGE}.`);
  if (required !== undefined && typeof required !== 'boolean')
    throw refusal(form, `${field}.verification_required`, 'Send true or false.');
  const methods = verificationMethods(offer);
  if (accepted !== undefined && !isList(accepted, AGE_VERIFICATIONS))
    throw refusal(form, `${field}.accepted_methods`, `Send a list of these: ${AGE_VERIFICATIONS.join(', ')}.`);
  if (needsVerification(value) && methods.length === 0)
    throw refuseUnsupported(
      'The product verifies no ages.',
      `${field}.${required === true ? 'verification_required' : 'accepted_methods'}`,
      'Leave it out: the age of who sees the product is known, not verified.',
    );
  if (isList(accepted, AGE_VERIFICATIONS) && !accepted.some((method) => methods.includes(method)))
    throw refuseUnsupported(
      'The product verifies ages by other methods.',
      `${field}.accepted_methods`,
      `Accept one of ${methods.join(', ')}.`,
    );
  if (tablesOf(value, offer).some((table) => lowestAge(table, min) !== undefined)) return;
  throw refusal(
    'The product does not know who is that old.',
    `${field}.min`,
    `Ask for at most ${Math.max(...tablesOf(value, offer).flatMap((table) => Object.keys(table).map(Number)))} years, or choose another product.`,
  );
}

/** Returns the part of a product's supply that a restriction leaves, 0 to 1: those of whom the next known age says that they are old enough. */
export function agePart(value: unknown, offer: AgeOffer | undefined): number {
  if (value === undefined) return 1;
  if (offer === undefined) return 0;
  const min = isObject(value) ? Number(value.min) : Number.NaN;
  const parts = tablesOf(value, offer).map((table) => table[String(lowestAge(table, min))] ?? 0);
  return Math.min(1, sumOf(parts));
}

/** Returns the methods by which a product verifies ages. */
export function verificationMethods({ verified = {} }: AgeOffer): readonly AgeVerification[] {
  return AGE_VERIFICATIONS.filter((method) => verified[method] !== undefined);
}

/** Whether ages have to be verified; whoever names the methods that he accepts wants one of them used. */
function needsVerification(value: unknown): boolean {
  return isObject(value) && (value.verification_required === true || value.accepted_methods !== undefined);
}

/** Returns the parts by age that a restriction is met with: one table for each method of verification, else that of all who are known. */
function tablesOf(value: unknown, offer: AgeOffer): readonly Shares[] {
  if (!needsVerification(value)) return [offer.known];
  const accepted =
    isObject(value) && isList(value.accepted_methods, AGE_VERIFICATIONS) ? value.accepted_methods : AGE_VERIFICATIONS;
  return accepted.map((method) => offer.verified?.[method] ?? {});
}

/** Returns the lowest age of a table that is enough. */
function lowestAge(table: Shares, min: number): number | undefined {
  const enough = Object.keys(table)
    .map(Number)
    .filter((age) => age >= min);
  return enough.length === 0 ? undefined : Math.min(...enough);
}

function isList<Value extends string>(value: unknown, of: readonly Value[]): value is readonly Value[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => of.some((own) => own === each));
}

function refusal(message: string, field: string, suggestion: string): TaskError {
  return new TaskError('VALIDATION_ERROR', message, { field, suggestion });
}

function refuseUnsupported(message: string, field: string, suggestion: string): TaskError {
  return new TaskError('UNSUPPORTED_FEATURE', message, { field, suggestion });
}
