import { once } from 'node:events';
import type { RequestOptions } from 'node:https';
import { stringify } from 'node:querystring';
import type { Readable, Writable } from 'node:stream';
import type { KubeConfig, V1Status } from '@kubernetes/client-node';
import WebSocket from 'ws';

/** Channels of the protocol v5.channel.k8s.io (k8s.io/apimachinery/pkg/util/remotecommand). */
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const CLOSE = 255;
/** Only this version can close standard input. API servers have it since Kubernetes 1.30. */
const PROTOCOL = 'v5.channel.k8s.io';
const HANDSHAKE_TIMEOUT_MS = 20_000;
/** A connection without a sign of life for two of these is lost. */
const PING_INTERVAL_MS = 20_000;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** The connection ended before the command did, so nobody knows how the command went on. */
export class ConnectionLostError extends Error {
  override name = 'ConnectionLostError';
}

/** Kubernetes could not run the command, for example because its container has ended. */
export class ExecFailedError extends Error {
  override name = 'ExecFailedError';

  /** @param isTransient whether the reason may be an outage, for example of the kubelet */
  constructor(
    message: string,
    readonly isTransient: boolean,
  ) {
    super(message);
  }
}

export interface ExecTarget {
  config: KubeConfig;
  namespace: string;
  pod: string;
  container: string;
}

export interface ExecStreams {
  stdin?: Readable;
  stdout?: Writable;
  stderr?: Writable;
}

/**
 * Runs a command in a container, over one WebSocket. Data is not buffered: each side waits for the other. Neither of the two
 * writable streams is ended.
 * @returns the exit code of the command
 * @throws ConnectionLostError, ExecFailedError; the reason of `signal`; errors of the streams
 */
export async function execInPod(
  target: ExecTarget,
  command: readonly string[],
  streams: ExecStreams,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const session = new ExecSession(streams);
  const socket = await connect(target, command, streams, (channel, data) => session.receive(channel, data));
  return session.run(socket, signal);
}

async function connect(
  { config, namespace, pod, container }: ExecTarget,
  command: readonly string[],
  { stdin, stdout, stderr }: ExecStreams,
  receive: (channel: number, data: Buffer) => void,
): Promise<WebSocket> {
  const query = {
    ...{ container, command, tty: false },
    ...{ stdin: stdin !== undefined, stdout: stdout !== undefined, stderr: stderr !== undefined },
  };
  const server = config.getCurrentCluster()?.server ?? '';
  const url = `${server.replace(/^http/, 'ws')}/api/v1/namespaces/${namespace}/pods/${pod}/exec?${stringify(query)}`;
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { checkServerIdentity: _, ...tls } = options;
  const socket = new WebSocket(url, [PROTOCOL], {
    ...(tls as WebSocket.ClientOptions),
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  socket.on('message', (data: Buffer) => receive(data[0] ?? CLOSE, data.subarray(1)));
  try {
    await once(socket, 'open');
    return socket;
  } catch (error) {
    const { message = 'no connection' } = error as { message?: string };
    // ws reports the status of a refused upgrade in its message alone.
    if (/Unexpected server response: (400|401|403|404)|subprotocol/.test(message))
      throw new ExecFailedError(message, false);
    throw new ConnectionLostError(message);
  }
}

/** One command in a container, from the first frame to the status. */
class ExecSession {
  private readonly ended = Promise.withResolvers<number>();
  private socket: WebSocket | null = null;
  /** Streams that are full: nothing is read until they are written. */
  private full = 0;
  private isAlive = true;

  constructor(private readonly streams: ExecStreams) {
    this.ended.promise.catch(() => undefined);
    for (const stream of [streams.stdout, streams.stderr])
      stream?.on('error', (error: Error) => this.ended.reject(error));
  }

  async run(socket: WebSocket, signal: AbortSignal): Promise<number> {
    this.socket = socket;
    if (this.full > 0) socket.pause();
    const abort = () => this.ended.reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    socket.on('pong', () => (this.isAlive = true));
    socket.on('close', (code, reason) => this.lose(`closed with code ${code} ${reason.toString()}`));
    socket.on('error', (error) => this.lose(error.message));
    const timer = setInterval(() => this.ping(socket), PING_INTERVAL_MS);
    if (socket.readyState !== WebSocket.OPEN) this.lose('closed at once');
    const { stdin } = this.streams;
    if (stdin) this.send(socket, stdin).catch((error: Error) => this.ended.reject(error));
    try {
      return await this.ended.promise;
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
      socket.terminate();
    }
  }

  receive(channel: number, data: Buffer): void {
    this.isAlive = true;
    if (channel === STATUS) return this.finish(data);
    const target = channel === STDOUT ? this.streams.stdout : channel === STDERR ? this.streams.stderr : undefined;
    if (!target || data.length === 0) return;
    if (target.write(data)) return;
    this.full += 1;
    this.socket?.pause();
    target.once('drain', () => {
      this.full -= 1;
      if (this.full === 0) this.socket?.resume();
    });
  }

  private async send(socket: WebSocket, stdin: Readable): Promise<void> {
    const write = (frame: Buffer) =>
      new Promise<void>((resolve, reject) => {
        socket.send(frame, (error) => (error ? reject(new ConnectionLostError(error.message)) : resolve()));
      });
    for await (const chunk of stdin as AsyncIterable<Buffer>) await write(Buffer.concat([Buffer.of(STDIN), chunk]));
    await write(Buffer.of(CLOSE, STDIN));
  }

  private ping(socket: WebSocket): void {
    // A paused socket does not read pongs either.
    if (!this.isAlive && this.full === 0) return this.lose('no sign of life');
    this.isAlive = false;
    socket.ping();
  }

  private finish(data: Buffer): void {
    const status = JSON.parse(data.toString()) as V1Status;
    if (status.status === 'Success') return this.ended.resolve(0);
    const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
    if (status.reason === 'NonZeroExitCode' && cause) return this.ended.resolve(Number(cause.message));
    const message = status.message ?? 'Kubernetes could not run a command in a pod';
    this.ended.reject(new ExecFailedError(message, (status.code ?? 500) >= 500));
  }

  private lose(reason: string): void {
    this.ended.reject(new ConnectionLostError(`The connection to a container was lost: ${reason}`));
  }
}
