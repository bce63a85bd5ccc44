import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ValidationError } from '@millrace/contracts/kit/api-error';

/** `uri-host [":" port]` (RFC 9110, 7.2): a name or an IPv4 address, or an IPv6 address in brackets. No user, no path. */
const HOST = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+;=%-]+)(:\d*)?$/i;
/** An absolute request target, which proxies send (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * A request that names two hosts may be read as meant for one by a proxy and for the other by us. Node silently takes the
 * first of several `Host` fields, and the router drops the host of an absolute target.
 * @returns what is wrong with the request; null if it names exactly one host (RFC 9112, 3.2)
 */
export function findBadHost({ rawHeaders, httpVersion, url = '' }: IncomingMessage): ValidationError | null {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  if (hosts.length > 1) return new ValidationError({ 'header.Host': `must be sent once (got ${hosts.length})` });
  const [host] = hosts;
  // A client of HTTP/1.0, such as a simple health check, sends none; of later versions Node refuses that itself.
  if (host === undefined && httpVersion !== '1.0') return new ValidationError({ 'header.Host': 'is missing' });
  if (host !== undefined && !HOST.test(host)) {
    return new ValidationError({ 'header.Host': 'must be a host and, after a colon, a port' });
  }
  const target = ABSOLUTE.exec(url);
  const isOther = target !== null && target[1]?.toLowerCase() !== host?.toLowerCase();
  return isOther ? new ValidationError({ 'header.Host': 'must name the host of the request target' }) : null;
}

/** The path of an absolute request target of ours; every other target as it is. */
export function toOriginForm(request: IncomingMessage): string {
  const { url = '' } = request;
  const rest = findBadHost(request) === null ? ABSOLUTE.exec(url)?.[2] : undefined;
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Refuses with 400 what names two hosts, or none that is a host. */
export function refuseBadHosts(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => done(findBadHost(request.raw) ?? undefined));
}
