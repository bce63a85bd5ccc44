import { expect, it } from '@jest/globals';
import { type InputEntry } from './input-list.js';
import { layOutInputs, type LayOutTools } from './lay-out-inputs.js';

const entries: InputEntry[] = Array.from({ length: 2_500 }, (_, at) => ({ kind: 'folder', path: `s1/${at}` }));

/** Tools whose thread notes which entries it is given, and stops the step at the batch of the given number. */
function toolsThatStop(atBatch: number) {
  const stop = new AbortController();
  const batches: (readonly InputEntry[])[] = [];
  const bulk = {
    beginLayout: () => Promise.resolve(),
    layOut: (batch: readonly InputEntry[]) => {
      if (batches.push(batch) === atBatch) stop.abort(new Error('stopped'));
      return Promise.resolve();
    },
  };
  const slot = { folders: { input: '/nowhere' }, isSandboxed: true };
  return { batches, tools: { bulk, slot, store: {}, signal: stop.signal } as unknown as LayOutTools };
}

it('very many entries reach the thread in batches, each entry once and in order', async () => {
  const { batches, tools } = toolsThatStop(Infinity);
  await layOutInputs(entries, tools);
  expect(batches.length).toBeGreaterThan(2);
  expect(batches.flat()).toEqual(entries);
});

it('a layout of very many entries ends with the batch that is under way when the step is stopped', async () => {
  const { batches, tools } = toolsThatStop(1);
  await expect(layOutInputs(entries, tools)).rejects.toThrow('stopped');
  expect(batches).toHaveLength(1);
});
