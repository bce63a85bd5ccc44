import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ValidationError } from '@millrace/contracts/kit/api-error';

/** `uri-host [":" port]` (RFC 9110, 7.2): a name or an IPv4 address, or an IPv6 address in brackets. No user, no path. */
const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+;=%-]+)(:\d*)?$/i;
/** An absolute request target, which proxies send (RFC 9112, 3.2.2). */
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * If a request names two hosts, a proxy may use one of them and the gateway the other. Node silently uses the first of
 * several `Host` fields, and the router drops the host of an absolute target.
 * @returns the error to respond with; null if the request names exactly one host (RFC 9112, 3.2)
 */
export function findBadHost({ rawHeaders, httpVersion, url = '' }: IncomingMessage): ValidationError | null {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  if (hosts.length > 1) return new ValidationError({ 'header.Host': `must be sent once (got ${hosts.length})` });
  const [host] = hosts;
  // HTTP/1.0 clients, such as simple health checks, send none. For later versions Node itself refuses the request.
  if (host === undefined && httpVersion !== '1.0') return new ValidationError({ 'header.Host': 'is required' });
  if (host !== undefined && !HOST_HEADER.test(host)) {
    return new ValidationError({ 'header.Host': 'must be a host, optionally followed by a colon and a port' });
  }
  const target = ABSOLUTE_TARGET.exec(url);
  const isOtherHost = target !== null && target[1]?.toLowerCase() !== host?.toLowerCase();
  return isOtherHost ? new ValidationError({ 'header.Host': 'must name the host of the request target' }) : null;
}

/** The path of an absolute request target for this host; every other target unchanged. */
export function toOriginForm(request: IncomingMessage): string {
  const { url = '' } = request;
  const path = findBadHost(request) === null ? ABSOLUTE_TARGET.exec(url)?.[2] : undefined;
  if (path === undefined) return url;
  return path.startsWith('/') ? path : `/${path}`;
}

/** Rejects with 400 requests that name two hosts or an invalid one. */
export function rejectBadHosts(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => done(findBadHost(request.raw) ?? undefined));
}
