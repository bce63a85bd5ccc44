import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../layout.mjs';
import { listStates, renderStates } from './render-states.mjs';
import { listStateMachines } from './state-machines.mjs';

const machines = await listStateMachines((file) => import(join(ROOT, file)));

describe('docs/architecture/states.md', () => {
  it('has the transition tables of the code; otherwise run `npm run docs:states`', () => {
    expect(readFileSync(join(ROOT, 'docs/architecture/states.md'), 'utf8')).toBe(renderStates(machines));
  });

  it.each(machines)('shows a way to every state of a $name from its creation', ({ transitions }) => {
    /** @type {Set<string>} */
    const reached = new Set();
    for (let size = -1; size < reached.size;) {
      size = reached.size;
      for (const { from, to } of Object.values(transitions)) {
        if (from.length === 0 || from.some((state) => reached.has(state))) reached.add(to);
      }
    }
    expect([...reached].sort()).toEqual(listStates(transitions).sort());
  });
});
