import type { XmlElement } from '../../../../creative/vast/xml.js';
import { RetryLaterError, UnknownOutcomeError } from '../../errors.js';
import { RestRefusedError } from '../../rest/errors.js';
import type { RestClient, RestEffect } from '../../rest/rest-client.js';
import { readAnswer, type SoapCaller, type SoapObject, writeCall } from './envelope.js';
import { errorFor, VERSION_HELP } from './reasons.js';

/** One call of the SOAP API. */
type SoapCall = {
  readonly service: string;
  readonly operation: string;
  readonly body: SoapObject;
  readonly effect: RestEffect;
  readonly signal?: AbortSignal | undefined;
};

/** A fault: Ad Manager did nothing. */
class SoapFaultError extends Error {
  override readonly name = 'SoapFaultError';
  /** Such as `OrderActionError.PERMISSION_DENIED`. */
  readonly reasons: readonly string[];

  constructor(message: string, reasons: readonly string[]) {
    super(message);
    this.reasons = reasons;
  }
}

/** Calls the SOAP API by HTTP. */
export class SoapClient {
  readonly #http: RestClient;
  readonly #caller: SoapCaller;

  constructor(http: RestClient, caller: SoapCaller) {
    this.#http = http;
    this.#caller = caller;
  }

  /** Returns what an operation answered. Throws the port's errors. */
  async call(call: SoapCall): Promise<readonly XmlElement[]> {
    try {
      return await this.#send(call);
    } catch (error) {
      if (error instanceof SoapFaultError) throw errorFor(error.reasons, error.message);
      // No fault: it is the address that is not there, and so nothing about the order.
      if (error instanceof RestRefusedError) throw new RetryLaterError(`${error.message} ${VERSION_HELP}`);
      throw error;
    }
  }

  async #send({ service, operation, body, effect, signal }: SoapCall): Promise<readonly XmlElement[]> {
    const answer = await this.#http.send({
      method: 'POST',
      path: `/apis/ads/publisher/${this.#caller.version}/${service}`,
      headers: { soapaction: '""' },
      body: { contentType: 'text/xml; charset=utf-8', bytes: writeCall(this.#caller, operation, body) },
      answer: 'text',
      // A fault comes with this status (SOAP 1.1, section 6.2).
      isAnswer: ({ status, headers }) => status === 500 && (headers['content-type'] ?? '').includes('xml'),
      effect,
      signal,
    });
    const read = readAnswer(String(answer.body), operation);
    if (read === undefined)
      throw new UnknownOutcomeError(`Google Ad Manager answered ${operation} with no SOAP message.`);
    if (read.kind === 'result') return read.values;
    throw new SoapFaultError(
      read.message,
      read.reasons.map(({ errorString, fieldPath }) =>
        fieldPath === '' ? errorString : `${errorString} at ${fieldPath}`,
      ),
    );
  }
}
