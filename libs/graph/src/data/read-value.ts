import { showName } from '../names/check-name.js';
import { describeBadText } from '../parse/find-bad-text.js';
import { type InputType } from '../plan/plan.js';

/** A value, or what it must be instead as the end of a sentence: `must be true or false (got "maybe")`. */
export type ReadValue = { value: string | boolean | null } | { problem: string };

/**
 * Reads a value for an input of the type, from a workflow or for a run. Null means no value.
 * FILE accepts an http(s) URL, `millrace://file/<path>` or `millrace://output/<id>`. FOLDER accepts
 * `millrace://file/<folder>`, or the http(s) URL of a git repository, optionally with `#` and a branch, tag or commit.
 */
export function readValue(type: InputType, raw: unknown): ReadValue {
  if (raw === undefined || raw === null) return { value: null };
  if (type === 'BOOLEAN') return readBoolean(raw);
  if (type === 'STRING') return readString(raw);
  if (typeof raw !== 'string')
    return { problem: `must be ${type === 'FILE' ? FILE_FORMS : FOLDER_FORMS} (got ${kindOf(raw)})` };
  if (raw === '') return { value: null };
  const badText = describeBadText(raw);
  if (badText !== null) return { problem: `must not contain ${badText}` };
  const problem = type === 'FILE' ? findFileProblem(raw) : findFolderProblem(raw);
  return problem === null ? { value: raw } : { problem };
}

const FILE_FORMS = 'an http(s) URL, millrace://file/<path> or millrace://output/<id>';
const FOLDER_FORMS = 'millrace://file/<folder> or the http(s) URL of a git repository';

/** Hints for a value that `readValue` rejects. */
export const VALUE_HINTS: Readonly<Record<InputType, string>> = {
  STRING: 'Write text. Put anything else into a file.',
  BOOLEAN: 'Write true or false.',
  FILE: 'Upload the file and write millrace://file/<path>, or write an http(s) URL.',
  FOLDER: 'Write the URL of a git repository, or connect the output "folder" of a node.',
};

function readBoolean(raw: unknown): ReadValue {
  if (typeof raw === 'boolean') return { value: raw };
  if (raw === 'true' || raw === 'false') return { value: raw === 'true' };
  return { problem: `must be true or false (got ${typeof raw === 'string' ? showName(raw) : kindOf(raw)})` };
}

function readString(raw: unknown): ReadValue {
  if (typeof raw === 'number' || typeof raw === 'boolean') return { value: String(raw) };
  if (typeof raw !== 'string') return { problem: `must be text (got ${kindOf(raw)})` };
  const badText = describeBadText(raw);
  return badText === null ? { value: raw } : { problem: `must not contain ${badText}` };
}

function findFileProblem(text: string): string | null {
  const stored = storedPath(text);
  if (stored !== undefined)
    return isStoredPath(stored)
      ? null
      : `must have the path of a stored file after millrace://file/ (got ${showUrl(text)})`;
  if (/^millrace:\/\/output\/[A-Za-z0-9-]+$/.test(text)) return null;
  return isHttp(text) ? null : `must be ${FILE_FORMS} (got ${showUrl(text)})`;
}

const storedPath = (text: string): string | undefined => /^millrace:\/\/file\/(.*)$/s.exec(text)?.[1];

const isStoredPath = (path: string): boolean =>
  path.length <= 1024 && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const isHttp = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);

function findFolderProblem(text: string): string | null {
  const stored = storedPath(text);
  if (stored !== undefined) {
    if (isStoredPath(stored.replace(/\/$/, ''))) return null;
    return `must have the path of a stored folder after millrace://file/ (got ${showUrl(text)})`;
  }
  if (!isHttp(text)) return `must be ${FOLDER_FORMS} (got ${showUrl(text)})`;
  const { hash } = new URL(text);
  if (hash === '' || isGitRevision(hash.slice(1))) return null;
  return `must name a branch, tag or commit after # (got ${showName(hash.slice(1))})`;
}

/** Quotes a URL for a message without its user, password and query, which may be secrets. */
const showUrl = (text: string): string => showName(text.replace(/\?.*$/s, '?…').replace(/\/\/[^/]*@/, '//…@'));

/** Accepts less than git-check-ref-format(1): letters, digits, and separators between them. */
const isGitRevision = (text: string): boolean =>
  text.length <= 200 && /^[A-Za-z0-9_][\w./+@-]*$/.test(text) && !/\.\.|@\{|\/\/|[./]$|\.lock$/.test(text);

const kindOf = (raw: unknown): string =>
  Array.isArray(raw) ? 'a list' : typeof raw === 'object' ? 'an object' : `a ${typeof raw}`;
