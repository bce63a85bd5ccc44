import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MillraceClient } from '@millrace/client';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { login } from '@millrace/contracts/auth/sessions';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { users } from '@millrace/contracts/resources';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { gatewaySystem, type GatewaySystem } from '@millrace/testkit/gateway-system';
import { privateRedis, type PrivateRedis } from '@millrace/testkit/private-redis';
import { repeatIfSlow } from '@millrace/testkit/repeat-if-slow';
import { start } from '../start.js';

let redis: PrivateRedis;
let system: GatewaySystem;

beforeAll(async () => {
  redis = await privateRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  system = await gatewaySystem(start);
});
afterEach(() => system.close());

let tokenCount = 0;
/** A token that no other test has used. */
function newToken(): string {
  const token = `token-${++tokenCount}`;
  system.callers.set(token, ownerCaller());
  return token;
}

const startGateway = (perMinute: number, env: Record<string, string> = {}) =>
  system.start({ RATE_LIMIT_PER_MINUTE: String(perMinute), REDIS_URL: redis.url, ...env });

/** Responses to requests that were not limited, because Redis did not respond within 100 ms. */
let unlimitedResponses = 0;

/**
 * Runs a scenario that counts rejected requests. It shows something only if the bucket gains no token meanwhile (5 s at 12
 * requests per minute) and Redis responds in time.
 */
async function undisturbed(scenario: (round: number) => Promise<void>): Promise<void> {
  await repeatIfSlow({ withinMs: 5_000, wasDisturbed: () => unlimitedResponses > 0 }, (round) => {
    unlimitedResponses = 0;
    return scenario(round);
  });
}

const sendCounted = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, init);
  if (response.status !== 429 && !response.headers.has('ratelimit-limit')) unlimitedResponses += 1;
  return response;
};

const getMe = (url: string, token?: string, address = '') =>
  sendCounted(`${url}/api/users/me`, {
    headers: {
      ...(token !== undefined && { authorization: `Token ${token}` }),
      ...(address !== '' && { 'x-forwarded-for': address }),
    },
    // A request that hangs fails alone instead of blocking the suite.
    signal: AbortSignal.timeout(60_000),
  });

async function statuses(send: (number: number) => Promise<Response>, number: number): Promise<number[]> {
  const received: number[] = [];
  for (let sent = 0; sent < number; sent += 1) received.push((await send(sent)).status);
  return received;
}

describe('a client credential', () => {
  it('may send a sixth of its requests per minute at once, across all gateways', async () => {
    const gateways = await Promise.all([startGateway(12), startGateway(12)]);
    await undisturbed(async () => {
      const token = newToken();
      const send = (number: number) => getMe(gateways[number % 2] ?? '', token);
      expect(await statuses(send, 4)).toEqual([200, 200, 429, 429]);
    });
  });

  it('receives its remaining requests and the time to retry in headers', async () => {
    const url = await startGateway(12);
    await undisturbed(async () => {
      const token = newToken();
      const responses = [await getMe(url, token), await getMe(url, token), await getMe(url, token)];
      const limits = responses.map(({ headers }) =>
        ['limit', 'policy', 'remaining'].map((name) => headers.get(`ratelimit-${name}`)),
      );
      expect(limits).toEqual([
        ['2', '2;w=10', '1'],
        ['2', '2;w=10', '0'],
        ['2', '2;w=10', '0'],
      ]);
      const last = responses[2];
      const reset = Number(last?.headers.get('ratelimit-reset'));
      const wait = Number(last?.headers.get('retry-after'));
      expect(reset).toBeGreaterThan(5);
      expect(reset).toBeLessThanOrEqual(10);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(5);
      expect(await last?.json()).toMatchObject({ code: 'rate_limited', details: { retry_after: wait } });
    });
  });

  it('does not use up the requests of another credential', async () => {
    const url = await startGateway(6);
    await undisturbed(async () => {
      const [first, second] = [newToken(), newToken()];
      expect(await statuses(() => getMe(url, first), 2)).toEqual([200, 429]);
      expect(await statuses(() => getMe(url, second), 1)).toEqual([200]);
    });
  });

  it('that waits for Retry-After succeeds, as the npm client does', async () => {
    const url = await startGateway(60);
    const client = new MillraceClient({ baseUrl: url, token: newToken() });
    for (let call = 0; call < 12; call += 1) await client.call(users.getMe);
  });

  it('that sends many requests causes few calls to Redis', async () => {
    const url = await startGateway(60_000);
    await undisturbed(async () => {
      const token = newToken();
      const before = await redis.countCalls('evalsha');
      await Promise.all(Array.from({ length: 1_000 }, () => getMe(url, token)));
      // 1 + 2 + 4 + … + 512 is 1,023 tokens in ten batches; batches that expire on a slow machine start again at a small size.
      expect((await redis.countCalls('evalsha')) - before).toBeLessThan(50);
    });
  });
});

