/**
 * An answer that is none of a Millrace server: not JSON, or not what the contract promises. Something else is at that
 * address, or in between. The message is one line and names the address.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}
