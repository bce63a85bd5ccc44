import { isIP } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import type { z } from 'zod';

type TrustProxy = NonNullable<FastifyServerOptions['trustProxy']>;

const NAMED = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads TRUST_PROXY into Fastify's `trustProxy`: nothing trusts nobody; a number is how many proxies stand in front; a
 * comma list names them by address, network (CIDR) or as `loopback`, `linklocal`, `uniquelocal`. There is no way to say
 * "everybody": any client could then choose the address that it is limited by.
 */
export function readTrustedProxies(given: string, context: z.RefinementCtx): TrustProxy {
  const text = given.trim();
  if (text === '') return false;
  if (/^\d{1,2}$/.test(text)) return (_address, hop) => hop < Number(text);
  const proxies = text.split(',').map((part) => part.trim());
  const wrong = proxies.find((proxy) => !NAMED.includes(proxy) && !isNetwork(proxy));
  if (wrong !== undefined) {
    context.addIssue({
      code: 'custom',
      message: `"${wrong}" is neither an address, a network nor a number of proxies`,
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