describe('a client address', () => {
  it('is limited for public operations', async () => {
    system.auth.on(login, () => Promise.reject(new ApiError('invalid_credentials', 'no')));
    const url = await startGateway(12, { TRUST_PROXY: '1' });
    const send = (address: string) =>
      sendCounted(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: '{"email":"a@b.c","password":"x"}',
      });
    await undisturbed(async (round) => {
      expect(await statuses(() => send(`203.0.113.${round}`), 3)).toEqual([400, 400, 429]);
      expect(await statuses(() => send(`203.0.113.${100 + round}`), 1)).toEqual([400]);
    });
  });

  it('is limited for refused credentials, and further ones cause no request to auth', async () => {
    let requests = 0;
    system.auth.on(resolveCaller, () => {
      requests += 1;
      return { caller: null };
    });
    const url = await startGateway(12, { TRUST_PROXY: '1' });
    await undisturbed(async (round) => {
      requests = 0;
      const send = (number: number) => getMe(url, `made-up-${round}-${number}`, `198.51.100.${round}`);
      expect(await statuses(send, 6)).toEqual([401, 401, 429, 429, 429, 429]);
      // The third is rejected only after the request to auth.
      expect(requests).toBe(3);
    });
  });

  it('without requests left does not block a known credential', async () => {
    const url = await startGateway(12, { TRUST_PROXY: '1' });
    await undisturbed(async (round) => {
      const token = newToken();
      const address = `192.0.2.${round}`;
      expect((await getMe(url, token, address)).status).toBe(200);
      expect(await statuses(() => getMe(url, undefined, address), 3)).toEqual([401, 401, 429]);
      expect((await getMe(url, token, address)).status).toBe(200);
    });
  });
});

it('health checks, the API description and its page are not limited', async () => {
  const url = await startGateway(6);
  for (const path of ['/health/live', '/api/openapi.json', '/api/docs']) {
    expect({ path, statuses: await statuses(() => fetch(`${url}${path}`), 4) }).toEqual({
      path,
      statuses: [200, 200, 200, 200],
    });
  }
});

it('RATE_LIMIT_PER_MINUTE=0 disables the limits', async () => {
  const url = await startGateway(0);
  const response = await getMe(url, newToken());
  expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

describe('without Redis', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'all requests are admitted after %s, until Redis is back',
    async (signal) => {
      const url = await startGateway(6);
      await undisturbed(async () => {
        const token = newToken();
        expect(await statuses(() => getMe(url, token), 2)).toEqual([200, 429]);
      });
      await redis.signal(signal);
      const other = newToken();
      expect(await statuses(() => getMe(url, other), 20)).toEqual(Array(20).fill(200));
      if (signal === 'SIGKILL') await redis.start();
      else await redis.signal('SIGCONT');
      await undisturbed(async () => {
        const third = newToken();
        await eventually(async () => expect((await getMe(url, third)).headers.get('ratelimit-limit')).toBe('1'));
        expect((await getMe(url, third)).status).toBe(429);
      });
    },
  );

  it('a gateway starts and admits all requests', async () => {
    const url = await startGateway(6, { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(await statuses(() => getMe(url, newToken()), 3)).toEqual([200, 200, 200]);
  });
});
