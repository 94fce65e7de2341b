/** Returns the texts of a list of a stranger; none of what is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter((one) => typeof one === 'string') : [];
}
