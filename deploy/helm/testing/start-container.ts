import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@millrace/testkit/free-port';
import type { Pod } from './kubernetes-object.js';

const REPOSITORY = join(import.meta.dirname, '../../..');
/** Ports that this suite has given out. A port is free again until its process listens, so another one could get it. */
const given = new Set<number>();

export interface RunningContainer {
  /** URL of a port of the container, by its name. */
  urlOf(port: string): string;
  /** What it wrote, for a message. */
  output: () => string;
  /** Sends SIGTERM if it runs. @returns its exit code */
  stop(): Promise<number | null>;
  exited: Promise<number | null>;
}

export interface ContainerOptions {
  /** Finds the value of a key of a Secret; undefined if it does not exist. */
  readSecret: (name: string, key: string) => string | undefined;
  /** Folder in place of the root of the container's file system. */
  root: string;
  /** Replaces the program, which is the first argument of the command that is a file. */
  program?: string[];
}

/**
 * Starts the process of a container as Kubernetes would: its command and arguments in the folder of the application, with its
 * environment. Ports are free ones of this machine, and its volumes are below `root`.
 */
export async function startContainer({ container }: Pod, options: ContainerOptions): Promise<RunningContainer> {
  const { readSecret, root } = options;
  const ports = new Map<number, number>();
  for (const { containerPort } of container.ports ?? []) ports.set(containerPort, await takePort());
  for (const { mountPath } of container.volumeMounts) mkdirSync(join(root, mountPath), { recursive: true });
  const readValue = (value: string): string => {
    if (value.startsWith('/')) return join(root, value);
    return String(ports.get(Number(value)) ?? value);
  };
  const variables = container.env.map(({ name, value, valueFrom }) => [
    name,
    valueFrom?.secretKeyRef
      ? readSecret(valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key)
      : readValue(value ?? ''),
  ]);
  const { PATH } = process.env;
  const env = { PATH, HOME: root, ...(Object.fromEntries(variables) as Record<string, string | undefined>) };
  const [, ...argv] = options.program ?? [...container.command, ...container.args.map(readValue)];
  const child = spawn(process.execPath, argv, { cwd: REPOSITORY, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    urlOf: (name) => {
      const port = container.ports?.find((one) => one.name === name)?.containerPort;
      return `http://127.0.0.1:${ports.get(port ?? 0)}`;
    },
    output: () => output,
    stop: () => terminate(child, exited),
    exited,
  };
}

async function takePort(): Promise<number> {
  const port = await freePort();
  if (given.has(port)) return takePort();
  given.add(port);
  return port;
}

function terminate(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  return exited;
}
