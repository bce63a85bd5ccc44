import { isIP } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { z } from 'zod';

type TrustProxy = NonNullable<FastifyServerOptions['trustProxy']>;

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads TRUST_PROXY into Fastify's `trustProxy`. An empty value trusts no proxy; a number is the number of proxies in
 * front; a comma-separated list names them by address, network (CIDR) or as `loopback`, `linklocal`, `uniquelocal`. No
 * value trusts everyone, because any client could then choose the address that its rate limit counts for.
 */
export function readTrustedProxies(value: string, context: z.RefinementCtx): TrustProxy {
  const text = value.trim();
  if (text === '') return false;
  if (/^\d{1,2}$/.test(text)) return (_address, hop) => hop < Number(text);
  const proxies = text.split(',').map((part) => part.trim());
  const invalid = proxies.find((proxy) => !NAMED_NETWORKS.includes(proxy) && !isNetwork(proxy));
  if (invalid !== undefined) {
    context.addIssue({
      code: 'custom',
      message: `must be a number of proxies, or a comma-separated list of addresses and networks (got "${invalid}")`,
    });
  }
  return proxies;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
