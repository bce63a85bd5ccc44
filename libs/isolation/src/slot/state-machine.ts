/** For each state the events that it takes, and the state that each of them leads to. */
export type TransitionTable<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** An event that the current state does not take: an error of the program. */
export class InvalidTransitionError extends Error {
  override name = 'InvalidTransitionError';
}

/** The current state of one thing, which changes only as its table allows. */
export class StateMachine<State extends string, Event extends string> {
  constructor(
    private readonly table: TransitionTable<State, Event>,
    private current: State,
  ) {}

  get state(): State {
    return this.current;
  }

  isIn(...states: readonly State[]): boolean {
    return states.includes(this.current);
  }

  /** @throws InvalidTransitionError */
  apply(event: Event): void {
    const next = this.table[this.current][event];
    if (next === undefined) throw new InvalidTransitionError(`State "${this.current}" does not take "${event}".`);
    this.current = next;
  }
}
