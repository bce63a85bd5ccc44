import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { mergeExport } from './merge-export.js';

const FILE = `# mine
millrace: 1
name: scan
metadata: {workflow: w, version: v-1}
data:
  nodes:
    # the first
    a-1:
      type: SCRIPT
      script: {source: one} # one
    b-1:
      uses: sort-lines
      inputs: {by: number}
    gone-1: {type: SCRIPT}
  connections:
    - {from: a-1/file, to: b-1/file} # flow
execute:
  inputs: {text: notes.txt}
`;
const edge = (from: string, to: string) => ({ source: { id: `output/${from}` }, destination: { id: `input/${to}` } });
const EXPORTED = {
  millrace: 1,
  name: 'scan',
  metadata: { workflow: 'w', version: 'v-2' },
  data: {
    nodes: {
      'a-1': { type: 'SCRIPT', script: { source: 'two' } },
      'b-1': { uses: 'sort-lines', type: 'TOOL', inputs: { by: { type: 'STRING', value: 'number' } } },
      'c-1': { type: 'SCRIPT' },
    },
    connections: [edge('a-1/file', 'b-1/file'), edge('b-1/file', 'c-1/file')],
  },
};

describe('a newer export of a file', () => {
  it('changes what is different, and keeps comments, short forms and options of runs', () => {
    const merged = mergeExport(FILE, EXPORTED, new Set(['b-1']));
    for (const kept of ['# mine', '# the first', '# one', 'by: number', 'from: a-1/file', '# flow', 'text: notes.txt'])
      expect(merged).toContain(kept);
    expect(merged).not.toContain('TOOL');
    const nodes = { ...EXPORTED.data.nodes, 'b-1': { uses: 'sort-lines', inputs: { by: 'number' } } };
    const connections = [{ from: 'a-1/file', to: 'b-1/file' }, edge('b-1/file', 'c-1/file')];
    expect(parse(merged)).toEqual({
      ...EXPORTED,
      data: { nodes, connections },
      execute: { inputs: { text: 'notes.txt' } },
    });
  });

  it('changes a node of a library module that was changed on the server', () => {
    const data = {
      nodes: { 's-1': { uses: 'sort-lines', module_version: 1, inputs: { key: 'n', unique: true }, retries: 5 } },
    };
    const file = 'millrace: 1\nname: a\ndata:\n  nodes:\n    s-1: { uses: sort-lines, inputs: { key: n } } # sorts\n';
    const exported = { millrace: 1, name: 'a', data };
    expect(parse(mergeExport(file, exported))).toEqual(exported);
    expect(mergeExport(file, exported)).toContain('# sorts');
    expect(mergeExport(file, exported, new Set(['s-1']))).toBe(file);
  });
});
