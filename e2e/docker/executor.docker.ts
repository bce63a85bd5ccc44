import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ExecutorUnavailableError } from '@millrace/containers/container-executor';
import { DockerExecutor } from '@millrace/containers/docker/docker-executor';
import { readDockerHost } from '@millrace/containers/docker/docker-host';
import { describeExecutorContract } from '@millrace/containers/testing/executor-contract';
import { startContainerSlot } from '@millrace/containers/testing/start-container-slot';
import { importBusybox } from './import-busybox.js';

let [image, folder] = ['', ''];
beforeAll(() => {
  [image, folder] = [importBusybox(), mkdtempSync(join(tmpdir(), 'millrace-docker-'))];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A proxy in front of the daemon, which cuts the connection of the next request with a path like this. */
async function startProxy() {
  const { socketPath, host, port } = readDockerHost(process.env).options;
  const daemon = socketPath ? { path: socketPath } : { host: String(host), port: Number(port) };
  const requests = new Map<Socket, string>();
  const server = createServer((client) => {
    const upstream = connect(daemon);
    client.once('data', (head: Buffer) => requests.set(client, head.toString('latin1').split('\r\n', 1)[0] ?? ''));
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: async (path: string) => {
      const isOpen = ([client, request]: [Socket, string]) => request.includes(path) && !client.destroyed;
      while (![...requests].some(isOpen)) await new Promise((resolve) => setTimeout(resolve, 50));
      // The daemon has the request.
      await new Promise((resolve) => setTimeout(resolve, 500));
      [...requests].find(isOpen)?.[0].destroy();
    },
    close: () => server.close(),
  };
}

const makeExecutor = () =>
  new DockerExecutor({ env: process.env, worker: 'w-test', folder: join(folder, 'worker-1'), defaultImage: image });
const listContainers = (): string =>
  execFileSync('docker', ['ps', '--all', '--quiet', '--filter', `label=dev.millrace.work-folder=${folder}/worker-1`], {
    encoding: 'utf8',
  });

describeExecutorContract('docker', async () => {
  const executor = makeExecutor();
  await executor.prepare();
  return { executor, image, missingImage: '127.0.0.1:9/no-such/image:1', end: () => executor.close() };
});

it('a step with the network has an interface in a network of its container', async () => {
  const executor = makeExecutor();
  await executor.prepare();
  const one = startContainerSlot(executor, image);
  const { stdout } = await one.sh('grep : /proc/net/dev | cut -d: -f1', { network: true });
  expect(stdout.split('\n').map((name) => name.trim())).toEqual(expect.arrayContaining(['lo', 'eth0']));
  await one.end();
});

it('a worker removes the containers that an earlier process in its folder has left', async () => {
  const [first, second] = [makeExecutor(), makeExecutor()];
  await first.prepare();
  const one = startContainerSlot(first, image);
  const running = one.sh('sleep 600');
  while (listContainers() === '') await new Promise((resolve) => setTimeout(resolve, 50));
  await second.prepare();
  expect((await running).code).not.toBe(0);
  expect(listContainers()).toBe('');
  await one.end();
});

it('a volume that an image declares is in memory, and ends with the container', async () => {
  const withVolume = importBusybox('volume', ['VOLUME /data']);
  const executor = makeExecutor();
  await executor.prepare();
  const one = startContainerSlot(executor, withVolume);
  const { code, stdout } = await one.sh('echo text > /data/file && grep " /data " /proc/mounts');
  expect([code, stdout.split(' ')[2]]).toEqual([0, 'tmpfs']);
  await one.end();
});

it('a step goes on if the connection on which its worker waits for its end is lost', async () => {
  const proxy = await startProxy();
  const env = { DOCKER_HOST: `tcp://127.0.0.1:${proxy.port}` };
  const executor = new DockerExecutor({ env, worker: 'w-test', folder: join(folder, 'worker-2'), defaultImage: image });
  await executor.prepare();
  const one = startContainerSlot(executor, image);
  const running = one.sh('echo first; sleep 3; echo last; exit 5');
  await proxy.cut('/wait');
  expect(await running).toMatchObject({ code: 5, killReason: null, stdout: 'first\nlast\n' });
  await one.end();
  proxy.close();
});

it('a worker does not start if no daemon responds, and names the remedy', async () => {
  const env = { DOCKER_HOST: `unix://${folder}/no.sock` };
  const executor = new DockerExecutor({ env, worker: 'w-test', folder, defaultImage: image });
  await expect(executor.prepare()).rejects.toThrow(ExecutorUnavailableError);
  await expect(executor.prepare()).rejects.toThrow('Install and start Docker, or set DOCKER_HOST.');
});
