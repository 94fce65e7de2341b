import {
  checkBody,
  checkDigest,
  checkPurpose,
  checkRate,
  checkRevocation,
  checkSignature,
  claimNonce,
  findKey,
  ImportedKeys,
} from './checks-key.js';
import {
  checkAlgorithm,
  checkComponents,
  checkTag,
  checkWindow,
  readHeaders,
  readParameters,
} from './checks-message.js';
import { type Failure, type SignatureCode, signatureCode } from './codes.js';
import { headerReader, type ReceivedRequest } from './received.js';
import { type Check, requireStep, type Verification, type VerifierOptions } from './verification.js';

/** A request whose signature holds. */
type Verified = {
  readonly ok: true;
  readonly keyid: string;
  /** URL of the agent that published the key: the authenticated identity of the sender. */
  readonly signer: string;
  readonly alg: string;
  readonly nonce: string;
  /** Unix seconds. */
  readonly created: number;
  readonly expires: number;
  readonly covered: readonly string[];
};

/** Everything that a log may hold of a body that was refused. */
type RefusedBody = {
  readonly keyid: string;
  readonly nonce: string;
  readonly bytes: number;
  /** The names that objects of the body repeat, cut and cleaned. */
  readonly names: readonly string[];
};

/** A refusal. Without a code (status 503) nothing is wrong with the request: the sender should come again. */
export type Refused = {
  readonly ok: false;
  readonly status: 401 | 503;
  readonly code?: SignatureCode;
  readonly failure: Failure;
  readonly step: StepName;
  readonly log?: RefusedBody;
};

/** The answer of a verifier. */
export type Verdict = Verified | Refused;

/** Verifies one request; remembers its nonce when the signature holds. */
export type Verifier = (request: ReceivedRequest) => Promise<Verdict>;

/** The checklist: the first step that fails is the answer. Nothing is computed with a key before the key is proven valid. */
export const STEPS = [
  ['1 headers', readHeaders],
  ['2 parameters', readParameters],
  ['3 tag', checkTag],
  ['4 algorithm', checkAlgorithm],
  ['5 window', checkWindow],
  ['6 components', checkComponents],
  ['7 key', findKey],
  ['8 purpose', checkPurpose],
  ['9 revocation', checkRevocation],
  ['9a rate', checkRate],
  ['10 signature', checkSignature],
  ['11 digest', checkDigest],
  ['12 nonce', claimNonce],
  ['14 body', checkBody],
] as const satisfies readonly (readonly [name: string, check: Check])[];

/** The name of a step. Step 13, remembering the nonce, is one with step 12. */
type StepName = (typeof STEPS)[number][0];

const DEFAULT_SKEW_SECONDS = 60;

/** Makes a verifier of one profile. It never throws because of a request; it throws when one of its ports does. */
export function createVerifier(options: VerifierOptions): Verifier {
  const imported = new ImportedKeys();
  const importKey = (jwk: object) => imported.import(jwk);
  return async (request) => {
    const verification: Verification = {
      request,
      header: headerReader(request.headers),
      options,
      importKey,
      nowSeconds: options.now(),
      maxSkewSeconds: options.maxSkewSeconds ?? DEFAULT_SKEW_SECONDS,
    };
    for (const [step, check] of STEPS) {
      const failure = await check(verification);
      if (failure !== undefined) return refuseRequest(verification, step, failure);
    }
    const { keyid, nonce, created, expires, alg } = requireStep(verification.parameters);
    const { components: covered } = requireStep(verification.signatureFields);
    return { ok: true, keyid, signer: requireStep(verification.key).signer, alg, nonce, created, expires, covered };
  };
}

function refuseRequest(
  { options, parameters, repeatedNames, request }: Verification,
  step: StepName,
  failure: Failure,
): Refused {
  const code = signatureCode(options.profile, failure);
  if (code === undefined) return { ok: false, status: 503, failure, step };
  if (repeatedNames === undefined) return { ok: false, status: 401, code, failure, step };
  const { keyid, nonce } = requireStep(parameters);
  const log = { keyid, nonce, bytes: request.body.length, names: loggableNames(repeatedNames) };
  return { ok: false, status: 401, code, failure, step, log };
}

const MAX_LOGGED_NAMES = 4;
const MAX_LOGGED_NAME_BYTES = 32;

/**
 * Returns names that a stranger chose as a log may hold them: at most four, each up to its first character that is not printable
 * ASCII or to 32 bytes. `<sanitized:N>` counts the bytes of that name that are left out.
 */
export function loggableNames(names: readonly string[]): readonly string[] {
  return names.slice(0, MAX_LOGGED_NAMES).map((name) => {
    const shown = /^[\x20-\x7e]*/.exec(name)?.[0].slice(0, MAX_LOGGED_NAME_BYTES) ?? '';
    const hidden = Buffer.byteLength(name) - shown.length;
    return hidden === 0 ? shown : `${shown}<sanitized:${hidden}>`;
  });
}
