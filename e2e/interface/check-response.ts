import { checkRecord } from './check-value.js';
import { ERROR, type Fields, type Row } from './row.js';
import type { ReceivedResponse } from './send-documented.js';

/** The differences between a successful response and the interface document; empty if there are none. */
export function checkResponse(row: Row, actual: ReceivedResponse, without: readonly string[] = []): string[] {
  const { status, response } = row;
  const isExpectedStatus =
    status === undefined ? actual.status >= 200 && actual.status < 300 : actual.status === status;
  if (!isExpectedStatus) return [`is ${actual.status}, not ${status ?? 'a success'}: ${actual.text}`];
  if (response === 'nothing') return actual.text === '' ? [] : ['has a body'];
  return checkJson(response ?? {}, actual, without);
}

/** The differences between a failure and the interface document: its status, and the body of all failures. */
export function checkFailure(status: number, actual: ReceivedResponse): string[] {
  if (actual.status !== status) return [`is ${actual.status}, not ${status}: ${actual.text}`];
  return checkJson(ERROR, actual, actual.text.includes('"details"') ? [] : ['details']);
}

function checkJson(fields: Fields, { type, text }: ReceivedResponse, without: readonly string[]): string[] {
  if (!type.startsWith('application/json')) return [`is ${type}: ${text.slice(0, 200)}`];
  return checkRecord(fields, JSON.parse(text), without);
}
