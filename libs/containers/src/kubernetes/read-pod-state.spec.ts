import { describe, expect, it } from '@jest/globals';
import type { V1ContainerState, V1Pod, V1PodStatus } from '@kubernetes/client-node';
import { ContainerStartError, ImageUnavailableError } from '../container-executor.js';
import { readPodState } from './read-pod-state.js';

const RUNNING = { running: {} };
const waiting = (reason: string, message?: string): V1ContainerState => ({
  waiting: { reason, ...(message && { message }) },
});
const ended = (reason: string, exitCode = 1): V1ContainerState => ({ terminated: { reason, exitCode } });

const PREEMPTED = {
  ...{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' },
  message: 'preempting to accommodate a higher priority pod',
};

function podOf(states: Record<string, V1ContainerState>, status: V1PodStatus = {}): V1Pod {
  const describe = ([name, state]: [string, V1ContainerState]) => ({
    ...{ name, state, image: `${name}:1`, imageID: '', ready: false, restartCount: 0 },
  });
  const all = Object.entries(states).map(describe);
  const isTool = ({ name }: { name: string }) => name === 'tools';
  return {
    spec: { containers: [{ name: 'step', image: 'scan:1' }] },
    status: {
      ...status,
      initContainerStatuses: all.filter(isTool),
      containerStatuses: all.filter((one) => !isTool(one)),
    },
  };
}

describe('readPodState', () => {
  it.each<[string, V1Pod | null, object]>([
    ['a pod without a status', {}, { kind: 'starting', reason: 'its pod has not started' }],
    [
      'a pod that no node takes',
      podOf({}, { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes' }] }),
      { kind: 'starting', reason: 'no node takes its pod: 0/3 nodes' },
    ],
    ['one container of two', podOf({ step: waiting('ContainerCreating'), files: RUNNING }), { kind: 'starting' }],
    ['both containers', podOf({ step: RUNNING, files: RUNNING }), { kind: 'running' }],
    ['lack of memory', podOf({ step: ended('OOMKilled'), files: RUNNING }), { kind: 'stepLost', killReason: 'memory' }],
    [
      'a step that ends by itself',
      podOf({ step: ended('Error'), files: RUNNING }),
      { kind: 'stepLost', killReason: 'lost' },
    ],
    [
      'the end of the other container',
      podOf({ step: RUNNING, files: ended('Error') }),
      { kind: 'gone', killReason: 'lost' },
    ],
    [
      'too many files',
      podOf(
        {},
        {
          phase: 'Failed',
          reason: 'Evicted',
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi.',
        },
      ),
      { kind: 'gone', killReason: 'disk' },
    ],
    [
      'a node without space',
      podOf({}, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: ephemeral-storage.' }),
      { kind: 'disrupted', reason: 'The node was low on resource: ephemeral-storage.' },
    ],
    [
      'a pod that the cluster has ended',
      podOf({ step: ended('Error', 143), files: ended('Error', 143) }, { phase: 'Failed', conditions: [PREEMPTED] }),
      { kind: 'disrupted', reason: 'preempting to accommodate a higher priority pod' },
    ],
    [
      'a step that the cluster has ended first',
      podOf({ step: ended('Error', 143), files: RUNNING }, { conditions: [PREEMPTED] }),
      { kind: 'disrupted', reason: 'preempting to accommodate a higher priority pod' },
    ],
    [
      'lack of memory in a pod that the cluster ends',
      podOf({ step: ended('OOMKilled', 137), files: RUNNING }, { conditions: [PREEMPTED] }),
      { kind: 'stepLost', killReason: 'memory' },
    ],
    [
      'a pod that the cluster will end',
      podOf({ step: RUNNING, files: RUNNING }, { conditions: [PREEMPTED] }),
      { kind: 'running' },
    ],
    ['a deleted pod', null, { kind: 'disrupted', reason: 'it was deleted' }],
    [
      'a pod that is being deleted',
      { metadata: { deletionTimestamp: new Date() } },
      { kind: 'disrupted', reason: 'it was deleted' },
    ],
    [
      'a pod that is being deleted to drain its node',
      {
        metadata: { deletionTimestamp: new Date() },
        status: { conditions: [{ type: 'DisruptionTarget', status: 'True', message: 'Eviction API: evicting' }] },
      },
      { kind: 'disrupted', reason: 'Eviction API: evicting' },
    ],
  ])('reads %s', (_title, pod, state) => expect(readPodState(pod)).toMatchObject(state));

  it.each<[string, V1Pod, new (message: string) => Error, RegExp]>([
    [
      'ImagePullBackOff',
      podOf({ step: waiting('ImagePullBackOff', 'denied') }),
      ImageUnavailableError,
      /^image scan:1 cannot be pulled: denied$/,
    ],
    [
      'InvalidImageName',
      podOf({ step: waiting('InvalidImageName') }),
      ImageUnavailableError,
      /scan:1 .*InvalidImageName/,
    ],
    [
      'StartError',
      podOf({ step: ended('StartError', 128), files: RUNNING }),
      ImageUnavailableError,
      /cannot run on its node/,
    ],
    [
      'CreateContainerConfigError',
      podOf({ step: waiting('CreateContainerConfigError', 'no') }),
      ContainerStartError,
      /cannot start the container step of a step: no/,
    ],
    [
      'a helper image without busybox',
      podOf({ tools: ended('Error') }),
      ContainerStartError,
      /cannot run \/bin\/busybox of image/,
    ],
  ])('explains %s', (_title, pod, kind, message) => {
    const state = readPodState(pod);
    expect(state).toMatchObject({ kind: 'failed', error: expect.any(kind) });
    expect((state as { error: Error }).error.message).toMatch(message);
  });
});
