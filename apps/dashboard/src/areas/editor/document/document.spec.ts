import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readClipboard } from '../canvas/clipboard.js';
import { connectPorts, disconnect } from '../edits/connection-edits.js';
import { copyFragment, duplicateNodes, pasteFragment } from '../edits/fragment.js';
import { addNode, moveNodes, removeNodes, updateNode } from '../edits/node-edits.js';
import { renameNode } from '../edits/rename-node.js';
import { checkPorts } from '../ports/check-ports.js';
import { indexConnections } from '../ports/connection-index.js';
import { applyDiff, type Diff, diffDocuments, revertDiff, squashDiffs } from './diff.js';
import { type Document, readDocument, writeData } from './document.js';
import { findRenames } from './find-renames.js';
import { closeStep, EMPTY_HISTORY, recordEdit, redoStep, undoStep } from './history.js';
import { compareEdits, defaultChoice, isConflict, mergeEdits } from './merge.js';

const NAMES = ['a-1', 'b-1', 'c-1', 'd-1', 'e-1'];
const name = fc.constantFrom(...NAMES);

const someDocument = fc
  .record({
    nodes: fc.dictionary(
      name,
      fc.record({
        type: fc.constant('SCRIPT' as const),
        script: fc.record({ source: fc.string() }),
        retries: fc.nat(3),
        meta: fc.record({ coordinates: fc.record({ x: fc.integer(), y: fc.integer() }) }),
      }),
    ),
    connections: fc.array(
      fc.tuple(name, name).map(([from, to]) => ({
        source: { id: `output/${from}/file` },
        destination: { id: `input/${to}/file/${from}` },
      })),
    ),
    annotations: fc.dictionary(fc.constantFrom('note-1', 'note-2'), fc.record({ text: fc.string() })),
    config: fc.option(fc.record({ grid: fc.boolean() }), { nil: undefined }),
    unknown: fc.option(fc.string(), { nil: undefined }),
  })
  .map(readDocument);

/** An edit as a user makes it, on whatever document there is. */
const someEdit = fc.oneof(
  fc.constant((document: Document): Diff => addNode(document, 'new', { type: 'SPLITTER' }, { x: 1, y: 2 }).diff),
  fc.uniqueArray(name).map(
    (ids) =>
      (document: Document): Diff =>
        removeNodes(document, new Set(ids)),
  ),
  fc.tuple(name, fc.integer()).map(
    ([id, x]) =>
      (document: Document) =>
        moveNodes(document, new Map([[id, { x, y: 0 }]])),
  ),
  fc.tuple(name, name).map(
    ([source, target]) =>
      (document: Document): Diff =>
        document.nodes[target] && document.nodes[source]
          ? connectPorts(document, { source, sourcePort: 'file', target, targetPort: 'file' })
          : [],
  ),
  fc.tuple(name, fc.string()).map(
    ([id, source]) =>
      (document: Document) =>
        updateNode(document, id, (node) => ({ ...node, script: { source } })),
  ),
  fc.tuple(name, fc.nat(9)).map(
    ([id, retries]) =>
      (document: Document) =>
        updateNode(document, id, (node) => ({ ...node, retries })),
  ),
  fc.tuple(name, fc.constantFrom('z-9', 'y-9')).map(
    ([from, to]) =>
      (document: Document) =>
        Object.hasOwn(document.nodes, to) ? [] : renameNode(document, from, to),
  ),
  name.map((id) => (document: Document) => duplicateNodes(document, new Set([id])).diff),
);
const someEdits = fc.array(someEdit, { maxLength: 12 });

const edit = (document: Document, edits: readonly ((document: Document) => Diff)[]): Document =>
  edits.reduce((current, one) => applyDiff(current, one(current)), document);

