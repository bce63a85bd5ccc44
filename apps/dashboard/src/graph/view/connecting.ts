import { createContext, useContext } from 'react';
import { createStore, type Store, useStore } from '../../store/create-store.js';

/** One end of a connection. */
export interface PortEnd {
  node: string;
  port: string;
  side: 'inputs' | 'outputs';
}

/** Whether two ports fit: null, or the reason why not. */
export type CheckConnection = (source: Omit<PortEnd, 'side'>, target: Omit<PortEnd, 'side'>) => string | null;

export interface Connecting {
  /** The port that a connection is being drawn from. */
  from: Store<PortEnd | null>;
  check: CheckConnection;
  /** Whether ports can be connected at all. */
  isEnabled: boolean;
}

export const createConnecting = (check: CheckConnection | undefined): Connecting => ({
  from: createStore<PortEnd | null>(null),
  check: check ?? (() => null),
  isEnabled: check !== undefined,
});

export const ConnectingContext = createContext<Connecting>(createConnecting(undefined));

export type PortState = { state: 'idle' | 'origin' | 'fits' } | { state: 'refused'; reason: string };

/** How a port looks while a connection is being drawn. */
export function usePortState(end: PortEnd): PortState {
  const { from: store, check } = useContext(ConnectingContext);
  const from = useStore(store);
  if (!from) return { state: 'idle' };
  if (from.node === end.node && from.port === end.port && from.side === end.side) return { state: 'origin' };
  const reason = describeRefusal(from, end, check);
  return reason === null ? { state: 'fits' } : { state: 'refused', reason };
}

/** Why two ports cannot be connected, in either direction; null if they can. */
export function describeRefusal(from: PortEnd, to: PortEnd, check: CheckConnection): string | null {
  if (from.side === to.side)
    return from.side === 'outputs' ? 'Connect an output with an input.' : 'Connect an input with an output.';
  return from.side === 'outputs' ? check(from, to) : check(to, from);
}
