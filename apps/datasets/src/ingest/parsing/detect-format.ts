export type Format = 'json' | 'ndjson' | 'csv';

const OPEN_ARRAY = '[';
const OPEN_OBJECT = '{';

/**
 * Detects the format of a file from its name and its first bytes: a JSON array, JSON lines, JSON values over several lines,
 * or else CSV.
 */
export function detectFormat(name: string, beginning: string): Format {
  const text = beginning.trimStart();
  const ending = /\.([a-z]+)(?:\.(?:gz|gzip|zst|zstd))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  if (ending === 'csv' || ending === 'tsv') return 'csv';
  if (text.startsWith(OPEN_OBJECT)) return continuesNextLine(text) ? 'json' : 'ndjson';
  if (text.startsWith(OPEN_ARRAY)) return 'json';
  return ending === 'ndjson' || ending === 'jsonl' ? 'ndjson' : 'csv';
}

/** Whether the JSON value of the first line may continue on the next one: not within a text, and not if that starts a value. */
function continuesNextLine(text: string): boolean {
  const end = text.indexOf('\n');
  if (end === -1) return false;
  const line = text.slice(0, end);
  if (isJson(line) || endsInText(line) || isBrokenLine(text.slice(end))) return false;
  return /[{[,:]\s*$/.test(line) || /^\s*[,:}\]]/.test(text.slice(end));
}

/** Whether only whole objects seem to follow a line, so that the line itself is broken. */
function isBrokenLine(rest: string): boolean {
  const [next, after = OPEN_OBJECT] = rest
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return next?.startsWith(OPEN_OBJECT) === true && isJson(next) && after.startsWith(OPEN_OBJECT);
}

const endsInText = (line: string): boolean => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').includes('"');

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads at least `count` bytes from the start of a stream, or all of it if it is shorter. A failure during the read is
 * thrown by `all`, behind the bytes before it.
 * @returns the bytes, and a stream of everything including them
 */
export async function peek(
  chunks: AsyncGenerator<Buffer>,
  count: number,
): Promise<{ beginning: Buffer; all: AsyncGenerator<Buffer> }> {
  const peeked: Buffer[] = [];
  let length = 0;
  let failure: { error: unknown } | null = null;
  try {
    while (length < count) {
      const next: IteratorResult<Buffer, unknown> = await chunks.next();
      if (next.done === true) break;
      peeked.push(next.value);
      length += next.value.length;
    }
  } catch (error) {
    failure = { error };
  }
  const beginning = Buffer.concat(peeked);
  return { beginning, all: resume(beginning, failure, chunks) };
}

async function* resume(
  beginning: Buffer,
  failure: { error: unknown } | null,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield beginning;
  if (failure) throw failure.error;
  yield* rest;
}
