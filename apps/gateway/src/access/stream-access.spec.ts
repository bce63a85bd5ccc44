import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import { ownerCaller } from '@millrace/testkit/callers';
import { LastingAccess } from './stream-access.js';

const ended = new ApiError('unauthenticated', 'ended');
const away = new ApiError('internal_error', 'The service is not there');

let target: PassThrough;
let caller: Caller;
/** What the next questions fail with: to auth, and to the owning service. */
let failures: { auth: Error[]; service: Error[] };
let entered: Envelope[];
let access: LastingAccess;

beforeEach(() => {
  target = new PassThrough();
  caller = ownerCaller();
  failures = { auth: [], service: [] };
  entered = [];
  const envelope: Envelope = { caller, requestId: 'r', deadline: 0, params: {}, query: {}, body: {} };
  const sources = {
    currentCaller: () => failOr(failures.auth, () => ({ ...caller })),
    enter: (from: Envelope) => failOr(failures.service, () => entered.push(from)),
  };
  access = new LastingAccess(envelope, sources, target);
});
afterEach(() => void target.destroy());

async function failOr<T>(errors: Error[], answer: () => T): Promise<T> {
  const error = errors.shift();
  if (error) throw error;
  return answer();
}

describe('what goes on for long', () => {
  it('may go on without a question to the service as long as the caller is the same', async () => {
    await access.confirm();
    expect(entered).toEqual([]);
  });

  it('is not watched where whoever asked has left already', async () => {
    target.destroy();
    await once(target, 'close');
    jest.useFakeTimers();
    access.watch();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('may not where the credential has ended', async () => {
    failures.auth = [ended];
    await expect(access.confirm()).rejects.toBe(ended);
  });

  it('is asked for again by a caller who changed, and goes on in their name', async () => {
    caller = { ...caller, vaultRole: 'member', spaces: { here: 'read' } };
    await access.confirm();
    await access.confirm();
    expect(entered).toMatchObject([{ caller, requestId: 'r' }]);
    expect(access.envelope.caller).toEqual(caller);
  });

  it.each([new NotFoundError('Run'), new ForbiddenError()])(
    'may not where the service refuses: %s',
    async (refusal) => {
      caller = { ...caller, spaces: {} };
      failures.service = [refusal, refusal];
      await expect(access.confirm()).rejects.toBe(refusal);
      await expect(access.confirm()).rejects.toBe(refusal);
    },
  );

  it('waits while nobody can tell, and then does as they say', async () => {
    caller = { ...caller, spaces: {} };
    failures = { auth: [away, away], service: [away, new NotFoundError('Run')] };
    await expect(access.confirm()).rejects.toThrow('Run does not exist in this vault.');
    expect(failures).toEqual({ auth: [], service: [] });
  });

  it('is not asked about for a reader who has gone', async () => {
    failures.auth = Array.from({ length: 10_000 }, () => away);
    const waiting = access.confirm();
    target.destroy();
    await waiting;
  });

  it('gives no part after the one that was last allowed', async () => {
    const given: number[] = [];
    const parts = async function* () {
      yield 1;
      failures.auth = [ended];
      yield 2;
    };
    const read = async () => {
      for await (const part of access.guard(parts())) given.push(part);
    };
    await expect(read()).rejects.toBe(ended);
    expect(given).toEqual([1]);
  });

  it('breaks by itself where there is nothing to send', async () => {
    access.watch();
    failures.auth = [ended];
    await once(target, 'close');
  });
});
