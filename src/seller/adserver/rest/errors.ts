/** The answer of a REST service that will not do what was asked: a status of 400 to 499 that is neither about the key nor about the rate. */
export class RestRefusedError extends Error {
  override readonly name = 'RestRefusedError';
  readonly status: number;
  /** As it came: JSON where it was that, else text. */
  readonly body: unknown;

  constructor(message: string, { status, body }: { readonly status: number; readonly body: unknown }) {
    super(message);
    this.status = status;
    this.body = body;
  }
}
