import { setFlagsFromString } from 'node:v8';

/**
 * Has the part of the heap where objects begin stay small until the function that this returns is called: what a start leaves behind
 * would otherwise let it grow to 32 MiB, which an idle process never gives back (bench row `memory`).
 */
export function holdYoungGeneration(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1');
  return () => setFlagsFromString(`--semi-space-growth-factor=${V8_DEFAULT}`);
}

const V8_DEFAULT = 2;
