import { InvalidArgumentError } from 'commander';
import type { JoinToken } from '@millrace/client';
import { parseLabels, splitList } from '@millrace/contracts/runs/labels-text';

const SIZES: JoinToken['sizes'] = ['small', 'medium', 'large'];

/** Parses `gpu=true,zone=eu`. @throws InvalidArgumentError */
export function parseLabelsOption(text: string): Record<string, string> {
  const labels = parseLabels(text);
  if (!labels || Object.keys(labels).length === 0)
    throw new InvalidArgumentError('It must be a list such as gpu=true,zone=eu.');
  return labels;
}

/** Parses `small,medium`. @throws InvalidArgumentError */
export function parseSizesOption(text: string): JoinToken['sizes'] {
  const words = splitList(text);
  const sizes = SIZES.filter((size) => words.includes(size));
  if (sizes.length === 0 || sizes.length !== words.length)
    throw new InvalidArgumentError(`It must be a list of ${SIZES.join(', ')}.`);
  return sizes;
}
