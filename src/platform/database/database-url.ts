/** Whether a store is a PostgreSQL database, by its URL, and no file. */
export function isDatabaseUrl(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store);
}