describe('a document', () => {
  it('reads and writes data without a loss', () => {
    fc.assert(
      fc.property(someDocument, (document) => {
        expect(readDocument(writeData(document))).toEqual(document);
      }),
    );
  });

  it('an edit that is applied and reverted leaves no trace', () => {
    fc.assert(
      fc.property(someDocument, someEdit, (document, make) => {
        const diff = make(document);
        expect(applyDiff(applyDiff(document, diff), revertDiff(diff))).toEqual(document);
      }),
    );
  });

  it('edits squash into one with the same effect', () => {
    fc.assert(
      fc.property(someDocument, someEdits, (document, edits) => {
        let current = document;
        let all: Diff = [];
        for (const make of edits) {
          const diff = make(current);
          all = squashDiffs(all, diff);
          current = applyDiff(current, diff);
        }
        expect(applyDiff(document, all)).toEqual(current);
        expect(applyDiff(document, diffDocuments(document, current))).toEqual(current);
      }),
    );
  });

  it('no edit leaves a connection of a removed node', () => {
    fc.assert(
      fc.property(someDocument, fc.uniqueArray(name), (document, ids) => {
        const next = applyDiff(document, removeNodes(document, new Set(ids)));
        for (const { source, target } of indexConnections(next).all) {
          expect(ids.filter((id) => document.nodes[id])).not.toContain(source);
          expect(ids.filter((id) => document.nodes[id])).not.toContain(target);
        }
      }),
    );
  });
});

describe('undo and redo', () => {
  it('all undo steps lead to the beginning, and all redo steps back', () => {
    fc.assert(
      fc.property(someDocument, someEdits, fc.array(fc.boolean()), (document, edits, tags) => {
        let [current, history] = [document, EMPTY_HISTORY];
        edits.forEach((make, index) => {
          const diff = make(current);
          current = applyDiff(current, diff);
          history = recordEdit(history, diff, 'Edit', tags[index] ? 'typing' : undefined);
        });
        const end = current;
        for (let step = undoStep(history); step; step = undoStep(history)) {
          current = applyDiff(current, step.diff);
          history = step.history;
        }
        expect(current).toEqual(document);
        for (let step = redoStep(history); step; step = redoStep(history)) {
          current = applyDiff(current, step.diff);
          history = step.history;
        }
        expect(current).toEqual(end);
      }),
    );
  });

  it('keystrokes in one field are one step until the step is closed', () => {
    const document = readDocument({ nodes: { 'a-1': { type: 'SCRIPT', script: { source: '' } } } });
    const type = (source: string): Diff => updateNode(document, 'a-1', (node) => ({ ...node, script: { source } }));
    let history = recordEdit(
      recordEdit(EMPTY_HISTORY, type('e'), 'Edit', 'a-1 script'),
      type('ec'),
      'Edit',
      'a-1 script',
    );
    expect(history.done).toHaveLength(1);
    history = recordEdit(closeStep(history), type('ech'), 'Edit', 'a-1 script');
    expect(history.done).toHaveLength(2);
  });
});

