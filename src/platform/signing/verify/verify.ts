import { type Attempt, type Check, known, type VerifierOptions } from './attempt.js';
import {
  checkBody,
  checkDigest,
  checkPurpose,
  checkRate,
  checkRevocation,
  checkSignature,
  claimNonce,
  findKey,
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
import { loggableNames } from './duplicate-keys.js';
import { headerReader, type ReceivedRequest } from './received.js';

export type { FoundKey, VerifierOptions } from './attempt.js';

/** A request whose signature holds. */
export type Verified = {
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

/** A refusal. Without a code (status 503) nothing is wrong with the request: the sender should come again. */
export type Refused = {
  readonly ok: false;
  readonly status: 401 | 503;
  readonly code?: SignatureCode;
  readonly failure: Failure;
  readonly step: StepName;
  /** What a log may hold of a body that was refused; never more. */
  readonly log?: {
    readonly keyid: string;
    readonly nonce: string;
    readonly bytes: number;
    readonly names: readonly string[];
  };
};

/** What a verifier answers. */
export type Verdict = Verified | Refused;

/** Verifies one request; remembers its nonce when the signature holds. */
export type Verifier = (request: ReceivedRequest) => Promise<Verdict>;

/** The checklist (facts 2.3, 3.2): the first that fails is the answer. Nothing is computed with a key before it is known to be valid. */
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

/** A step of the list. Step 13, keeping the nonce, is one with step 12. */
export type StepName = (typeof STEPS)[number][0];

const DEFAULT_SKEW_SECONDS = 60;

/** A verifier of one profile. It never throws for what a request holds; a port that throws makes it throw. */
export function createVerifier(options: VerifierOptions): Verifier {
  return async (request) => {
    const at: Attempt = {
      request,
      header: headerReader(request.headers),
      options,
      nowSeconds: options.now(),
      maxSkewSeconds: options.maxSkewSeconds ?? DEFAULT_SKEW_SECONDS,
    };
    for (const [step, check] of STEPS) {
      const failure = await check(at);
      if (failure !== undefined) return refusal(at, step, failure);
    }
    const { keyid, nonce, created, expires, alg } = known(at.parameters);
    const { components } = known(at.fields);
    return { ok: true, keyid, signer: known(at.found).signer, alg, nonce, created, expires, covered: components };
  };
}

function refusal({ options, parameters, repeatedNames, request }: Attempt, step: StepName, failure: Failure): Refused {
  const code = signatureCode(options.profile, failure);
  if (code === undefined) return { ok: false, status: 503, failure, step };
  if (repeatedNames === undefined) return { ok: false, status: 401, code, failure, step };
  const { keyid, nonce } = known(parameters);
  const log = { keyid, nonce, bytes: request.body.length, names: loggableNames(repeatedNames) };
  return { ok: false, status: 401, code, failure, step, log };
}
