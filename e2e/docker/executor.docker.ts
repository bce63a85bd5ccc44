import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ExecutorUnavailableError } from '@millrace/containers/container-executor';
import { DockerExecutor } from '@millrace/containers/docker/docker-executor';
import { describeExecutorContract } from '@millrace/containers/testing/executor-contract';
import { startContainerSlot } from '@millrace/containers/testing/start-container-slot';
import { importBusybox } from './import-busybox.js';

let [image, folder] = ['', ''];
beforeAll(() => {
  [image, folder] = [importBusybox(), mkdtempSync(join(tmpdir(), 'millrace-docker-'))];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

it('a worker does not start if no daemon responds, and names the remedy', async () => {
  const env = { DOCKER_HOST: `unix://${folder}/no.sock` };
  const executor = new DockerExecutor({ env, worker: 'w-test', folder, defaultImage: image });
  await expect(executor.prepare()).rejects.toThrow(ExecutorUnavailableError);
  await expect(executor.prepare()).rejects.toThrow('Install and start Docker, or set DOCKER_HOST.');
});
