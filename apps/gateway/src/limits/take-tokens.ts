import { Redis } from 'ioredis';
import type { redisOptions } from '@millrace/messaging/jobs/redis-options';

/** A slower Redis counts as down: no request waits longer for its limit. */
const REDIS_TIMEOUT_MS = 100;

/** A bucket gains tokens at an even rate, up to `burst`. */
export interface Allowance {
  perMinute: number;
  burst: number;
}

export interface Grant {
  granted: number;
  remaining: number;
  /** Milliseconds until the bucket is full again. */
  fullInMs: number;
}

/**
 * The generic cell rate algorithm (ITU-T I.371, annex A) for any number of buckets. Each key stores the time at which its
 * bucket is full again; every token taken moves it later. Uses the clock of Redis, which all gateways share.
 */
const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local grants = {}
for number, key in ipairs(KEYS) do
  local full = math.max(now, tonumber(redis.call('GET', key) or now))
  full = math.min(full, now + burst * interval)
  local left = math.floor(burst - (full - now) / interval)
  local granted = math.min(tonumber(ARGV[number + 2]), left)
  if granted > 0 then
    full = full + granted * interval
    redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  end
  grants[number] = { granted, left - granted, math.ceil((full - now) / 1000) }
end
return grants
`;

interface TakeCommand {
  take(keys: number, ...keysThenArguments: (string | number)[]): Promise<[number, number, number][]>;
}

/** Connects so that commands fail instead of queueing while Redis is down. */
export function connectLimitsRedis(options: ReturnType<typeof redisOptions>): Redis {
  const redis = new Redis({
    ...options,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_TIMEOUT_MS,
  });
  redis.defineCommand('take', { lua: TAKE_SCRIPT });
  // Failed commands report the error; without a listener, ioredis also writes it to the console.
  redis.on('error', () => undefined);
  return redis;
}

export interface TokenRequest {
  subject: string;
  tokens: number;
}

/**
 * Takes tokens from buckets that all gateways share: the requested number from each, or as many as there are.
 * @returns a grant for each request, in order
 * @throws Error if Redis is down or does not respond within 100 ms
 */
export async function takeTokens(
  redis: Redis,
  { perMinute, burst }: Allowance,
  requests: readonly TokenRequest[],
): Promise<Grant[]> {
  const keys = requests.map(({ subject }) => `limit:${subject}`);
  const counts = requests.map(({ tokens }) => tokens);
  const command = redis as unknown as TakeCommand;
  const grants = await command.take(keys.length, ...keys, 60_000_000 / perMinute, burst, ...counts);
  return grants.map(([granted, remaining, fullInMs]) => ({ granted, remaining, fullInMs }));
}
