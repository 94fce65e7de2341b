import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { type CallGrant, GRANT_SCOPES, type GrantScope } from '../../domain/tenant/grant.js';
import type { Tool } from '../pipeline/tool.js';

/** The changing tasks that buy nothing: they set up accounts and who decides for them, or turn the sandbox. All others are of `buy`. */
const OPERATING: ReadonlySet<string> = new Set([
  'sync_accounts',
  'sync_governance',
  'sync_plans',
  'report_usage',
  'create_property_list',
  'update_property_list',
  'delete_property_list',
  'create_collection_list',
  'update_collection_list',
  'delete_collection_list',
  'create_content_standards',
  'update_content_standards',
  'comply_test_controller',
]);

/** Returns the scope that a grant needs for a task, by the name under which it is listed. */
export function scopeOf(tool: Pick<Tool, 'kind'>, name: string): GrantScope {
  if (tool.kind === 'query') return OPERATING.has(name) ? 'operate' : 'read';
  return OPERATING.has(name) ? 'operate' : 'buy';
}

/** Returns the error of a call that a grant does not reach, with the scopes that a client has to ask for anew. */
export function outsideGrant({ scopes }: CallGrant, needed: GrantScope): { error: TaskError; wanted: string } {
  const wanted = GRANT_SCOPES.filter((scope) => scopes.includes(scope) || scope === needed).join(' ');
  const message = `This access was given for "${scopes.join(' ')}", and the call needs "${needed}".`;
  const error = new TaskError('PERMISSION_DENIED', message, {
    suggestion: `Connect again and ask for "${wanted}", or leave the call to somebody who may.`,
    details: { needed_scope: needed, granted_scopes: scopes },
  });
  return { error, wanted };
}

/** Refuses what needs more of a grant than its task does otherwise. Throws PERMISSION_DENIED. */
export function requireScope({ grant }: Call, needed: GrantScope): void {
  if (grant !== undefined && !grant.scopes.includes(needed)) throw outsideGrant(grant, needed).error;
}