describe('copy and paste', () => {
  it('gives every copy a fresh name, and connects the copies as the originals', () => {
    fc.assert(
      fc.property(someDocument, fc.uniqueArray(name, { minLength: 1 }), (document, ids) => {
        const fragment = copyFragment(document, new Set(ids));
        const { names, diff } = pasteFragment(document, fragment, { x: 10, y: 10 });
        expect(new Set(names).size).toBe(names.length);
        for (const { table, key, before } of diff)
          if (table !== 'connections') expect([key, before]).toEqual([key, undefined]);
        const next = applyDiff(document, diff);
        const added = indexConnections(next).all.length - indexConnections(document).all.length;
        expect(added).toBe(
          indexConnections(readDocument(fragment)).all.filter(
            ({ source, target }) => document.nodes[source] && document.nodes[target],
          ).length,
        );
        for (const one of names) expect(next.nodes[one]?.name).toBe(one);
      }),
    );
  });

  it('keeps the names if they are free', () => {
    const part = { nodes: { 'sort-1': { type: 'TOOL' } } };
    expect(pasteFragment(readDocument({}), part, { x: 0, y: 0 }).names).toEqual(['sort-1']);
  });

  it('keeps groups, conditions and paths of scripts together with the copied nodes', () => {
    const at = (x: number) => ({ coordinates: { x, y: 0 } });
    const document = readDocument({
      nodes: {
        'a-1': { type: 'SCRIPT', meta: at(0) },
        'b-1': {
          ...{ type: 'SCRIPT', meta: at(300), when: 'nodes.a-1.lines > 0' },
          script: { source: 'cat in/a-1/* main/a-1/x "in/a-1" in/a-10/y' },
        },
      },
      config: { groups: { 'group-1': { label: 'Both', nodes: ['a-1', 'b-1'], is_collapsed: true } } },
    });
    const copied = applyDiff(document, duplicateNodes(document, new Set(['a-1', 'b-1'])).diff);
    expect(copied.groups['group-2']).toEqual({ label: 'Both', nodes: ['a-2', 'b-2'], is_collapsed: true });
    expect(copied.nodes['b-2']).toMatchObject({
      when: 'nodes.a-2.lines > 0',
      script: { source: 'cat in/a-2/* main/a-1/x "in/a-2" in/a-10/y' },
    });
    expect(copyFragment(document, new Set(['a-1']))).not.toHaveProperty('config');
  });

  it('lays out nodes without places, and covers no other node', () => {
    const document = readDocument({ nodes: { 'x-1': { type: 'SCRIPT', meta: { coordinates: { x: 0, y: 0 } } } } });
    const part = readClipboard(
      'nodes:\n  a-1: { type: SCRIPT }\n  b-1: { type: SCRIPT }\nconnections: [{ from: a-1/file, to: b-1/file }]',
    );
    const pasted = applyDiff(document, pasteFragment(document, part, { x: 40, y: 40 }).diff);
    expect(indexConnections(pasted).all).toMatchObject([{ source: 'a-1', target: 'b-1', targetPort: 'file' }]);
    const places = Object.values(pasted.nodes).map((node) => node.meta?.['coordinates']);
    expect(places).toEqual([
      { x: 0, y: 0 },
      { x: 40, y: 88 },
      { x: 328, y: 88 },
    ]);
  });
});

describe('renamed nodes', () => {
  it('are found by the history, and without it if nothing else has changed', () => {
    const before = readDocument({ nodes: { 'a-1': { type: 'SCRIPT' }, 'b-1': { type: 'TOOL' } } });
    let after = before;
    let history = EMPTY_HISTORY;
    const step = (diff: Diff, label: string) => {
      after = applyDiff(after, diff);
      history = recordEdit(history, diff, label);
    };
    step(renameNode(after, 'a-1', 'a-2'), 'Rename a-1');
    expect([...findRenames(before, after)]).toEqual([['a-1', 'a-2']]);
    step(
      updateNode(after, 'a-2', (node) => ({ ...node, retries: 1 })),
      'Edit a-2',
    );
    step(renameNode(after, 'a-2', 'a-3'), 'Rename a-2');
    step(removeNodes(after, new Set(['b-1'])), 'Delete b-1');
    expect([...findRenames(before, after, history.done)]).toEqual([['a-1', 'a-3']]);
    expect([...findRenames(before, after)]).toEqual([]);
  });
});

