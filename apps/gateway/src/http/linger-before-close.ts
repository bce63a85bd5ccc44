import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface LingerLimits {
  /** How long the rest of a request is read at most. */
  timeoutMs: number;
  /** How long the client may send nothing. */
  idleTimeoutMs: number;
  /** What is read of the rest at most. A client that sends more then only has time to read the response. */
  maxBytes: number;
}

/** The times are those of nginx (`lingering_time`, `lingering_timeout`). */
const LIMITS: LingerLimits = { timeoutMs: 30_000, idleTimeoutMs: 5_000, maxBytes: 64 * 1024 * 1024 };

/** How often a rest is compared with its limits. */
const CHECK_INTERVAL_MS = 100;

/**
 * Reads and discards the rest of a request whose response is complete before all of the request has arrived, for example a 413,
 * and closes its connection after that (a "lingering close"). If a connection with unread bytes is closed, the kernel resets it, and
 * a client that still sends gets `EPIPE` or `ECONNRESET` instead of the response. Call it before any other hook is added.
 */
export function lingerBeforeClose(fastify: FastifyInstance, limits = LIMITS): void {
  const closing = new WeakSet<Socket>();
  fastify.server.prependListener('request', (request: IncomingMessage, response) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    // Before Node's own listener, which closes the connection.
    response.prependListener('finish', () => {
      if (!request.complete && !socket.destroyed) discardRest(request, socket, { limits, closing });
    });
  });
  // A client may have sent its next request, whose response it would not get: RFC 9112, section 9.6, forbids to handle it.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (closing.has(request.raw.socket)) reply.hijack();
    done();
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function discardRest(
  request: IncomingMessage,
  socket: Socket,
  { limits, closing }: { limits: LingerLimits; closing: WeakSet<Socket> },
): void {
  const startedAt = performance.now();
  const bytesBefore = socket.bytesRead;
  let [lastBytes, lastProgressAt] = [bytesBefore, startedAt];

  // Node calls this method right after this function if the connection is not to be used again.
  socket.destroySoon = () => {
    closing.add(socket);
    // The client sees the end of the response, and this side can still read.
    socket.end();
  };
  const stop = () => {
    clearInterval(timer);
    request.off('close', stop);
    socket.off('close', stop);
    if (closing.has(socket)) socket.destroy();
    else Reflect.deleteProperty(socket, 'destroySoon');
  };
  const check = () => {
    const { bytesRead } = socket;
    const now = performance.now();
    if (bytesRead > lastBytes) [lastBytes, lastProgressAt] = [bytesRead, now];
    if (bytesRead - bytesBefore > limits.maxBytes) socket.pause();
    if (now - startedAt > limits.timeoutMs || now - lastProgressAt > limits.idleTimeoutMs) socket.destroy();
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  request.once('close', stop);
  socket.once('close', stop);
  request.unpipe();
  request.resume();
}
