import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readDocument } from '../document/document.js';
import { fromFilePlace, readYaml, toWorkflowFile, writeYaml } from './yaml-text.js';

const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '#', '"', "'", '{', '-', '|', '\t', 'é') });
const name = fc.constantFrom('a-1', 'b-1', 'c 1');
const someDocument = fc
  .record({
    nodes: fc.dictionary(name, fc.record({ type: fc.constant('SCRIPT'), script: fc.record({ source: text }) })),
    connections: fc.array(
      fc
        .tuple(name, name, fc.constantFrom('file', 'first lines', ''))
        .map(([from, to, port]) =>
          port === ''
            ? { source: { id: `output/${from}` }, destination: { id: `input/${to}` } }
            : { source: { id: `output/${from}/${port}` }, destination: { id: `input/${to}/${port}/${from}` } },
        ),
    ),
  })
  .map(readDocument);

it.each([' \n', '  \necho 1\n', '\n \necho 1', '\t\n'])(
  'a script that begins with the blank line %j keeps it',
  (source) => {
    const document = readDocument({ nodes: { 'a-1': { type: 'SCRIPT', script: { source } } } });
    const parsed = readYaml(writeYaml(document));
    expect('data' in parsed && readDocument(parsed.data)).toEqual(document);
  },
);

it('YAML that is written and read gives the same document', () => {
  fc.assert(
    fc.property(someDocument, (document) => {
      const parsed = readYaml(writeYaml(document));
      expect('data' in parsed && readDocument(parsed.data)).toEqual(document);
    }),
  );
});

it('connections are written from end to end', () => {
  const document = readDocument({
    nodes: { 'a-1': { type: 'SPLITTER' } },
    connections: [{ source: { id: 'output/x/output' }, destination: { id: 'input/a-1/multiple/x' } }],
  });
  expect(writeYaml(document)).toContain('- from: x/output\n    to: a-1/multiple');
});

it('a mistake has its line, and aliases are refused', () => {
  expect(readYaml('nodes:\n  a: [\n')).toMatchObject({ problem: { line: expect.any(Number) } });
  expect(readYaml('a: &x [1]\nb: *x')).toHaveProperty('problem');
  expect(readYaml('- a')).toHaveProperty('problem');
  expect(readYaml('')).toEqual({ data: {} });
});

it('a place in the file that is validated is a place in the text', () => {
  const lines = toWorkflowFile('nodes:\n  a-1: {}').split('\n');
  const line = lines.findIndex((one) => one.includes('a-1')) + 1;
  expect(fromFilePlace({ line, column: lines[line - 1]?.indexOf('a-1') === undefined ? 0 : 5 })).toEqual({
    line: 2,
    column: 3,
  });
});
