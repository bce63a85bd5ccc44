import { InvalidArgumentError } from 'commander';

/** Parses names separated by commas in an option. @throws InvalidArgumentError, which names the option */
export const parseNames = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('Use names separated by commas, such as scan-1,resolve-1.');
  return names;
};
