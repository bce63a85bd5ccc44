import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  COMMAND_TRANSITIONS,
  CONTENT_TRANSITIONS,
  InvalidTransitionError,
  SANDBOX_TRANSITIONS,
  SLOT_TRANSITIONS,
  StateMachine,
} from './slot-states.js';

const DOCS = readFileSync(new URL('../../../../docs/architecture/slot.md', import.meta.url), 'utf8');
const TABLES: [string, Record<string, Partial<Record<string, string>>>][] = [
  ['Slot', SLOT_TRANSITIONS],
  ['Sandbox', SANDBOX_TRANSITIONS],
  ['Command', COMMAND_TRANSITIONS],
  ['Contents', CONTENT_TRANSITIONS],
];

/** Transitions of a section of the page, one `state event next` for each row. */
function readDocumented(section: string): string[] {
  const text = DOCS.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| `(\w+)` +\|$/gm)].map(([, ...row]) => row.join(' '));
}

describe.each(TABLES)('the state table "%s"', (section, table) => {
  const transitions = Object.entries(table).flatMap(([state, events]) =>
    Object.entries(events).map(([event, next]) => `${state} ${event} ${next}`),
  );

  it('is the one in docs/architecture/slot.md', () => {
    expect(readDocumented(section)).toEqual(transitions);
  });

  it('leads only to states that it lists', () => {
    const states = Object.keys(table);
    expect(
      Object.values(table)
        .flatMap((events) => Object.values(events))
        .filter((next) => !states.includes(next ?? '')),
    ).toEqual([]);
  });
});

describe('a state machine', () => {
  it('changes its state according to its table', () => {
    const machine = new StateMachine(COMMAND_TRANSITIONS, 'running');
    machine.apply('terminate');
    machine.apply('kill');
    expect(machine.state).toBe('killing');
    expect(machine.isIn('terminating', 'killing')).toBe(true);
    expect(machine.isIn('ended')).toBe(false);
  });

  it('refuses an event that its state does not take, and keeps its state', () => {
    const machine = new StateMachine(SLOT_TRANSITIONS, 'free');
    expect(() => machine.apply('run')).toThrow(new InvalidTransitionError('State "free" does not take "run".'));
    expect(machine.state).toBe('free');
  });
});
