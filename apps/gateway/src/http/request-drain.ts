import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';

/** A request that takes longer is cut off when the gateway shuts down, within the 14 s that a shutdown may take. */
const DRAIN_TIMEOUT_MS = 8_000;

/**
 * Idle connections stay open this long, because a proxy may be sending its next request on one of them: that request then gets
 * its response, with the advice to close the connection.
 */
const IDLE_GRACE_MS = 2_000;

/** Responses without an end of their own, such as event streams. */
const liveResponses = new WeakSet<ServerResponse>();

/** Marks a response that may last for hours: a shutdown ends it at once, and its client resumes it at another gateway. */
export const markLive = (response: ServerResponse): void => void liveResponses.add(response);

/** Lets the requests that have arrived end before the gateway closes, so that a rolling restart loses none. */
export class RequestDrain {
  private readonly open = new Set<ServerResponse>();
  private readonly sockets = new Set<Socket>();
  private isDraining = false;
  private notifyIdle: () => void = () => undefined;
  private notifyDisconnected: () => void = () => undefined;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => {
        this.sockets.delete(socket);
        if (this.sockets.size === 0) this.notifyDisconnected();
      });
    });
    // First, so that it sees a response before any handler sends it.
    server.prependListener('request', (_request, response: ServerResponse) => this.track(response));
  }

  /** Accepts no more connections, and resolves when all requests have ended, or their time is over. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await acceptWaiting();
    // `close` of an HTTP server would also close the idle connections.
    NetServer.prototype.close.call(this.server);
    for (const response of this.open) {
      if (liveResponses.has(response)) response.destroy();
      else if (!response.headersSent) response.setHeader('connection', 'close');
    }
    if (this.sockets.size > 0) {
      const disconnected = new Promise<void>((resolve) => (this.notifyDisconnected = resolve));
      await Promise.race([disconnected, sleep(IDLE_GRACE_MS, undefined, { ref: false })]);
    }
    if (this.open.size === 0) return;
    const idle = new Promise<void>((resolve) => (this.notifyIdle = resolve));
    await Promise.race([idle, sleep(DRAIN_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private track(response: ServerResponse): void {
    this.open.add(response);
    // The client opens its next connection to another gateway.
    if (this.isDraining) response.setHeader('connection', 'close');
    response.on('close', () => {
      this.open.delete(response);
      if (this.open.size === 0) this.notifyIdle();
    });
  }
}

/**
 * Lets the event loop accept the connections that the kernel has completed: it would reset those that still wait when the
 * server stops to listen. The first iteration may have begun before they arrived; the second accepts all of them.
 */
async function acceptWaiting(): Promise<void> {
  await nextIteration();
  await nextIteration();
}
