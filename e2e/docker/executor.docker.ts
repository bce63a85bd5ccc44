import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerExecutor } from '@millrace/containers/docker/docker-executor';
import { describeExecutorContract } from '@millrace/containers/testing/executor-contract';
import { importBusybox } from './import-busybox.js';

describeExecutorContract('docker', async () => {
  const image = importBusybox();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-docker-'));
  const executor = new DockerExecutor({ env: process.env, worker: 'w-test', folder, defaultImage: image });
  await executor.prepare();
  return {
    executor,
    image,
    missingImage: '127.0.0.1:9/no-such/image:1',
    async end() {
      await executor.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
