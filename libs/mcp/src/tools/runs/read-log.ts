import { z } from 'zod';
import { readLogs } from '@millrace/contracts/runs/subjobs';
import { uris } from '../../resources/uris.js';
import { decodePart } from '../../text/decode-part.js';
import { readBytes } from '../../text/read-bytes.js';
import { ToolError } from '../tool-error.js';
import { defineTool, type ToolCall } from '../tool.js';
import { chooseSubjob, subjobFields } from './choose-subjob.js';
import { findLines } from './find-lines.js';

const MAX_BYTES = 40_000;
/** The most that is stored of a log, with the line that describes its gap. */
const MAX_LOG_BYTES = 17 * 1024 * 1024;

const input = z.strictObject({
  ...subjobFields,
  stream: z.enum(['stdout', 'stderr']).default('stdout').describe('Errors are usually in stderr'),
  attempt: z.int().min(1).optional().describe('Defaults to the last attempt'),
  tail: z.int().min(1).max(10_000).optional().describe('Return the last lines; 100 by default'),
  grep: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Return the lines with this text, ignoring case, of the whole log'),
  context: z.int().min(0).max(20).default(2).describe('With `grep`: lines before and after each match'),
  after_line: z.int().min(0).default(0).describe('With `grep`: continue after this line'),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe('Return the text from this byte on, such as the `next_offset` of a result'),
});

type Input = z.output<typeof input>;

export const readLog = defineTool({
  name: 'read_log',
  title: 'Read the log of a step',
  description:
    'Returns what a step of a run has printed: its last lines (`tail`), the lines with a text (`grep`), or everything in parts ' +
    '(`offset`, from 0). For a failed run first use `list_failures`, which has the last lines of stderr.',
  input,
  output: z.object({
    subjob_id: z.string(),
    attempt: z.int().nullable(),
    state: z.string().describe('`running`: the log still grows; `waiting`: the step has not started; `stored`; `none`'),
    text: z.string().describe('With `grep`, each line begins with its number'),
    is_complete: z.boolean().describe('Whether the text is the whole log, or has all matches'),
    omitted: z.string().optional().describe('What the text lacks, and how to get it'),
    next_offset: z.int().nullable().optional().describe('With `offset`: where the next part begins; null at the end'),
    next_line: z.int().nullable().optional().describe('With `grep`: `after_line` of the next matches; null at the end'),
  }),
  isReadOnly: true,
  run: async (call, options) => {
    const { run_id: run, stream } = options;
    const modes = [options.tail, options.grep, options.offset].filter((value) => value !== undefined);
    if (modes.length > 1) {
      throw new ToolError('validation_error', 'The arguments are not valid.', {
        tail: 'excludes `grep` and `offset`; use one of them',
      });
    }
    const subjob = await findSubjob(call, options);
    const query = {
      stream,
      ...(options.attempt !== undefined && { attempt: options.attempt }),
      ...(options.grep === undefined && options.offset === undefined && { tail: options.tail ?? 100 }),
    };
    const request = { params: { id: run, subjobId: subjob }, query, signal: call.signal };
    const { body, headers } = await call.client.send(readLogs, request, { accept: 'text/plain' });
    const attempt = headers.get('x-log-attempt');
    return {
      content: {
        subjob_id: subjob,
        attempt: attempt === null ? null : Number(attempt),
        state: headers.get('x-log-state') ?? 'none',
        ...(await readPart(body, options, Number(headers.get('x-log-offset') ?? 0))),
      },
      links: [{ uri: uris.log(run, subjob, stream), name: `${stream} of subjob ${subjob}`, mimeType: 'text/plain' }],
    };
  },
});

/** @param start byte of the complete log at which the body begins */
async function readPart(body: ReadableStream<Uint8Array> | null, { grep, offset, ...options }: Input, start: number) {
  if (grep !== undefined) {
    const { bytes } = await readBytes(body, { max: MAX_LOG_BYTES });
    const { text, nextLine } = findLines(new TextDecoder().decode(bytes), {
      ...options,
      grep,
      maxCharacters: MAX_BYTES,
    });
    return { text, is_complete: nextLine === null && options.after_line === 0, next_line: nextLine };
  }
  if (offset !== undefined) {
    const { bytes, isEnd } = await readBytes(body, { skip: offset, max: MAX_BYTES });
    const { remaining } = decodePart(bytes, isEnd);
    // A log is text whatever the step has printed, so what is not UTF-8 becomes U+FFFD.
    const text = new TextDecoder().decode(bytes.subarray(0, bytes.length - remaining));
    const next = isEnd ? null : offset + bytes.length - remaining;
    return { text, is_complete: isEnd && offset === 0, next_offset: next };
  }
  const { bytes } = await readBytes(body, { max: MAX_LOG_BYTES });
  const text = new TextDecoder().decode(bytes);
  const shown = text.slice(-MAX_BYTES);
  const omitted =
    shown.length < text.length
      ? `the first ${text.length - shown.length} characters of these lines; use a smaller tail, grep, or offset`
      : start > 0
        ? 'earlier lines; use a larger tail, grep, or offset 0'
        : undefined;
  return { text: shown, is_complete: omitted === undefined, ...(omitted !== undefined && { omitted }) };
}

async function findSubjob(call: ToolCall, options: Input): Promise<string> {
  const { id, subjob } = await chooseSubjob(call, options);
  if (subjob?.task_count === undefined) return id;
  throw new ToolError('validation_error', `Node "${subjob.node}" is split into ${subjob.task_count} children.`, {
    task_index: 'is required: the number of a child. list_failures has those that failed',
  });
}
