import type { SqlText } from '@millrace/query/fields/column';

/** Quoted text and names, in which nothing is replaced; or a parameter with the cast behind it. */
const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)(?:::(double precision|[a-z]\w*)(\[\])?)?/g;

/** Setting of a transaction that carries a value: the first is 1. */
export const settingName = (number: number): string => `millrace.p${number}`;

/**
 * The text of a statement with settings in the place of parameters, for COPY takes none. A value is read once, not for
 * each row (a sub-select without references is an InitPlan), and the cast around it keeps `ANY` from seeing rows in it.
 * @throws Error for a parameter without a cast, or without a value
 */
export function bindSettings({ text, values }: SqlText): string {
  return text.replaceAll(PARTS, (part, digits?: string, type?: string, list = '') => {
    if (digits === undefined) return part;
    const number = Number(digits);
    if (type === undefined || number < 1 || number > values.length) throw new Error(`${part} cannot be bound`);
    return `(SELECT current_setting('${settingName(number)}')::${type}${list})::${type}${list}`;
  });
}
