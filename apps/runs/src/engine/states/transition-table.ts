/** For each state the states that can follow it, each with what causes the change. A state that nothing follows is final. */
export type TransitionTable<State extends string> = Readonly<Record<State, Readonly<Partial<Record<State, string>>>>>;

export const canTransition = <State extends string>(table: TransitionTable<State>, from: State, to: State): boolean =>
  Object.hasOwn(table[from], to);

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
  Object.keys(table[state]).length === 0;
