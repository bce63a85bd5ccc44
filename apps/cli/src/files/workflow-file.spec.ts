import { describe, expect, it } from '@jest/globals';
import { CliError } from '../cli-error.js';
import { parseWorkflowFile } from './workflow-file.js';

const HEAD = 'name: Count\nworkflow:\n  nodes:\n    count-1: { type: SCRIPT, script: { source: wc } }\n';

const UNKNOWN_FIELDS = `a.yaml is not a workflow file:
  line 6, column 12: execute.input: is not a known field; did you mean \`inputs\`?
  line 6, column 23: execute.nix: is not a known field
  line 5, column 1: edges: is not a known field
  line 7, column 1: version: is not a known field`;

describe('a workflow file', () => {
  it('may have connections in any form, and retains them and unknown fields', () => {
    const text = `${HEAD}  connections:
    - { from: text/output, to: input/count-1/file }
    - { source: { id: output/a/file }, destination: { id: input/b/file }, color: red }
    - { source: output/a/file, destination: input/c/file }
  annotations: { note: hello }
`;
    const { workflow, execute } = parseWorkflowFile(text, 'a.yaml');
    expect(workflow.connections).toEqual([
      { from: 'text/output', to: 'input/count-1/file' },
      { source: { id: 'output/a/file' }, destination: { id: 'input/b/file' }, color: 'red' },
      { source: 'output/a/file', destination: 'input/c/file' },
    ]);
    expect(workflow.annotations).toEqual({ note: 'hello' });
    expect(workflow.nodes['count-1']).toEqual({ type: 'SCRIPT', script: { source: 'wc' } });
    expect(execute).toEqual({ inputs: {} });
  });

  it('may contain the inputs and options of its runs', () => {
    const text = `${HEAD}execute: { inputs: { words: [a, b], n: 3 }, outputs: [total], parallelism: 2 }\n`;
    expect(parseWorkflowFile(text, 'a.yaml').execute).toEqual({
      inputs: { words: ['a', 'b'], n: 3 },
      outputs: ['total'],
      parallelism: 2,
    });
  });

  it.each([
    ['name: x', 'workflow: '],
    [`${HEAD}execute: { input: {} }`, 'execute'],
    [`${HEAD}  connections: [{ from: a }]`, 'workflow.connections.0'],
    ['a: [', 'not valid YAML'],
    ['just text', '(top)'],
  ])('is rejected with the path of the error: %j', (text, path) => {
    expect(() => parseWorkflowFile(text, 'a.yaml')).toThrow(path);
  });

  it('is rejected with each unknown field on an indented line of its own', () => {
    expect(() => parseWorkflowFile(`${HEAD}edges: []\nexecute: { input: {}, nix: 1 }\nversion: 1\n`, 'a.yaml')).toThrow(
      new CliError(UNKNOWN_FIELDS),
    );
  });

  it('that is not valid YAML is rejected with the position before the text of the parser', () => {
    expect(() => parseWorkflowFile('a:\n  b: [1,\n  2', 'a.yaml')).toThrow(
      /^a\.yaml is not valid YAML, line 3, column 3: Flow sequence in block collection must be .*and end with a \]:?\n/,
    );
  });
});
