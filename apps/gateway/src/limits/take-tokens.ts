import { Redis } from 'ioredis';
import { redisOptions } from '@millrace/messaging/redis';

/** Redis that is slower than this counts as away: no request waits longer for a limit. */
const PATIENCE_MS = 100;

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
 * The generic cell rate algorithm (ITU-T I.371, annex A): of a bucket only the time is kept at which it is full again,
 * which every token that is taken moves on. By the clock of Redis, which all gateways share.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now))
full = math.min(full, now + burst * interval)
local left = math.floor(burst - (full - now) / interval)
local granted = math.min(wanted, left)
if granted > 0 then
  full = full + granted * interval
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
end
return { granted, left - granted, math.ceil((full - now) / 1000) }
`;

interface TakeCommand {
  take(key: string, intervalUs: number, burst: number, wanted: number): Promise<[number, number, number]>;
}

/** A connection that would rather fail than wait: nothing queues where Redis is away. */
export function connectLimits(redisUrl: string): Redis {
  const redis = new Redis({
    ...redisOptions(redisUrl),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: PATIENCE_MS,
  });
  redis.defineCommand('take', { numberOfKeys: 1, lua: TAKE });
  // Who asks hears of it; an event that nobody hears would be written to the console.
  redis.on('error', () => undefined);
  return redis;
}

/**
 * Takes tokens of a bucket that all gateways share: as many as wanted, or those that there are.
 * @throws Error where Redis is away, or does not answer within 100 ms
 */
export async function takeTokens(
  redis: Redis,
  subject: string,
  { perMinute, burst }: Allowance,
  wanted: number,
): Promise<Grant> {
  const command = redis as unknown as TakeCommand;
  const [granted, remaining, fullInMs] = await command.take(`limit:${subject}`, 60_000_000 / perMinute, burst, wanted);
  return { granted, remaining, fullInMs };
}
