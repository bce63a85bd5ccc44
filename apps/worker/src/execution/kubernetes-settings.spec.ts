import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { kubernetesSettings } from './kubernetes-settings.js';

const read = (env: Record<string, string>) => z.object(kubernetesSettings).safeParse(env);
const readPod = (text: string) => read({ WORKER_KUBERNETES_POD: text });

describe('the settings of the executor kubernetes', () => {
  it('have defaults', () => {
    expect(read({}).data).toEqual({
      WORKER_KUBERNETES_CPU: '250m',
      WORKER_KUBERNETES_POD: {},
      WORKER_KUBERNETES_START_SECONDS: 600,
      WORKER_KUBERNETES_DEADLINE_SECONDS: 604_800,
    });
  });

  it('accept parts of a pod, with its names', () => {
    const pod = {
      serviceAccountName: 'steps',
      nodeSelector: { pool: 'steps' },
      tolerations: [{ key: 'steps', operator: 'Exists' }],
      runtimeClassName: 'gvisor',
    };
    expect(readPod(JSON.stringify(pod)).data?.WORKER_KUBERNETES_POD).toEqual(pod);
  });

  it.each([
    ['text that is not JSON', 'nodeSelector', /must be JSON such as/],
    ['an unknown part', '{"hostNetwork":true}', /hostNetwork/],
    ['a value of another type', '{"nodeSelector":["a"]}', /nodeSelector/],
  ])('refuse %s', (_title, text, message) => {
    expect(JSON.stringify(readPod(text).error?.issues)).toMatch(message);
  });

  it.each([
    { WORKER_KUBERNETES_CPU: 'two' },
    { WORKER_KUBERNETES_NAMESPACE: 'A b' },
    { WORKER_KUBERNETES_START_SECONDS: '0' },
  ])('refuse %j', (env) => expect(read(env).success).toBe(false));
});
