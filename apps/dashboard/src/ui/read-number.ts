export interface NumberLimits {
  min: number;
  max: number;
}

/** The whole number in a text, `undefined` if the text is empty, and `null` if it is anything else or beyond a limit. */
export function readNumber(text: string, { min, max }: NumberLimits): number | undefined | null {
  if (text === '') return undefined;
  const number = Number(text);
  return /^-?\d+$/.test(text) && number >= min && number <= max ? number : null;
}
