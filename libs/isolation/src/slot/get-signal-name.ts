import { constants } from 'node:os';

const NAMES = new Map(Object.entries(constants.signals).map(([name, number]): [number, string] => [number, name]));

/** `SIGKILL` for 9; numbers without a name come back as `signal 35`. */
export function getSignalName(signal: number): string {
  return NAMES.get(signal) ?? `signal ${signal}`;
}
