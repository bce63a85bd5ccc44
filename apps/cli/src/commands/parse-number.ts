import { InvalidArgumentError } from 'commander';

/** Parses the number of a run in an argument. @throws InvalidArgumentError, which names the argument */
export function parseRunNumber(text: string): string {
  if (!/^\d{1,1000}$/.test(text)) throw new InvalidArgumentError('Use the number of a run, such as 42.');
  return text;
}

/** Parses a whole number from 1 in an option. @throws InvalidArgumentError, which names the option */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Use a whole number of 1 or more.');
  return count;
}

/** Parses a whole number from 1 to a limit in an option. @throws InvalidArgumentError, which names the option */
export function parseCountUpTo(limit: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= 1 && count <= limit) return count;
    throw new InvalidArgumentError(`Use a whole number from 1 to ${limit}.`);
  };
}
