import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Socket } from 'node:net';
import { RequestError, Server, type PrepareRequestFunctionOpts } from 'proxy-chain';
import { type AllowList } from './allow-list.js';
import { type EgressError } from './egress-error.js';
import { explainFailure } from './explain-failure.js';
import { guardedLookup, refuseAddress, type Resolve } from './guarded-lookup.js';

/** A way out for programs that speak HTTP themselves, such as git. */
export interface EgressProxy {
  /** With name and password, which nobody else on the machine knows. */
  url: string;
  /** Why the first target that was refused, or is not known, was so: what the program makes of it says less. */
  readonly failure: EgressError | null;
  /** Bytes that came from outside and went to the program so far. */
  readonly received: number;
  close(): Promise<void>;
}

/** Starts an HTTP proxy on this machine's loopback that connects by the same rules as `Outside`. */
export async function startEgressProxy(allowed: AllowList, resolve?: Resolve): Promise<EgressProxy> {
  const password = randomBytes(24).toString('hex');
  let failure: EgressError | null = null;
  const lookup = guardedLookup(allowed, resolve);
  const prepare = ({ username, password: given, hostname }: PrepareRequestFunctionOpts) => {
    if (username !== 'millrace' || !isSame(Buffer.from(given), Buffer.from(password)))
      return { requestAuthentication: true };
    const problem = refuseAddress(hostname, allowed);
    failure ??= problem;
    if (problem) throw new RequestError(problem.message, 403);
    return { dnsLookup };
  };
  const dnsLookup = ((host, options, callback) =>
    lookup(host, options, (error, address, family) => {
      if (error) failure ??= explainFailure(error);
      callback(error, address, family);
    })) as typeof lookup;
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: prepare,
  } as ConstructorParameters<typeof Server>[0]);
  // A program that is ended in the middle of a request is none of our trouble.
  server.on('requestFailed', () => undefined);
  const received = countReceived(server);
  await server.listen();
  return {
    url: `http://millrace:${password}@127.0.0.1:${server.port}`,
    get failure() {
      return failure;
    },
    get received() {
      return received();
    },
    close: () => server.close(true),
  };
}

function countReceived({ server }: Server): () => number {
  const open = new Set<Socket>();
  let closed = 0;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      closed += socket.bytesWritten;
    });
  });
  return () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, closed);
}

const isSame = (given: Buffer, wanted: Buffer): boolean =>
  given.length === wanted.length && timingSafeEqual(given, wanted);
