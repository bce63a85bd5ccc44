import { describe, expect, it } from '@jest/globals';
import { type Program } from '../plan/plan.js';
import { hasVersion, imageOf, isFixedImage, parseImageReference } from './image-reference.js';

const DIGEST = `sha256:${'0'.repeat(64)}`;

describe('an image reference', () => {
  it.each([
    ['debian', { name: 'debian', tag: null, digest: null }],
    ['debian:12', { name: 'debian', tag: '12', digest: null }],
    ['registry:5000/debian', { name: 'registry:5000/debian', tag: null, digest: null }],
    ['registry:5000/a/b:1.0', { name: 'registry:5000/a/b', tag: '1.0', digest: null }],
    [`debian@${DIGEST}`, { name: 'debian', tag: null, digest: DIGEST }],
    [`debian:12@${DIGEST}`, { name: 'debian', tag: '12', digest: DIGEST }],
    [' debian:12 ', { name: 'debian', tag: '12', digest: null }],
  ])('%j is split into its parts', (reference, parts) => {
    expect(parseImageReference(reference)).toEqual(parts);
  });

  it.each([
    ['debian', false, false],
    ['registry:5000/debian', false, false],
    ['debian:latest', true, false],
    ['debian:12', true, true],
    [`debian@${DIGEST}`, true, true],
    [`debian:latest@${DIGEST}`, true, true],
  ])('%j has a version: %j, is fixed: %j', (reference, version, fixed) => {
    expect([hasVersion(reference), isFixedImage(reference)]).toEqual([version, fixed]);
  });
});

it.each<[string | null, Program]>([
  [null, { kind: 'split' }],
  [null, { kind: 'script', language: 'bash', source: '', args: [] }],
  ['bash:5', { kind: 'script', language: 'bash', source: '', args: [], image: ' bash:5 ' }],
  [null, { kind: 'command', image: '', command: ['a'], args: [], outputCommand: null, outputParameter: null }],
  ['a:1', { kind: 'command', image: 'a:1', command: ['a'], args: [], outputCommand: null, outputParameter: null }],
])('the image %j belongs to the program %j', (image, program) => {
  expect(imageOf(program)).toBe(image);
});
