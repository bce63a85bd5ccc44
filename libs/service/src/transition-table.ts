/** One transition of a state machine. */
export interface Transition<State extends string> {
  /** Empty if the transition creates the record. */
  from: readonly State[];
  to: State;
  /** A user's request leads out of a state that is final otherwise. */
  reopens?: true;
  /** The condition, as a clause that follows "when". */
  when: string;
}

/**
 * All transitions of a state machine, by event: an event always leads to the same state. A state that no transition leaves is
 * final, except for those that `reopens` marks. docs/architecture/states.md shows these tables.
 */
export type TransitionTable<State extends string> = Readonly<Record<string, Transition<State>>>;

export const canTransition = <State extends string>(table: TransitionTable<State>, from: State, to: State): boolean =>
  targetsOf(table).get(from)?.has(to) ?? false;

/** @throws Error if the table has no such transition */
export function requireTransition<State extends string>(
  table: TransitionTable<State>,
  subject: string,
  from: State,
  to: State,
): void {
  if (!canTransition(table, from, to)) throw new Error(`A ${subject} cannot go from ${from} to ${to}`);
}

export const isFinalState = <State extends string>(table: TransitionTable<State>, state: State): boolean =>
  !Object.values(table).some(({ from, reopens }) => from.includes(state) && !reopens);

type Targets = ReadonlyMap<string, ReadonlySet<string>>;

/** Built once for each table, because the engine checks a transition for each of 100,000 subjobs. */
const targetsByTable = new WeakMap<TransitionTable<string>, Targets>();

/** For each state the states that can follow it. */
function targetsOf(table: TransitionTable<string>): Targets {
  const known = targetsByTable.get(table);
  if (known) return known;
  const edges = Object.values(table).flatMap(({ from, to }) => from.map((state) => ({ state, to })));
  const groups = Map.groupBy(edges, ({ state }) => state);
  const targets = new Map([...groups].map(([state, group]) => [state, new Set(group.map(({ to }) => to))]));
  targetsByTable.set(table, targets);
  return targets;
}
