/** Returns the sum of numbers; 0 of none. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
