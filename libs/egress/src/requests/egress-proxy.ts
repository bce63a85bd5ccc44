import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Socket } from 'node:net';
import { RequestError, Server, type PrepareRequestFunctionOpts } from 'proxy-chain';
import { type AllowList } from '../addresses/allow-list.js';
import { guardedLookup, refuseAddress, type Resolve } from '../addresses/guarded-lookup.js';
import { type EgressError } from './egress-error.js';
import { explainFailure } from './explain-failure.js';

/** A local HTTP proxy for programs with an HTTP client of their own, such as git. */
export interface EgressProxy {
  /** Includes a user name and a password that only its creator has. */
  url: string;
  /** Why the first target was rejected or could not be resolved; the program itself reports less. */
  readonly failure: EgressError | null;
  /** Bytes received from outside and passed to the program so far. */
  readonly received: number;
  close(): Promise<void>;
}

/** Starts an HTTP proxy on the loopback interface that connects by the same rules as `EgressClient`. */
export async function startEgressProxy(allowed: AllowList, resolve?: Resolve): Promise<EgressProxy> {
  const password = randomBytes(24).toString('hex');
  let failure: EgressError | null = null;
  const lookup = guardedLookup(allowed, resolve);
  const prepare = ({ username, password: receivedPassword, hostname }: PrepareRequestFunctionOpts) => {
    if (username !== 'millrace' || !isSame(Buffer.from(receivedPassword), Buffer.from(password)))
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
  // A program that is stopped during a request is not an error of the proxy.
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
  let closedBytes = 0;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      closedBytes += socket.bytesWritten;
    });
  });
  return () => [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes);
}

const isSame = (actual: Buffer, expected: Buffer): boolean =>
  actual.length === expected.length && timingSafeEqual(actual, expected);
