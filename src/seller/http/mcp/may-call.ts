import type { Caller } from '../../context.js';
import { findTool } from '../../tasks/index.js';

/** Whether a caller may call a task: the tenant offers it, and to whoever has no key where it is public. */
export function canCall({ principal, seller }: Caller, task: string): boolean {
  if (findTool(seller, task) === undefined) return false;
  return principal !== undefined || seller.tenant.publicTools.includes(task);
}
