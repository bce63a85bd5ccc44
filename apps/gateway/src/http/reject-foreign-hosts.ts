import type { FastifyInstance } from 'fastify';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { GatewayEnv } from '../env.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
/** A Host header that names this machine. No name of somebody else's domain does, whatever it resolves to. */
const OWN_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Against DNS rebinding: a web page whose own name suddenly resolves to 127.0.0.1 is of one origin with what listens
 * there, and could read and send everything that needs no token. So an instance that listens for this machine alone
 * answers to this machine's names alone. Where it is meant for others, whoever set that up says so.
 */
export function refuseForeignHosts(fastify: FastifyInstance, { HOST, PUBLIC_URL, TRUST_PROXY }: GatewayEnv): void {
  if (PUBLIC_URL !== undefined || TRUST_PROXY !== false || !LOOPBACK.test(HOST)) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (OWN_HOST.test(request.host)) done();
    else
      done(
        new ForbiddenError('This instance answers to localhost alone; set PUBLIC_URL to the address that people use'),
      );
  });
}
