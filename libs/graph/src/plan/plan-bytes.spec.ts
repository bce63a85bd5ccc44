import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { type Modules } from '../data/workflow-data.js';
import { draw, drawChain, label, type Drawing } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';

const LINES = { distribution: { input: 'file', mode: 'line' } } as const;
const TEXT = { type: 'STRING', order: 1, command: '-t' } as const;

const module = draw()
  .primitive('http-input-1', 'FILE', 'https://example.org/a', 'feed')
  .script('a-1', {}, { script: { source: 'x', environment: { T: '${{vars.TOKEN}}' } } })
  .script('b-1', {}, label('result'))
  .wire('http-input-1', 'a-1.file')
  .wire('a-1.file', 'b-1.file');
const modules = (space?: string): Modules => ({
  m: { workflow_id: 'w', data: module.data(), ...(space === undefined ? {} : { space }) },
});

const CASES: [what: string, drawing: Drawing, modules: Modules, format: number, sha256: string][] = [
  ['a chain', drawChain(5), {}, 1, '250c8b34adfce657e7d6f0dc79c1da5d61c5246caed1e4e4e3b5a84c01ac9045'],
  [
    'a diamond',
    draw()
      .script('a-1')
      .script('b-1', {}, { retries: 2, cache: true })
      .tool('c-1', { f: { type: 'FILE', order: 0 }, t: { ...TEXT, value: 'x' } })
      .script('d-1', {}, { network: true, bee_type: 'large', timeout_seconds: 5 })
      .wire('a-1.file', 'b-1.file')
      .wire('a-1.file', 'c-1.f')
      .wire('b-1.file', 'd-1.file')
      .wire('c-1.folder', 'd-1.folder'),
    {},
    1,
    'b9143c26ad496970582654e05e47fcb8c75cd66dba5559afb91459c9a2bd0bd8',
  ],
  [
    'a splitter, a distribution and a gather',
    draw()
      .primitive('string-input-1', 'STRING', null, 'depth')
      .script('list-1')
      .splitter('split-1')
      .tool('scan-1', { t: TEXT, depth: TEXT })
      .script('parse-1')
      .script('join-1')
      .script('each-1', {}, LINES)
      .wire('list-1.file', 'split-1.multiple')
      .wire('split-1.output', 'scan-1.t')
      .wire('string-input-1', 'scan-1.depth')
      .wire('scan-1.file', 'parse-1.file')
      .wire('parse-1.folder', 'join-1.folder')
      .wire('join-1.file', 'each-1.file'),
    {},
    1,
    'a0fb24b3272a49fc7486dca285266a1d411df41b1a56fb726f6b803ad2ed85fe',
  ],
  [
    'a module of another space',
    draw().script('a-1').module('m-1', 'm').script('z-1').wire('a-1.file', 'm-1.feed').wire('m-1.result', 'z-1.file'),
    modules('s2'),
    2,
    '9051633c737f92df064c5398a66c917eda037226ae47b719f3b062917439308c',
  ],
  [
    'a distributed module',
    draw()
      .script('a-1')
      .module('m-1', 'm', {}, { distribution: { input: 'feed', mode: 'batch', splits: 3 } })
      .script('z-1')
      .wire('a-1.file', 'm-1.feed')
      .wire('m-1.result/folder', 'z-1.folder'),
    modules(),
    1,
    '84a21f0f85390a28e568b8baba082f9d6e462044d68690af2ffbd28a3fdbb6c6',
  ],
];

// Caches and stored plans refer to plans by their hash. These hashes are those of the versions before format 3.
it.each(CASES)('the plan of %s has the same bytes as before format 3', (_, drawing, inner, format, sha256) => {
  const plan = compilePlan(drawing.data(), inner);
  expect(plan.format).toBe(format);
  expect(createHash('sha256').update(JSON.stringify(plan)).digest('hex')).toBe(sha256);
});
