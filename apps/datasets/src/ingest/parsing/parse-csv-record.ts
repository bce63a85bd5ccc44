/** A record of a CSV file (RFC 4180). */
export interface CsvRecord {
  /** Position behind the record in the text. */
  next: number;
  /** Null is an empty field without quotes. */
  fields: (string | null)[];
  problem?: string;
}

const QUOTE = '"';
export const UNCLOSED_QUOTE = 'has a quote that is not closed';

/**
 * Parses the record at `start`. A quote is special only at the beginning of a field, so `5" disk` is a normal field.
 * @param more whether more text may follow
 * @returns null if the record does not end in this text
 */
export function parseCsvRecord(text: string, start: number, delimiter: string, more: boolean): CsvRecord | null {
  let end = text.indexOf('\n', start);
  if (end === -1) {
    if (more) return null;
    end = text.length;
  }
  const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
  if (!line.includes(QUOTE)) return { next: end + 1, fields: line.split(delimiter).map(emptyToNull) };
  return parseQuoted(text, start, delimiter, more);
}

const emptyToNull = (field: string): string | null => (field === '' ? null : field);

function parseQuoted(text: string, start: number, delimiter: string, more: boolean): CsvRecord | null {
  const fields: (string | null)[] = [];
  let problem: string | undefined;
  let at = start;
  for (;;) {
    if (text[at] === QUOTE) {
      const end = findClosingQuote(text, at + 1);
      if (end === -1) return more ? null : unclosedRecord(text, fields, at);
      fields.push(text.slice(at + 1, end).replaceAll('""', QUOTE));
      at = end + 1;
    } else {
      const end = findFieldEnd(text, at, delimiter);
      if (end === -1 && more) return null;
      fields.push(emptyToNull(sliceField(text, at, end === -1 ? text.length : end)));
      at = end === -1 ? text.length : end;
    }
    if (at >= text.length && more) return null;
    if (text.startsWith('\r\n', at) || (text[at] === '\r' && at === text.length - 1)) at++;
    if (at >= text.length || text[at] === '\n')
      return { next: at + 1, fields, ...(problem !== undefined && { problem }) };
    if (text[at] === delimiter) at++;
    else {
      problem = 'has text between a closing quote and the next delimiter';
      at = findFieldEnd(text, at, delimiter);
      if (at === -1) return more ? null : { next: text.length, fields, problem };
      if (text[at] === delimiter) at++;
      else return { next: at + 1, fields, problem };
    }
  }
}

/** Position of the quote that closes a field whose content begins at `from`; -1 if there is none. */
function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (text[at + 1] !== QUOTE) return at;
  }
  return -1;
}

function findFieldEnd(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === delimiter || char === '\n') return at;
  }
  return -1;
}

const sliceField = (text: string, from: number, end: number): string =>
  text.slice(from, isEndOfLine(text, end) && text[end - 1] === '\r' && end > from ? end - 1 : end);

const isEndOfLine = (text: string, at: number): boolean => at === text.length || text[at] === '\n';

const unclosedRecord = (text: string, fields: (string | null)[], at: number): CsvRecord => ({
  next: text.length,
  fields: [...fields, text.slice(at)],
  problem: UNCLOSED_QUOTE,
});
