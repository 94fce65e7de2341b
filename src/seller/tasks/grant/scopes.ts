import type { GrantScope } from '../../domain/tenant/grant.js';
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
