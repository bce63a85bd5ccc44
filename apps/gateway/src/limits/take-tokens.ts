import { Redis } from 'ioredis';
import { redisOptions } from '@millrace/messaging/jobs/redis-options';

/** Redis that is slower than this counts as away: no request waits longer for a limit. */
const TIMEOUT_MS = 100;

/** Tokens that come back at an even rate, up to as many as may be held. */
export interface Allowance {
  perMinute: number;
  burst: number;
}

export interface Grant {
  granted: number;
  remaining: number;
  /** Until all of the burst is there again. */
  fullInMs: number;
}

/**
 * The generic cell rate algorithm (ITU-T I.371, annex A) for any number of buckets: of each only the time is kept at which
 * it is full again, which every token that is taken moves on. By the clock of Redis, which all gateways share.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local answer = {}
for number, key in ipairs(KEYS) do
  local full = math.max(now, tonumber(redis.call('GET', key) or now))
  full = math.min(full, now + burst * interval)
  local left = math.floor(burst - (full - now) / interval)
  local granted = math.min(tonumber(ARGV[number + 2]), left)
  if granted > 0 then
    full = full + granted * interval
    redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  end
  answer[number] = { granted, left - granted, math.ceil((full - now) / 1000) }
end
return answer
`;

interface TakeCommand {
  take(keys: number, ...keysThenArguments: (string | number)[]): Promise<[number, number, number][]>;
}

/** A connection that would rather fail than wait: nothing queues where Redis is away. */
export function connectLimits(redisUrl: string): Redis {
  const redis = new Redis({
    ...redisOptions(redisUrl),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS,
  });
  redis.defineCommand('take', { lua: TAKE });
  // Who asks hears of it; an event that nobody hears would be written to the console.
  redis.on('error', () => undefined);
  return redis;
}

export interface Wish {
  subject: string;
  tokens: number;
}

/**
 * Takes tokens of buckets that all gateways share: of each as many as wanted, or those that there are.
 * @returns a grant for each wish, in their order
 * @throws Error where Redis is away, or does not answer within 100 ms
 */
export async function takeTokens(
  redis: Redis,
  { perMinute, burst }: Allowance,
  wishes: readonly Wish[],
): Promise<Grant[]> {
  const keys = wishes.map(({ subject }) => `limit:${subject}`);
  const wanted = wishes.map(({ tokens }) => tokens);
  const command = redis as unknown as TakeCommand;
  const answer = await command.take(keys.length, ...keys, 60_000_000 / perMinute, burst, ...wanted);
  return answer.map(([granted, remaining, fullInMs]) => ({ granted, remaining, fullInMs }));
}
