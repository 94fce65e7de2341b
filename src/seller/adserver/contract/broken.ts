/** An adapter's breach of its contract; the message continues "The adapter …". */
export class ContractBrokenError extends Error {
  override readonly name = 'ContractBrokenError';
}

/** Throws ContractBrokenError unless something holds. */
export function demand(holds: boolean, broken: string): asserts holds {
  if (!holds) throw new ContractBrokenError(broken);
}

/** Throws ContractBrokenError. */
export function fail(broken: string): never {
  throw new ContractBrokenError(broken);
}
