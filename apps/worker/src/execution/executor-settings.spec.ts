import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { checkExecutorSettings, executorSettings } from './executor-settings.js';

const read = (env: Record<string, string>) =>
  z.object(executorSettings).superRefine(checkExecutorSettings).safeParse(env);

describe('the settings of an executor', () => {
  it('are the sandbox without an image by default', () => {
    expect(read({}).data).toMatchObject({ WORKER_EXECUTOR: 'sandbox' });
  });

  it.each(['debian:12', 'registry.example.org:5000/tools/scan', `debian@sha256:${'0'.repeat(64)}`])(
    'accept the image %s for containers',
    (WORKER_IMAGE) => expect(read({ WORKER_EXECUTOR: 'docker', WORKER_IMAGE }).success).toBe(true),
  );

  it.each([{ WORKER_EXECUTOR: 'podman' }, { WORKER_EXECUTOR: 'docker' }, { WORKER_IMAGE: 'two words' }])(
    'are refused if steps cannot run with them: %j',
    (env) => expect(read(env).success).toBe(false),
  );

  it('name the settings that are missing', () => {
    const message = expect.stringContaining('WORKER_EXECUTOR is "kubernetes"');
    expect(read({ WORKER_EXECUTOR: 'kubernetes' }).error?.issues).toMatchObject([
      { path: ['WORKER_IMAGE'], message },
      { path: ['WORKER_KUBERNETES_HELPER_IMAGE'], message },
    ]);
  });
});
