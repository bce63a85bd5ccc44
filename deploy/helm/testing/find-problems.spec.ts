import { describe, expect, it } from '@jest/globals';
import { findProblems } from './find-problems.js';
import type { KubernetesObject } from './kubernetes-object.js';

const deployment = (container: object, spec: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'auth', labels: { any: 'label' }, annotations: { any: 'annotation' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'auth' } },
    template: { metadata: { labels: { app: 'auth' } }, spec: { containers: [{ name: 'auth', ...container }] } },
    ...spec,
  },
});

describe('findProblems', () => {
  it('finds none in a valid object', () => {
    const container = { image: 'auth:1', resources: { limits: { memory: '1Gi', 'nvidia.com/gpu': 1 } } };
    expect(findProblems(deployment(container))).toEqual([]);
  });

  it('finds unknown fields at any depth, once each', () => {
    const problems = findProblems(deployment({ image: 'auth:1', comand: { a: { b: 1 } } }, { replica: 2 }));
    expect(problems).toEqual(['spec.replica is unknown', 'spec.template.spec.containers.0.comand is unknown']);
  });

  it('finds wrong types, missing fields and wrong choices', () => {
    expect(findProblems(deployment({ image: 1 }))).toEqual([expect.stringMatching(/image must be string/)]);
    expect(findProblems(deployment({ imagePullPolicy: 'Sometimes' }))).toEqual([
      expect.stringMatching(/imagePullPolicy/),
    ]);
    expect(findProblems(deployment({}, { selector: undefined }))).toEqual([expect.stringMatching(/selector/)]);
  });

  it('rejects kinds that it cannot check', () => {
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'a' } };
    expect(findProblems(object)).toEqual(['v1 Endpoints is not checked: add its model']);
  });
});
