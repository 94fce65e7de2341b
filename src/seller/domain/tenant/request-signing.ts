/** Whether a signature has to cover the digest of the body, may not, or may. */
export const DIGEST_POLICIES = ['required', 'forbidden', 'either'] as const;
export type DigestPolicy = (typeof DIGEST_POLICIES)[number];

/** The methods of JSON-RPC that a tenant may have rules for, of MCP and of A2A, beside those for the tasks that they call. */
export const SIGNED_METHODS = ['tools/list', 'tools/call', 'message/send', 'tasks/get', 'tasks/cancel'] as const;
type SignedMethod = (typeof SIGNED_METHODS)[number];

/** The other names of those methods: in A2A 1.0, and where the answer is a stream. */
const OTHER_METHODS: ReadonlyMap<string, SignedMethod> = new Map([
  ['SendMessage', 'message/send'],
  ['GetTask', 'tasks/get'],
  ['CancelTask', 'tasks/cancel'],
  ['message/stream', 'message/send'],
  ['SendStreamingMessage', 'message/send'],
  ['tasks/resubscribe', 'tasks/get'],
  ['SubscribeToTask', 'tasks/get'],
]);

/** A tenant's rules for signed calls, under their wire names. Tasks go by the names under which they are listed. */
export type RequestSigning = {
  /** false: signatures are not looked at. */
  readonly supported: boolean;
  readonly covers_content_digest: DigestPolicy;
  /** Tasks that need a signature, or another valid credential unless `strict`. */
  readonly required_for: readonly string[];
  /** Tasks where a signature that does not hold is logged, and the other credential counts. */
  readonly warn_for: readonly string[];
  /** Methods that need a signature, or another valid credential unless `strict`, whatever they call. */
  readonly protocol_methods_required_for: readonly SignedMethod[];
  readonly protocol_methods_warn_for: readonly SignedMethod[];
  /** Another credential does not stand for a signature where one is required. */
  readonly strict: boolean;
};

/** A tenant's demand on the signatures of a task's calls: one is required, one that does not hold is forgiven, or neither. */
export type SignatureDemand = 'required' | 'forgiven' | 'none';

/** Returns the demand on a task, by the name under which it is listed; what capabilities say and what is enforced both follow from it. */
export function signatureDemand(rules: RequestSigning, task: string): SignatureDemand {
  if (!rules.supported) return 'none';
  if (rules.required_for.includes(task)) return 'required';
  return rules.warn_for.includes(task) ? 'forgiven' : 'none';
}

/** Returns the demand on a method of JSON-RPC by its name on the wire, in either revision of A2A. */
export function methodDemand(rules: RequestSigning, method: string): SignatureDemand {
  if (!rules.supported) return 'none';
  const canonical = OTHER_METHODS.get(method) ?? method;
  if (rules.protocol_methods_required_for.some((name) => name === canonical)) return 'required';
  return rules.protocol_methods_warn_for.some((name) => name === canonical) ? 'forgiven' : 'none';
}

/** An agent whose signed calls are a principal's, and where its keys are if that was agreed on; else its brand.json leads there. */
export type Signer = {
  /** Exactly as its operator lists it. */
  readonly url: string;
  readonly jwksUri?: string;
  readonly brandJsonUrl?: string;
};

/** The tasks that need proof of who calls where a tenant says nothing and somebody signs: those that spend money. */
export const SPENDING_TASKS: readonly string[] = ['create_media_buy', 'update_media_buy', 'activate_signal'];

/** The spending tasks that came with the preview, where it is served. */
export const PREVIEW_SPENDING_TASKS: readonly string[] = ['buy_products', 'accept_proposal', 'control_media_buy'];
