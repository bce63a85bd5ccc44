import { randomBytes, timingSafeEqual } from 'node:crypto';
import { RequestError, Server, type PrepareRequestFunctionOpts } from 'proxy-chain';
import { type AllowList } from './allow-list.js';
import { EgressRefused } from './egress-error.js';
import { lookupOutside, refuseAddress, type Resolve } from './lookup-outside.js';

/** A way out for programs that speak HTTP themselves, such as git. */
export interface EgressProxy {
  /** With name and password, which nobody else on the machine knows. */
  url: string;
  /** The first target that was refused, and why: what the program makes of it says less. */
  readonly refused: EgressRefused | null;
  close(): Promise<void>;
}

/** Starts an HTTP proxy on this machine's loopback that connects by the same rules as `Outside`. */
export async function startEgressProxy(allowed: AllowList, resolve?: Resolve): Promise<EgressProxy> {
  const password = randomBytes(24).toString('hex');
  let refused: EgressRefused | null = null;
  const lookup = lookupOutside(allowed, resolve);
  const prepare = ({ username, password: given, hostname }: PrepareRequestFunctionOpts) => {
    if (username !== 'millrace' || !isSame(given, password)) return { requestAuthentication: true };
    const problem = refuseAddress(hostname, allowed);
    refused ??= problem;
    if (problem) throw new RequestError(problem.message, 403);
    return { dnsLookup };
  };
  const dnsLookup = ((host, options, callback) =>
    lookup(host, options, (error, address, family) => {
      if (error instanceof EgressRefused) refused ??= error;
      callback(error, address, family);
    })) as typeof lookup;
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: prepare,
  } as ConstructorParameters<typeof Server>[0]);
  // A program that is ended in the middle of a request is none of our trouble.
  server.on('requestFailed', () => undefined);
  await server.listen();
  return {
    url: `http://millrace:${password}@127.0.0.1:${server.port}`,
    get refused() {
      return refused;
    },
    close: () => server.close(true),
  };
}

const isSame = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
