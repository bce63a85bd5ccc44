import type { FastifyInstance } from 'fastify';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import type { GatewayEnv } from '../env.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
/** A Host header that names this machine. Names of other domains never match, even if they resolve to this machine. */
const OWN_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Prevents DNS rebinding: a web page whose name suddenly resolves to 127.0.0.1 has the same origin as a server there, and
 * could send and read every request that needs no token. An instance that listens on loopback therefore accepts only the
 * names of this machine, unless PUBLIC_URL or TRUST_PROXY shows that others are meant to reach it.
 */
export function rejectForeignHosts(fastify: FastifyInstance, { HOST, PUBLIC_URL, TRUST_PROXY }: GatewayEnv): void {
  if (PUBLIC_URL !== undefined || TRUST_PROXY !== false || !LOOPBACK.test(HOST)) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (OWN_HOST.test(request.host)) done();
    else
      done(
        new ForbiddenError(
          'This instance accepts requests for localhost only. Set PUBLIC_URL to the address that users open.',
        ),
      );
  });
}
