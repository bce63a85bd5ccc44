import { z } from 'zod';
import { secretEnv } from '@millrace/service/startup/env';
import { storageEnv } from '@millrace/storage/settings/storage-env';
import { readTrustedProxies } from './http/trusted-proxies.js';

const isTlsOrLocal = (text: string): boolean => {
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' };
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

/** An origin without path, as browsers send it. */
const origin = z.url({ protocol: /^https?$/ }).refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  error: 'must be an origin like https://app.example.org, without a path or a slash at its end',
});

export const gatewayEnv = secretEnv
  .extend(storageEnv.shape)
  .extend({
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    HOST: z.string().default('127.0.0.1'),
    /** Address that users open, if it differs from this host and port. */
    PUBLIC_URL: z.url().optional(),
    /** Requests per minute and credential, a sixth of which may come at once; 0 disables the limit. */
    RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).max(60_000_000).default(1200),
    /** Requests per minute of each joined worker over its link, a sixth of which may come at once; 0 disables the limit. */
    WORKER_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(0).max(60_000_000).default(30_000),
    /** Comma-separated origins whose pages may call the API from a browser; none by default. */
    CORS_ORIGINS: z
      .string()
      .default('')
      .transform((list) => list.split(',').flatMap((part) => part.trim() || []))
      .pipe(z.array(origin)),
    /** Proxies in front whose `X-Forwarded-*` headers are trusted: addresses, networks, or their number. */
    TRUST_PROXY: z.string().default('').transform(readTrustedProxies),
    /** `true` writes a line for each request to standard output. */
    ACCESS_LOG: z
      .enum(['true', 'false'])
      .default('true')
      .transform((text) => text === 'true'),
    /** Broker password of the service `worker`, in whose name the gateway connects joined workers to NATS. */
    NATS_PASSWORD_WORKER: z.string().min(1).optional(),
    GOOGLE_CLIENT_ID: z.string().min(1).optional(),
    GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
    /** An OpenID provider other than Google; plain HTTP only on this machine. */
    GOOGLE_ISSUER: z
      .url({ protocol: /^https?$/ })
      .refine(isTlsOrLocal, { error: 'must be https' })
      .default('https://accounts.google.com'),
  })
  .refine((env) => (env.GOOGLE_CLIENT_ID === undefined) === (env.GOOGLE_CLIENT_SECRET === undefined), {
    path: ['GOOGLE_CLIENT_ID'],
    error: 'set both GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or neither',
  });
export type GatewayEnv = z.output<typeof gatewayEnv>;

export const GATEWAY_ENV = Symbol('gateway environment');
