import { checkRecord } from './check-value.js';
import { ERROR, type Fields, type Row } from './row.js';
import type { Answer } from './send-documented.js';

/** The differences between a successful response and the interface document; empty if there are none. */
export function checkAnswer({ status, answer }: Row, got: Answer, without: readonly string[] = []): string[] {
  const isStatus = status === undefined ? got.status >= 200 && got.status < 300 : got.status === status;
  if (!isStatus) return [`is ${got.status}, not ${status ?? 'a success'}: ${got.text}`];
  if (answer === 'nothing') return got.text === '' ? [] : ['has a body'];
  return checkJson(answer ?? {}, got, without);
}

/** The differences between a failure and the interface document: its status, and the body of all failures. */
export function checkFailure(status: number, got: Answer): string[] {
  if (got.status !== status) return [`is ${got.status}, not ${status}: ${got.text}`];
  return checkJson(ERROR, got, got.text.includes('"details"') ? [] : ['details']);
}

function checkJson(fields: Fields, { type, text }: Answer, without: readonly string[]): string[] {
  if (!type.startsWith('application/json')) return [`is ${type}: ${text.slice(0, 200)}`];
  return checkRecord(fields, JSON.parse(text), without);
}
