import { z } from 'zod';
import { uris } from '../../resources/uris.js';
import { ToolError } from '../tool-error.js';
import { defineTool } from '../tool.js';

const MAX_CHARACTERS = 30_000;

export const readDocsPage = defineTool({
  name: 'read_docs',
  title: 'Read the documentation',
  description:
    'Without `page`, lists the pages of the documentation. With `page`, returns it. Read `reference/workflow-data.md` before you ' +
    'write a workflow, and `reference/query-language.md` before you query a table. Read on with `next_offset`.',
  input: z.strictObject({
    page: z.string().min(1).optional().describe('Name of a page, such as `guides/runs.md`'),
    offset: z.int().min(0).default(0).describe('Character at which the part begins'),
  }),
  output: z.object({
    pages: z.array(z.object({ page: z.string(), title: z.string() })).optional(),
    text: z.string().optional(),
    next_offset: z.int().nullable().optional().describe('Null at the end of the page'),
  }),
  isReadOnly: true,
  run: ({ docs }, { page, offset }) => {
    if (page === undefined) {
      return Promise.resolve({ content: { pages: docs.map(({ name, title }) => ({ page: name, title })) } });
    }
    const found = docs.find(({ name }) => name === page);
    if (!found) throw new ToolError('not_found', `There is no page "${page}". Call read_docs without page for a list.`);
    const end = Math.min(found.text.length, offset + MAX_CHARACTERS);
    const text = found.text.slice(offset, end);
    const links = [{ uri: uris.docs(page), name: found.title, mimeType: 'text/markdown' }];
    return Promise.resolve({ content: { text, next_offset: end < found.text.length ? end : null }, links });
  },
});
