import type { Span } from './parse-ansi.js';

export interface Marked extends Span {
  isMatch: boolean;
}

/** Splits spans where a searched text begins and ends. It is found across spans, ignoring the case of A to Z. */
export function highlight(spans: readonly Span[], searched: string): Marked[] {
  if (searched === '') return spans.map((span) => ({ ...span, isMatch: false }));
  const lower = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const line = lower(spans.map(({ text }) => text).join(''));
  const key = lower(searched);
  const borders = new Set<number>();
  const matches: [start: number, end: number][] = [];
  for (let at = line.indexOf(key); at >= 0; at = line.indexOf(key, at + key.length)) {
    matches.push([at, at + key.length]);
    borders.add(at).add(at + key.length);
  }
  let offset = 0;
  return spans.flatMap((span) => {
    const start = offset;
    offset += span.text.length;
    const cuts = [start, ...[...borders].filter((border) => border > start && border < offset), offset];
    return cuts.slice(1).map((end, place) => {
      const begin = cuts[place] ?? start;
      const isMatch = matches.some(([from, to]) => begin >= from && end <= to);
      return { text: span.text.slice(begin - start, end - start), className: span.className, isMatch };
    });
  });
}
