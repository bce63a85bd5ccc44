import { describe, expect, it } from '@jest/globals';
import { resolveInputs, type InputAssignment, type InputUploader } from './resolve-inputs.js';
import type { FileData } from './workflow-file.js';

const DATA = {
  nodes: { 'grep-1': { type: 'TOOL', inputs: { pattern: { type: 'STRING', value: 'a' }, list: { type: 'FILE' } } } },
  connections: [],
  primitiveNodes: {
    'http-input-1': { type: 'FILE', label: 'text' },
    'string-input-1': { type: 'STRING', label: 'word' },
    'git-input-1': { type: 'FOLDER', label: 'lists' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'fold' },
  },
} as unknown as FileData;

function resolve(assignments: Omit<InputAssignment, 'folder'>[]) {
  const uploads: string[] = [];
  const upload: InputUploader = {
    file: (path) => Promise.resolve(`millrace://file${(uploads.push(path), path)}`),
    folder: (path) => Promise.resolve(`millrace://file${(uploads.push(`${path}/`), path)}`),
    lines: (name, lines) => Promise.resolve(`millrace://file/${(uploads.push(lines.join('+')), name)}`),
  };
  return resolveInputs(
    DATA,
    assignments.map((assignment) => ({ ...assignment, folder: '/data' })),
    upload,
  ).then((inputs) => ({ ...inputs, uploads }));
}

describe('the inputs that a user sets', () => {
  it('are found by label and by id, and have the type of the input', async () => {
    const { run } = await resolve([
      { key: 'word', value: 7 },
      { key: 'boolean-input-1', value: 'true' },
    ]);
    expect(run).toEqual({ word: '7', 'boolean-input-1': true });
  });

  it('are uploaded if they are local files, and remain unmodified if they are URLs', async () => {
    const local = await resolve([{ key: 'text', value: 'in.txt' }]);
    expect(local.run).toEqual({ text: 'millrace://file/data/in.txt' });
    for (const value of ['https://a/b.txt', 'millrace://output/1']) {
      expect((await resolve([{ key: 'text', value }])).run).toEqual({ text: value });
    }
  });

  it('are uploaded if they are local folders, and remain unmodified if they are repositories', async () => {
    const { run, uploads } = await resolve([{ key: 'lists', value: 'in' }]);
    expect({ run, uploads }).toEqual({ run: { lists: 'millrace://file/data/in' }, uploads: ['/data/in/'] });
    expect((await resolve([{ key: 'lists', value: 'https://a/b.git' }])).run).toEqual({ lists: 'https://a/b.git' });
  });

  it('become a file with one line per item if an input of type FILE is set to a list', async () => {
    const { run, uploads } = await resolve([{ key: 'text', value: ['a', 2, true] }]);
    expect(run).toEqual({ text: 'millrace://file/text.txt' });
    expect(uploads).toEqual(['a+2+true']);
  });

  it('of a node are parameters of the run', async () => {
    const { run, parameters } = await resolve([
      { key: 'grep-1.pattern', value: 'b' },
      { key: 'grep-1.list', value: 'in.txt' },
    ]);
    expect(parameters).toEqual({ 'grep-1': { pattern: 'b', list: 'millrace://file/data/in.txt' } });
    expect(run).toEqual({});
  });

  it('replace earlier values of the same input, which are not uploaded', async () => {
    const { uploads } = await resolve([
      { key: 'text', value: 'first' },
      { key: 'text', value: 'second' },
    ]);
    expect(uploads).toEqual(['/data/second']);
  });

  it.each([
    [{ key: 'wrod', value: 'x' }, 'It has: text, word, lists, fold'],
    [{ key: 'grep-1.nix', value: 'x' }, 'no input "grep-1.nix"'],
    [{ key: 'word', value: 'a.txt', isFile: true }, 'Input "word" takes a value, not a file.'],
    [{ key: 'fold', value: 'maybe' }, 'must be true or false (got "maybe")'],
    [{ key: 'word', value: ['a'] }, 'takes one value'],
  ])('are rejected if they do not match the workflow: %j', async (assignment, message) => {
    await expect(resolve([assignment])).rejects.toThrow(message);
  });
});
