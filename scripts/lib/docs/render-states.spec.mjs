import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../layout.mjs';
import { renderStates } from './render-states.mjs';
import { listStateMachines } from './state-machines.mjs';

const machines = await listStateMachines((file) => import(join(ROOT, file)));

describe('docs/architecture/states.md', () => {
  it('has the transition tables of the code; otherwise run `npm run docs:states`', () => {
    expect(readFileSync(join(ROOT, 'docs/architecture/states.md'), 'utf8')).toBe(renderStates(machines));
  });

  it.each(machines)('leads from a first state of a $name to every other one', ({ initial, transitions }) => {
    const reached = new Set(initial);
    for (const state of reached) Object.keys(transitions[state] ?? {}).forEach((next) => reached.add(next));
    expect([...reached].sort()).toEqual(Object.keys(transitions).sort());
  });
});
