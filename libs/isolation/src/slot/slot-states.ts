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

/** Who uses a slot. */
export type SlotState = 'free' | 'reserved' | 'open' | 'running' | 'shutDown';
export type SlotEvent = 'reserve' | 'open' | 'run' | 'exit' | 'close' | 'shutDown';

/** Current work may still end after a slot has shut down. */
export const SLOT_TRANSITIONS: TransitionTable<SlotState, SlotEvent> = {
  free: { reserve: 'reserved', close: 'free', shutDown: 'shutDown' },
  reserved: { reserve: 'reserved', open: 'open', close: 'free', shutDown: 'shutDown' },
  open: { reserve: 'reserved', open: 'open', run: 'running', close: 'free', shutDown: 'shutDown' },
  running: { exit: 'open', shutDown: 'shutDown' },
  shutDown: {
    reserve: 'shutDown',
    open: 'shutDown',
    run: 'shutDown',
    exit: 'shutDown',
    close: 'shutDown',
    shutDown: 'shutDown',
  },
};

/**
 * The sandbox of a slot. `unclaimed`: no command has run in it. `claimed`: it belongs to an owner, and all of their commands
 * succeeded. `tainted`: one of them did not, so the sandbox ends with the reservation. `retained`: it waits for its owner.
 */
export type SandboxState = 'absent' | 'unclaimed' | 'claimed' | 'tainted' | 'retained';
export type SandboxEvent = 'start' | 'claim' | 'taint' | 'retain' | 'end';

/** `end` and `taint` may come after the sandbox has ended. */
export const SANDBOX_TRANSITIONS: TransitionTable<SandboxState, SandboxEvent> = {
  absent: { start: 'unclaimed', taint: 'absent', end: 'absent' },
  unclaimed: { claim: 'claimed', end: 'absent' },
  claimed: { claim: 'claimed', taint: 'tainted', retain: 'retained', end: 'absent' },
  tainted: { claim: 'tainted', taint: 'tainted', end: 'absent' },
  retained: { claim: 'claimed', retain: 'retained', end: 'absent' },
};

/** A command from its start until all of its processes have ended. */
export type CommandState = 'running' | 'terminating' | 'killing' | 'ended';
export type CommandEvent = 'terminate' | 'kill' | 'exit';

/** A command may be stopped more than once, and after it has ended. */
export const COMMAND_TRANSITIONS: TransitionTable<CommandState, CommandEvent> = {
  running: { terminate: 'terminating', kill: 'killing', exit: 'ended' },
  terminating: { terminate: 'terminating', kill: 'killing', exit: 'ended' },
  killing: { terminate: 'killing', kill: 'killing', exit: 'ended' },
  ended: { terminate: 'ended', kill: 'ended', exit: 'ended' },
};

/** Content of a slot's folders. `collected`: the outputs have been moved away, the other files are still there. */
export type ContentState = 'dirty' | 'collected' | 'empty';
export type ContentEvent = 'use' | 'run' | 'collect' | 'clear';

export const CONTENT_TRANSITIONS: TransitionTable<ContentState, ContentEvent> = {
  dirty: { use: 'dirty', run: 'dirty', collect: 'collected', clear: 'empty' },
  collected: { use: 'collected', run: 'dirty', collect: 'collected', clear: 'empty' },
  empty: { use: 'dirty', run: 'dirty', collect: 'collected', clear: 'empty' },
};
