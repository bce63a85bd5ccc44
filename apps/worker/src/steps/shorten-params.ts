import { type InputValues } from '@millrace/graph/run/build-command-line';
import { type Masker } from '../masking/masker.js';
import { cutText } from './cut-text.js';

const MAX_CHARACTERS = 200;

/** Shortens the input values of a step for display, and masks their secrets. */
export function shortenParams(values: InputValues, masker: Masker | null): Record<string, string | boolean> {
  const shorten = (value: string | boolean) => {
    if (typeof value !== 'string') return value;
    const shown = masker?.text(value) ?? value;
    return shown.length > MAX_CHARACTERS ? `${cutText(shown, MAX_CHARACTERS)}…` : shown;
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, shorten(value)]));
}
