import { ToolError } from './tool-error.js';

type Content = Record<string, unknown>;

/** Characters of a result as JSON. Clients truncate results that are much longer, without a notice to the model. */
export const MAX_RESULT_CHARACTERS = 80_000;

/**
 * Refuses a page that is too long, and names the number of records that fit. Of a result without pages, it shortens the longest
 * lists, and `omitted` has the number of records that are left out. Nothing is cut without a notice.
 * @param pageSize undefined for a result without pages
 * @throws ToolError if that is not enough
 */
export function fitResult(content: Content, pageSize: number | undefined): Content {
  const length = lengthOf(content);
  if (length <= MAX_RESULT_CHARACTERS || pageSize === 1) return content;
  if (pageSize !== undefined) throw tooLarge(`The page has ${length}`, suggestSize(pageSize, length));
  const fitted = shorten(content);
  if (fitted !== null) return fitted;
  throw tooLarge(
    `The result has ${length}`,
    'Read its parts with other tools, such as both versions with read_workflow.',
  );
}

function suggestSize(pageSize: number, length: number): string {
  const fitting = Math.max(1, Math.floor((pageSize * MAX_RESULT_CHARACTERS * 0.8) / length));
  return `Call the tool again with page_size ${fitting} or less, or select fewer fields if it can.`;
}

const tooLarge = (length: string, advice: string): ToolError =>
  new ToolError('result_too_large', `${length} characters; at most ${MAX_RESULT_CHARACTERS} are returned. ${advice}`);

/** Shortens one list after the other, the longest first. @returns null if the result is too long without them */
function shorten(content: Content): Content | null {
  const lists = Object.entries(content)
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
    .sort(([, a], [, b]) => lengthOf(b) - lengthOf(a));
  let fitted: Content = content;
  const omitted: Record<string, number> = {};
  for (const [name, list] of lists) {
    const room = MAX_RESULT_CHARACTERS - lengthOf({ ...fitted, [name]: [] }) - 1_000;
    const kept = takeFirst(list, room);
    if (kept.length < list.length) omitted[name] = list.length - kept.length;
    fitted = { ...fitted, [name]: kept, omitted };
    if (lengthOf(fitted) <= MAX_RESULT_CHARACTERS) return fitted;
  }
  return null;
}

function takeFirst(list: unknown[], characters: number): unknown[] {
  let used = 0;
  const end = list.findIndex((record) => (used += lengthOf(record) + 1) > characters);
  return end === -1 ? list : list.slice(0, end);
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
