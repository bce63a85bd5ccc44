import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { FAILURE_KINDS, failureKindOf } from './failure-kind.js';

it('docs/guides/explain.md lists each kind of failure once', async () => {
  const page = await readFile(new URL('../../../../docs/guides/explain.md', import.meta.url), 'utf8');
  const [, contents = ''] = /^\| `kind` +\| ([^|]*) \|$/m.exec(page) ?? [];
  const [kinds = ''] = contents.split(';');
  expect([...kinds.matchAll(/`([^`]+)`/g)].map(([, kind]) => kind)).toEqual([...FAILURE_KINDS]);
});

it.each([
  'the sandbox ended before the step did',
  'the container ended before the step did',
  'image debian:99 cannot be pulled: not found',
  'the pod of the step did not start within 600 s (WORKER_KUBERNETES_START_SECONDS): no node takes its pod',
  'Kubernetes refuses the Job of a step: quota exceeded',
])('"%s" is a failure of the platform', (message) => {
  expect(failureKindOf(message)).toBe('platform');
});
