import { expect, it } from '@jest/globals';
import { type InputEntry } from './input-list.js';
import { layOutInputs, type LayOutTools } from './lay-out-inputs.js';

const entries: InputEntry[] = Array.from({ length: 2_500 }, (_, at) => ({ kind: 'folder', path: `s1/${at}` }));

/** Tools whose bulk thread records its batches, and stops the step at batch number `atBatch`. */
function createStoppingTools(atBatch: number) {
  const stop = new AbortController();
  const batches: (readonly InputEntry[])[] = [];
  const bulk = {
    beginLayout: () => Promise.resolve(),
    layOut: (batch: readonly InputEntry[]) => {
      if (batches.push(batch) === atBatch) stop.abort(new Error('stopped'));
      return Promise.resolve();
    },
  };
  const slot = { folders: { input: '/nowhere' }, isInputReadOnly: true };
  return { batches, tools: { bulk, slot, store: {}, signal: stop.signal } as unknown as LayOutTools };
}

it('layOutInputs sends thousands of entries to the bulk thread in batches, each entry once and in order', async () => {
  const { batches, tools } = createStoppingTools(Infinity);
  await layOutInputs(entries, tools);
  expect(batches.length).toBeGreaterThan(2);
  expect(batches.flat()).toEqual(entries);
});

it('layOutInputs sends no further batch to the bulk thread after the step is stopped', async () => {
  const { batches, tools } = createStoppingTools(1);
  await expect(layOutInputs(entries, tools)).rejects.toThrow('stopped');
  expect(batches).toHaveLength(1);
});
