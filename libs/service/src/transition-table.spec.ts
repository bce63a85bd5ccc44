import { describe, expect, it } from '@jest/globals';
import { canTransition, isFinalState, requireTransition, type TransitionTable } from './transition-table.js';

type State = 'new' | 'open' | 'closed';

const TABLE: TransitionTable<State> = {
  create: { from: [], to: 'new', when: 'a user creates it' },
  open: { from: ['new'], to: 'open', when: 'a user opens it' },
  close: { from: ['new', 'open'], to: 'closed', when: 'a user closes it' },
};

describe('a transition table', () => {
  it('allows exactly the transitions that it lists', () => {
    const states: State[] = ['new', 'open', 'closed'];
    const allowed = states.flatMap((from) =>
      states.filter((to) => canTransition(TABLE, from, to)).map((to) => `${from} ${to}`),
    );
    expect(allowed).toEqual(['new open', 'new closed', 'open closed']);
  });

  it('refuses a transition that it does not list', () => {
    expect(() => requireTransition(TABLE, 'door', 'closed', 'open')).toThrow('A door cannot go from closed to open');
    expect(() => requireTransition(TABLE, 'door', 'new', 'closed')).not.toThrow();
  });

  it('has a final state if no transition leaves the state', () => {
    expect([isFinalState(TABLE, 'new'), isFinalState(TABLE, 'closed')]).toEqual([false, true]);
  });
});
