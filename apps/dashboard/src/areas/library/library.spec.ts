import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Module } from '@millrace/client';
import { writeModuleFile } from './dialogs/write-module-file.js';
import { readExample } from './module/read-example.js';
import { listParts } from './published/list-parts.js';
import { readLibrarySearch, readModuleSearch } from './search.js';

it('the address keeps known fields, and drops empty and unknown values', () => {
  expect(readLibrarySearch({ tab: 'workflows', q: 'a', kind: 'TOOL', category: 'Text', source: 'vault' })).toEqual({
    tab: 'workflows',
    q: 'a',
    kind: 'TOOL',
    category: 'Text',
    source: 'vault',
  });
  expect(readLibrarySearch({ tab: 'modules', q: '', kind: 'OTHER', category: '', source: '' })).toEqual({});
  expect(readModuleSearch({ tab: 'uses' })).toEqual({ tab: 'uses' });
  expect(readModuleSearch({ tab: 'docs' })).toEqual({});
});

const DATES = { created_date: '2026-11-26T00:00:00Z', modified_date: '2026-11-26T00:00:00Z' };

describe('writeModuleFile', () => {
  it('writes a tool with its flags and positions', () => {
    const module: Module = {
      ...{ id: '1', name: 'sort-lines', type: 'TOOL', built_in: false, version: 1, ...DATES },
      container: { command: ['sort'] },
      output_command: '>',
      inputs: [
        { name: 'unique', type: 'BOOLEAN', order: 1, command: '--unique', value: false },
        { name: 'file', type: 'FILE', order: 101, command: '', required: true, description: 'Lines' },
      ],
      outputs: [
        { name: 'file', type: 'FILE', order: 1 },
        { name: 'folder', type: 'FOLDER', order: 2 },
      ],
    };
    expect(parse(writeModuleFile(module))).toEqual({
      name: 'sort-lines',
      command: ['sort'],
      output_command: '>',
      inputs: {
        unique: { type: 'boolean', flag: '--unique', default: false },
        file: { type: 'file', required: true, position: 1, description: 'Lines' },
      },
    });
  });

  it('writes a script whose output is a folder', () => {
    const module: Module = {
      ...{ id: '1', name: 'split', type: 'SCRIPT', built_in: false, version: 1, ...DATES },
      script: { source: 'echo a\n' },
      script_type: 'bash',
      outputs: [{ name: 'folder', type: 'FOLDER', order: 1 }],
      network: true,
    };
    expect(parse(writeModuleFile(module))).toEqual({
      ...{ name: 'split', script_type: 'bash', script: 'echo a\n', output_type: 'folder', network: true },
    });
  });
});

it('readExample leaves out fields of another type', () => {
  const example = { name: 'Each once', inputs: { unique: true }, files: { file: { 'a.txt': 'b\n' } }, output: 'b\n' };
  expect(readExample(example)).toEqual({
    name: 'Each once',
    inputs: [['unique', 'true']],
    files: [['file/a.txt', 'b\n']],
    results: [['Output', 'b\n']],
  });
  expect(readExample({ name: 'Odd', inputs: 7, files: ['x'], output: null })).toEqual({
    ...{ name: 'Odd', inputs: [], files: [], results: [] },
  });
});

it('listParts names inputs and nodes by their labels', () => {
  const data = {
    primitiveNodes: { 'string-input-1': { type: 'STRING', label: 'least', value: '1' }, odd: null },
    nodes: {
      'rank-1': { type: 'SCRIPT', meta: { label: 'words' }, script: { source: '#!/bin/sh\n\nsort in/*\nuniq' } },
      'sort-1': { type: 'TOOL', uses: 'sort-lines' },
      'grep-1': { type: 'TOOL', container: { command: ['grep', '-c'] } },
    },
  };
  expect(listParts(data)).toEqual({
    inputs: [{ name: 'string-input-1', label: 'least', kind: 'STRING', detail: '1' }],
    nodes: [
      { name: 'rank-1', label: 'words', kind: 'SCRIPT', detail: 'sort in/*' },
      { name: 'sort-1', label: 'sort-1', kind: 'TOOL', detail: 'sort-lines' },
      { name: 'grep-1', label: 'grep-1', kind: 'TOOL', detail: 'grep -c' },
    ],
  });
  expect(listParts({})).toEqual({ inputs: [], nodes: [] });
});
