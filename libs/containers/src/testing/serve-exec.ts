import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import type { StubContainer } from './stub-container.js';

const [STDOUT, STDERR, STATUS, CLOSE] = [1, 2, 3, 255];

/** Runs a command in a container for a WebSocket with the protocol v5.channel.k8s.io. */
export async function serveExec(socket: WebSocket, container: StubContainer, command: string[]): Promise<void> {
  const child = container.exec(command);
  child.stdin?.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    if (data[0] === CLOSE) child.stdin?.end();
    else if (data[0] === 0) child.stdin?.write(data.subarray(1));
  });
  socket.on('close', () => child.kill('SIGKILL'));
  const send = (frame: Buffer) => new Promise<void>((resolve) => socket.send(frame, () => resolve()));
  const forward = async (channel: number, stream: Readable | null) => {
    for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>)
      await send(Buffer.concat([Buffer.of(channel), chunk]));
  };
  const exited = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 137)));
  await Promise.all([forward(STDOUT, child.stdout), forward(STDERR, child.stderr)]);
  const code = await exited;
  const failure = {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code ${code}`,
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
  const status = code === 0 ? { status: 'Success' } : failure;
  await send(Buffer.concat([Buffer.of(STATUS), Buffer.from(JSON.stringify(status))]));
  socket.close(1000);
}
