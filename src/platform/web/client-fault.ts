/** Returns the status of an error of express or its parsers that is the caller's fault, such as a path or body that cannot be decoded. */
export function clientFault(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
