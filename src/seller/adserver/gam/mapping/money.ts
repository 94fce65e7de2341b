const MICROS = 1_000_000;

/** An amount of money in millionths of a currency's unit: whole numbers, in which decimal prices stay what they are. */
export type Micros = number;

/** Returns an amount in millionths. */
export function toMicros(amount: number): Micros {
  return Math.round(amount * MICROS);
}

/** Returns an amount as a decimal number of the currency's units. */
export function fromMicros(micros: Micros): number {
  return micros / MICROS;
}

/** Returns an amount as the REST API takes it: whole units as text, and billionths. */
export function moneyOf(micros: Micros, currencyCode: string) {
  const units = Math.trunc(micros / MICROS);
  return { currencyCode, units: String(units), nanos: (micros - units * MICROS) * 1000 };
}

/** Returns the amount of a price that the REST API answered; undefined for what is none. */
export function readMoney(
  money: { readonly units?: unknown; readonly nanos?: unknown } | undefined,
): Micros | undefined {
  if (money === undefined) return undefined;
  const [units, nanos] = [Number(money.units ?? 0), Number(money.nanos ?? 0)];
  return Number.isNaN(units) || Number.isNaN(nanos) ? undefined : units * MICROS + Math.round(nanos / 1000);
}

/** Returns how many units a budget buys at a price for so many of them, rounded down. */
export function unitsFor(budget: Micros, rate: Micros, unitsPerRate: number): number {
  return rate <= 0 ? 0 : Number((BigInt(budget) * BigInt(unitsPerRate)) / BigInt(rate));
}
