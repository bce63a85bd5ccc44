import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { StreamAccess } from './stream-access.js';

const revokedError = new ApiError('unauthenticated', 'revoked');
const outage = new ApiError('internal_error', 'The service does not respond');

let target: PassThrough;
let caller: Caller;
/** Errors of the next calls to auth and to the owning service. */
let failures: { auth: Error[]; service: Error[] };
let checked: Envelope[];
let access: StreamAccess;

beforeEach(() => {
  target = new PassThrough();
  caller = ownerCaller();
  failures = { auth: [], service: [] };
  checked = [];
  const envelope: Envelope = { caller, requestId: 'r', deadline: 0, params: {}, query: {}, body: {} };
  const checks = {
    currentCaller: () => failOr(failures.auth, () => ({ ...caller })),
    checkRecordAccess: (from: Envelope) => failOr(failures.service, () => checked.push(from)),
  };
  access = new StreamAccess(envelope, checks, target);
});
afterEach(() => void target.destroy());

async function failOr<T>(errors: Error[], result: () => T): Promise<T> {
  const error = errors.shift();
  if (error) throw error;
  return result();
}

describe('access to a stream', () => {
  it('is confirmed without a call to the service while the caller is unchanged', async () => {
    await access.confirm();
    expect(checked).toEqual([]);
  });

  it('is not watched if the client has already disconnected', async () => {
    target.destroy();
    await once(target, 'close');
    jest.useFakeTimers();
    access.watch();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('ends with the credential', async () => {
    failures.auth = [revokedError];
    await expect(access.confirm()).rejects.toBe(revokedError);
  });

  it('is checked again when the caller changes, and continues in their name', async () => {
    caller = { ...caller, vaultRole: 'member', spaces: { here: 'read' } };
    await access.confirm();
    await access.confirm();
    expect(checked).toMatchObject([{ caller, requestId: 'r' }]);
    expect(access.envelope.caller).toEqual(caller);
  });

  it.each([new NotFoundError('Run'), new ForbiddenError()])('ends if the service refuses: %s', async (refusal) => {
    caller = { ...caller, spaces: {} };
    failures.service = [refusal, refusal];
    await expect(access.confirm()).rejects.toBe(refusal);
    await expect(access.confirm()).rejects.toBe(refusal);
  });

  it('is retried while auth or the service does not respond', async () => {
    caller = { ...caller, spaces: {} };
    failures = { auth: [outage, outage], service: [outage, new NotFoundError('Run')] };
    await expect(access.confirm()).rejects.toThrow('Run does not exist in this vault.');
    expect(failures).toEqual({ auth: [], service: [] });
  });

  it('is no longer checked after the client has disconnected', async () => {
    failures.auth = Array.from({ length: 10_000 }, () => outage);
    const confirmation = access.confirm();
    target.destroy();
    await confirmation;
  });

  it('yields no part after it has ended', async () => {
    const yielded: number[] = [];
    const parts = async function* () {
      yield 1;
      failures.auth = [revokedError];
      yield 2;
    };
    const read = async () => {
      for await (const part of access.guard(parts())) yielded.push(part);
    };
    await expect(read()).rejects.toBe(revokedError);
    expect(yielded).toEqual([1]);
  });

  it('destroys the connection when it ends, even if there is nothing to send', async () => {
    access.watch();
    failures.auth = [revokedError];
    await once(target, 'close');
  });
});
