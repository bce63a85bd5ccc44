import { findBadJson, MAX_DEPTH } from '@millrace/contracts/kit/find-bad-json';

/** Whether the value of a key `constructor` is one through which merging objects would reach a prototype. */
export const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');

/**
 * The value of a text that is JSON and can be stored; undefined for any other text. JSON is also YAML, and parsing it
 * as JSON takes a hundredth of the time. The depth is checked first, because `JSON.parse` accepts any depth and takes
 * two seconds for twenty million levels.
 */
export function readJsonText(text: string): object | undefined {
  if (!/^\s*\{/.test(text) || isTooDeep(text)) return undefined;
  const value = parse(text);
  return value !== undefined && findBadJson(value) === null && !canReachPrototype(value) ? value : undefined;
}

function parse(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: readonly number[] = [0x5b, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inText = !inText;
    else if (inText) at += code === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(code)) depth++;
    else if (CLOSING.includes(code)) depth--;
    if (depth > MAX_DEPTH + 1) return true;
  }
  return false;
}

function canReachPrototype(root: object): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    if (Object.hasOwn(value, 'constructor') && hasPrototype(value.constructor)) return true;
    for (const item of Object.values(value)) if (typeof item === 'object') pending.push(item);
  }
  return false;
}
