import { InvalidArgumentError } from 'commander';
import type { JoinToken } from '@millrace/client';

const SIZES: JoinToken['sizes'] = ['small', 'medium', 'large'];

/** Parses `gpu=true,zone=eu`. @throws InvalidArgumentError */
export function parseLabels(text: string): Record<string, string> {
  const entries = text.split(',').map((part): [name: string, value: string] => {
    const at = part.indexOf('=');
    if (at < 1 || at === part.length - 1) throw new InvalidArgumentError('It must be a list such as gpu=true,zone=eu.');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return Object.fromEntries(entries);
}

/** Parses `small,medium`. @throws InvalidArgumentError */
export function parseSizes(text: string): JoinToken['sizes'] {
  const words = text.split(',').map((part) => part.trim());
  const sizes = SIZES.filter((size) => words.includes(size));
  if (sizes.length !== words.length) throw new InvalidArgumentError(`It must be a list of ${SIZES.join(', ')}.`);
  return sizes;
}
