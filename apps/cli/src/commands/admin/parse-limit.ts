import { InvalidArgumentError } from 'commander';

/** Parses a limit of a vault: a whole number from 0, or `none`, which is null. @throws InvalidArgumentError */
export function parseLimit(text: string): number | null {
  if (text === 'none') return null;
  const limit = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(limit)) {
    throw new InvalidArgumentError('Use a whole number of 0 or more, or "none".');
  }
  return limit;
}
