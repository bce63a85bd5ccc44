import type { OutgoingHttpHeaders } from 'node:http';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/** What is answered is data; nothing in it may load, run, frame or be framed by anything. */
const OPTIONS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  frameguard: { action: 'deny' },
  // Told only where there is TLS, which differs from request to request.
  hsts: false,
};

/** A year. Not for subdomains: who runs this may run others, without TLS. */
const HSTS = 'max-age=31536000';

/**
 * What puts helmet's headers on an answer. Helmet is asked for them once, at the start: its plugin makes all its parts
 * anew for each request, 25 µs of about 250 that a GET costs here.
 */
export async function securityHeaders(): Promise<(request: FastifyRequest, reply: FastifyReply) => void> {
  const headers = await askHelmet();
  return (request, reply) => {
    void reply.headers(headers);
    if (request.isTls) void reply.header('strict-transport-security', HSTS);
  };
}

/** All headers of a reply that is written by hand, past Fastify's own sending. */
export const handwrittenHeaders = (reply: FastifyReply, own: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  ...(reply.getHeaders() as OutgoingHttpHeaders),
  'x-request-id': reply.request.id,
  ...own,
});

async function askHelmet(): Promise<Record<string, string>> {
  const bare = Fastify().get('/', (_request, reply) => reply.send(''));
  const dressed = Fastify();
  await dressed.register(helmet, OPTIONS);
  dressed.get('/', (_request, reply) => reply.send(''));
  const [without, all] = await Promise.all([bare.inject('/'), dressed.inject('/')]);
  const added = Object.entries(all.headers).filter(([name]) => !(name in without.headers));
  await Promise.all([bare.close(), dressed.close()]);
  return Object.fromEntries(added.map(([name, value]) => [name, String(value)]));
}
