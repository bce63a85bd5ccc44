import { z } from 'zod';
import { MillraceError } from '@millrace/client';
import { downloadOutput } from '@millrace/contracts/runs/outputs';
import { uris } from '../../resources/uris.js';
import { decodePart } from '../../text/decode-part.js';
import { readBytes } from '../../text/read-bytes.js';
import { ToolError } from '../tool-error.js';
import { defineTool } from '../tool.js';

export const readOutput = defineTool({
  name: 'read_output',
  title: 'Read the content of an output',
  description:
    'Returns a part of an output file as text. Read on with `next_offset` until it is null. For rows of a Live Table, use ' +
    '`query_table`. To process a large file, run a workflow on it instead: `millrace://output/<id>` is accepted as an input.',
  input: z.strictObject({
    output_id: z.string().min(1).describe('The `id` of an output of `list_outputs` or `run_workflow`'),
    offset: z.int().min(0).default(0).describe('Byte at which the part begins'),
    max_bytes: z.int().min(1).max(60_000).default(20_000),
  }),
  output: z.object({
    text: z.string(),
    encoding: z.enum(['utf-8', 'base64']).describe('`base64` if the part is not UTF-8'),
    offset: z.int(),
    next_offset: z.int().nullable().describe('Null at the end of the file'),
    size: z.int().describe('Bytes of the file'),
  }),
  isReadOnly: true,
  run: async ({ client, signal }, { output_id: id, offset, max_bytes: max }) => {
    const range = { start: offset, end: offset + max - 1 };
    const download = await client
      .download(downloadOutput, { params: { id }, signal }, { range })
      .catch((error: unknown) => {
        if (!(error instanceof MillraceError) || error.status !== 416) throw error;
        // An empty file has no byte that a range could begin with.
        if (offset === 0) return null;
        throw new ToolError('validation_error', 'The output is shorter.', {
          offset: 'must be less than the size of the output',
        });
      });
    const { bytes } = await readBytes(download?.body ?? null, { max });
    const size = download?.totalSize ?? 0;
    const { text, encoding, remaining } = decodePart(bytes, offset + bytes.length >= size);
    const end = offset + bytes.length - remaining;
    return {
      content: { text, encoding, offset, next_offset: end < size ? end : null, size },
      links: [{ uri: uris.output(id), name: download?.name ?? id }],
    };
  },
});
