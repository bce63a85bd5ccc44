import type { SqlText } from '@millrace/query/fields/column';

/** Quoted texts and names, which stay unmodified, or a parameter with its cast. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\d+)(?:::(double precision|[a-z]\w*)(\[\])?)?/g;

/** Transaction setting that carries a value. The first value has number 1. */
export const settingName = (number: number): string => `millrace.p${number}`;

/**
 * Replaces the parameters of a statement by transaction settings, because COPY accepts no parameters. A value is read once
 * and not for each row: a sub-select without references is an InitPlan. The cast around it prevents `ANY` from treating the
 * sub-select as rows.
 * @throws Error for a parameter without a cast or without a value
 */
export function bindSettings({ text, values }: SqlText): string {
  return text.replaceAll(TOKENS, (token, digits?: string, type?: string, list = '') => {
    if (digits === undefined) return token;
    const number = Number(digits);
    if (type === undefined || number < 1 || number > values.length) throw new Error(`${token} cannot be bound`);
    return `(SELECT current_setting('${settingName(number)}')::${type}${list})::${type}${list}`;
  });
}
