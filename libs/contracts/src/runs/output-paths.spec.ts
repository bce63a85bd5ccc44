import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseOutputFolders, joinOutputPath, type OutputNode } from './output-paths.js';

const single = (label: string, node: string): OutputNode => ({ label, node, hasChildren: false });
const split = (label: string, node: string): OutputNode => ({ label, node, hasChildren: true });
const foldersOf = (...nodes: OutputNode[]) => Object.fromEntries(chooseOutputFolders(nodes));

describe('the folders of nodes', () => {
  it('are named after labels, without characters that separate folders or name a drive', () => {
    expect(foldersOf(single('total', 'sum-1'), single('a/b\\c', 'x-1'), single(' C:', 'y-1'))).toEqual({
      ...{ 'sum-1': 'total', 'x-1': 'a-b-c', 'y-1': 'C-' },
    });
  });

  it('are named after the node if it has no label, or one that cannot be a folder or is not unique', () => {
    expect(foldersOf(single('', 'a-1'), single('..', 'b-1'), single(' . ', 'c-1'))).toEqual({
      ...{ 'a-1': 'a-1', 'b-1': 'b-1', 'c-1': 'c-1' },
    });
    expect(foldersOf(single('total', 'sum-1'), split('total', 'm-1/sum-2'), split('total', 'sum-3'))).toEqual({
      ...{ 'sum-1': 'total', 'm-1/sum-2': 'm-1-sum-2', 'sum-3': 'sum-3' },
    });
  });

  it.each<[string, ...OutputNode[]]>([
    ['differ in case alone', single('Total', 'a-1'), single('total', 'b-1')],
    ['differ in Unicode normalization alone', single('\u00e9', 'a-1'), single('e\u0301', 'b-1')],
    ['look like a child of the other', single('1-x', 'a-1'), split('x', 'b-1')],
    ['have the name of another node', single('b-1', 'a-1'), single('b-1', 'b-1'), single('a-1', 'c-1')],
    ['have nodes whose names differ in slashes', single('x', 'm-1/a-1'), single('x', 'm-1-a-1')],
    ['have nodes whose names differ in case', single('x', 'a-1'), single('x', 'A-1'), single('a-1 (1)', 'b-1')],
  ])('are different if two labels %s', (_, ...nodes) => {
    const folders = [...chooseOutputFolders(nodes).values()].map((folder) => folder.normalize().toLowerCase());
    expect(new Set(folders).size).toBe(nodes.length);
  });

  it('are chosen in less than a second if each new name collides with the label of one more node', () => {
    const name = (at: number) => `scan-${String(at).padStart(4, '0')}`;
    const nodes = Array.from({ length: 5_000 }, (_, at) => single(name(Math.min(at + 1, 4_999)), name(at)));
    const startedAt = performance.now();
    const folders = [...chooseOutputFolders(nodes).values()];
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(new Set(folders).size).toBe(5_000);
  });

  it('never lead out of the folder, and never meet', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'A', '1', '2', '-', '/', '\\', '.', ' ', ':', '(', ')'),
      maxLength: 5,
    });
    const node = fc.record({ label: name, node: name.map((text) => `n${text}`), hasChildren: fc.boolean() });
    fc.assert(
      fc.property(fc.uniqueArray(node, { selector: (one) => one.node, maxLength: 8 }), (nodes) => {
        const folders = chooseOutputFolders(nodes);
        const paths = nodes.flatMap(({ node: key, hasChildren }) =>
          (hasChildren ? [1, 2, 12] : [undefined]).map((index) => joinOutputPath(folders.get(key) ?? '', index, 'f')),
        );
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
        for (const path of paths) expect(path).toMatch(/^(?!\.{0,2}\/)(?![a-z]:)[^/\\]+\/f$/i);
      }),
    );
  });
});

describe('the path of an output', () => {
  it('begins with the folder, and the number of a child', () => {
    expect(joinOutputPath('total', undefined, 'a/b.txt')).toBe('total/a/b.txt');
    expect(joinOutputPath('total', 2, 'b.txt')).toBe('2-total/b.txt');
  });

  it.each(['../x', '/etc/passwd', 'a/../../x', 'a//b', 'a/.', 'a\0b'])('is refused if it is %p', (path) => {
    expect(() => joinOutputPath('total', undefined, path)).toThrow('has a path outside of its folder');
  });

  it('has no backslashes, and stays unique without them', () => {
    const paths = ['a\\b', 'a%5Cb', 'a%255Cb', 'a%20b', '..\\..\\x'].map((path) =>
      joinOutputPath('t', undefined, path),
    );
    expect(paths).toEqual(['t/a%5Cb', 't/a%255Cb', 't/a%25255Cb', 't/a%20b', 't/..%5C..%5Cx']);
  });
});