describe('merging two edits of one version', () => {
  it('loses no change of either side', () => {
    fc.assert(
      fc.property(someDocument, someEdits, someEdits, (base, mineEdits, theirEdits) => {
        const [mine, theirs] = [edit(base, mineEdits), edit(base, theirEdits)];
        const items = compareEdits(base, mine, theirs);
        const merged = mergeEdits(theirs, items, new Map());
        for (const { table, key, changedBy, mine: my, theirs: their, combined } of items) {
          if (table === 'connections') continue;
          const expected = changedBy === 'them' ? their : changedBy === 'both' ? combined : my;
          expect(merged[table][key]).toEqual(expected);
        }
      }),
    );
  });

  it('a node that one side edited and the other removed keeps its connections if it is kept', () => {
    const ends = { source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/file/a-1' } };
    const base = readDocument({ nodes: { 'a-1': { type: 'SCRIPT' }, 'b-1': { type: 'SCRIPT' } }, connections: [ends] });
    const mine = applyDiff(
      base,
      updateNode(base, 'b-1', (node) => ({ ...node, retries: 2 })),
    );
    const theirs = applyDiff(base, removeNodes(base, new Set(['b-1'])));
    const items = compareEdits(base, mine, theirs);
    expect(mergeEdits(theirs, items, new Map([['nodes b-1', 'mine']]))).toEqual(mine);
    expect(mergeEdits(theirs, items, new Map([['nodes b-1', 'theirs']]))).toEqual(theirs);
  });

  it('with no change of the other side the result is mine, and the other way round', () => {
    fc.assert(
      fc.property(someDocument, someEdits, (base, edits) => {
        const changed = edit(base, edits);
        const keepsLooseEnds = (one: Document) => ({ ...one, connections: null });
        expect(keepsLooseEnds(mergeEdits(base, compareEdits(base, changed, base), new Map()))).toEqual(
          keepsLooseEnds(changed),
        );
        expect(keepsLooseEnds(mergeEdits(changed, compareEdits(base, base, changed), new Map()))).toEqual(
          keepsLooseEnds(changed),
        );
      }),
    );
  });

  it('different fields of one node are combined, the same field is a conflict', () => {
    const base = readDocument({ nodes: { 'a-1': { type: 'SCRIPT', script: { source: 'x' }, retries: 0 } } });
    const set = (fields: object) =>
      edit(base, [(document) => updateNode(document, 'a-1', (node) => ({ ...node, ...fields }))]);
    const [apart] = compareEdits(base, set({ retries: 3 }), set({ script: { source: 'y' } }));
    expect(apart && [isConflict(apart), defaultChoice(apart), apart.combined]).toEqual([
      false,
      'combined',
      { type: 'SCRIPT', script: { source: 'y' }, retries: 3 },
    ]);
    const [clash] = compareEdits(base, set({ script: { source: 'mine' } }), set({ script: { source: 'theirs' } }));
    expect(clash && [isConflict(clash), clash.contradictions]).toEqual([true, ['script.source']]);
  });

  it('a node that one side deleted and the other changed stays', () => {
    const base = readDocument({ nodes: { 'a-1': { type: 'SCRIPT', retries: 0 } } });
    const deleted = edit(base, [(document) => removeNodes(document, new Set(['a-1']))]);
    const changed = edit(base, [(document) => updateNode(document, 'a-1', (node) => ({ ...node, retries: 2 }))]);
    for (const [mine, theirs] of [
      [deleted, changed],
      [changed, deleted],
    ] as const) {
      const items = compareEdits(base, mine, theirs);
      expect(items.map(isConflict)).toEqual([true]);
      expect(mergeEdits(theirs, items, new Map()).nodes['a-1']?.retries).toBe(2);
    }
  });
});

describe('ports', () => {
  const document = readDocument({
    primitiveNodes: { 'text-1': { type: 'STRING' }, 'list-1': { type: 'FILE' } },
    nodes: {
      'a-1': { type: 'SCRIPT', inputs: { host: { type: 'STRING' } }, distribution: { input: 'host', mode: 'line' } },
      'b-1': { type: 'SCRIPT', inputs: { count: { type: 'STRING' } } },
    },
    connections: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/file/a-1' } }],
  });
  const check = (source: string, sourcePort: string, target: string, targetPort: string) =>
    checkPorts(document, { node: source, port: sourcePort }, { node: target, port: targetPort });

  it('accept what their type can be made of', () => {
    expect(check('list-1', 'output', 'a-1', 'host')).toBeNull();
    expect(check('text-1', 'output', 'b-1', 'count')).toBeNull();
    expect(check('text-1', 'output', 'a-1', 'host')).toContain('accepts a file or a folder to split into lines');
    expect(check('list-1', 'output', 'b-1', 'count')).toContain('splitter');
    expect(check('b-1', 'file', 'a-1', 'file')).toContain('cycle');
    expect(check('a-1', 'file', 'b-1', 'file')).toContain('already');
  });

  it('a connection is removed with the entry that the node has for it', () => {
    const own = readDocument({
      nodes: {
        'a-1': { type: 'TOOL' },
        'b-1': { type: 'TOOL', inputs: { f: { type: 'FILE' }, 'f/a-1': { type: 'FILE', order: 3 } } },
      },
      connections: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/f/a-1' } }],
    });
    const next = applyDiff(own, disconnect(own, Object.keys(own.connections)));
    expect([Object.keys(next.nodes['b-1']?.inputs ?? {}), next.connections]).toEqual([['f'], {}]);
  });
});
