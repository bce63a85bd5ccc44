import { badText } from '../parse/find-bad-text.js';
import { type InputType } from '../plan/plan.js';

export type ReadValue = { value: string | boolean | null } | { wrong: string };

/**
 * Reads a value that someone wrote for an input of the type, in a workflow or for a run. Null is no value.
 * FILE takes an http(s) URL, `millrace://file/<path>` or `millrace://output/<id>`; FOLDER `millrace://file/<folder>`, or the
 * http(s) URL of a git repository, behind `#` a branch, tag or commit of it.
 */
export function readValue(type: InputType, raw: unknown): ReadValue {
  if (raw === undefined || raw === null) return { value: null };
  if (type === 'BOOLEAN') return readBoolean(raw);
  if (type === 'STRING') return readString(raw);
  if (typeof raw !== 'string')
    return { wrong: `is ${kindOf(raw)} where ${type === 'FILE' ? FILE_FORMS : FOLDER_FORMS} is expected` };
  if (raw === '') return { value: null };
  const wrong = badText(raw) ?? (type === 'FILE' ? wrongFile(raw) : wrongFolder(raw));
  return wrong === null ? { value: raw } : { wrong };
}

const FILE_FORMS = 'an http(s) URL, millrace://file/<path> or millrace://output/<id>';
const FOLDER_FORMS = 'millrace://file/<folder>, or the http(s) URL of a git repository';

/** What to write for a value that was refused. */
export const VALUE_HINTS: Readonly<Record<InputType, string>> = {
  STRING: 'write text; put more than that into a file',
  BOOLEAN: 'write true or false',
  FILE: 'upload the file and write millrace://file/<path>, or give an http(s) URL',
  FOLDER: 'give the URL of a git repository, or connect the output "folder" of a node',
};

function readBoolean(raw: unknown): ReadValue {
  if (typeof raw === 'boolean') return { value: raw };
  if (raw === 'true' || raw === 'false') return { value: raw === 'true' };
  return { wrong: `is ${kindOf(raw)} where true or false is expected` };
}

function readString(raw: unknown): ReadValue {
  if (typeof raw === 'number' || typeof raw === 'boolean') return { value: String(raw) };
  if (typeof raw !== 'string') return { wrong: `is ${kindOf(raw)} where text is expected` };
  const bad = badText(raw);
  return bad === null ? { value: raw } : { wrong: `holds ${bad}` };
}

function wrongFile(text: string): string | null {
  const stored = storedPath(text);
  if (stored !== undefined) return isStoredPath(stored) ? null : 'is not the path of a stored file';
  if (/^millrace:\/\/output\/[A-Za-z0-9-]+$/.test(text)) return null;
  return isHttp(text) ? null : `is not ${FILE_FORMS}`;
}

const storedPath = (text: string): string | undefined => /^millrace:\/\/file\/(.*)$/s.exec(text)?.[1];

const isStoredPath = (path: string): boolean =>
  path.length <= 1024 && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

const isHttp = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);

function wrongFolder(text: string): string | null {
  const stored = storedPath(text);
  if (stored !== undefined)
    return isStoredPath(stored.replace(/\/$/, '')) ? null : 'is not the path of a stored folder';
  if (!isHttp(text)) return `is not ${FOLDER_FORMS}`;
  const { hash } = new URL(text);
  return hash === '' || isGitRevision(hash.slice(1)) ? null : 'names no branch, tag or commit after #';
}

/** Narrower than git-check-ref-format(1): letters, digits, and what stands between them. */
const isGitRevision = (text: string): boolean =>
  text.length <= 200 && /^[A-Za-z0-9_][\w./+@-]*$/.test(text) && !/\.\.|@\{|\/\/|[./]$|\.lock$/.test(text);

const kindOf = (raw: unknown): string =>
  Array.isArray(raw) ? 'a list' : typeof raw === 'object' ? 'an object' : `a ${typeof raw}`;
