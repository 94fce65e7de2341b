/** The components that the profiles cover, in the order in which a signer lists them. */
export const COMPONENTS = ['@method', '@target-uri', '@authority', 'content-type', 'content-digest'] as const;

/** A component that can be covered. */
export type Component = (typeof COMPONENTS)[number];

/**
 * Returns the text that is signed (RFC 9421 2.5): a line per component, then the parameters as written in Signature-Input; no last newline.
 */
export function signatureBase(
  values: readonly (readonly [component: string, value: string])[],
  parameters: string,
): string {
  const lines = values.map(([component, value]) => `"${component}": ${value}`);
  return [...lines, `"@signature-params": ${parameters}`].join('\n');
}
