import { findBadJson, MAX_DEPTH } from '@millrace/contracts/kit/find-bad-json';
import { hasPrototype } from './has-prototype.js';

/**
 * The value of a text that is JSON, and can be stored; undefined where it is not, whatever else it may be. JSON is YAML,
 * too, and read as JSON it takes a hundredth of the time. `JSON.parse` reads any depth, at two seconds for twenty
 * million levels, so that is looked at first.
 */
export function readJsonText(text: string): object | undefined {
  if (!/^\s*\{/.test(text) || isDeep(text)) return undefined;
  const value = parse(text);
  return value !== undefined && findBadJson(value) === null && !reachesForPrototype(value) ? value : undefined;
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

function isDeep(text: string): boolean {
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

function reachesForPrototype(root: object): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    if (Object.hasOwn(value, 'constructor') && hasPrototype(value.constructor)) return true;
    for (const item of Object.values(value)) if (typeof item === 'object') open.push(item);
  }
  return false;
}
