export * from 'node:fs';
export { default } from 'node:fs';

/** Node 20 has none. The suite asks it for the sources of its own examples, which are not installed. */
export const globSync = () => [];
